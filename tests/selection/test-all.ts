import { fileURLToPath } from 'node:url';
import { VERIFIED, writeVerified } from './records.ts';
import { Repository } from './repository.ts';
import { runTests } from './run-tests.ts';

/**
 * `npm run test:all`: every test. The commit and the files that did not pass are written to `.ci/verified`, so the tree
 * has to be clean. With paths or flags (`npm run test:all -- tests/machines`) it runs those alone and writes nothing.
 */
const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
const args = process.argv.slice(2);
process.exitCode = args.length > 0 ? await runPart() : await runWhole();

async function runPart(): Promise<number> {
  const { passed } = await runTests({ root, args });
  return passed ? 0 : 1;
}

async function runWhole(): Promise<number> {
  const repository = new Repository(root);
  const uncommitted = repository.uncommitted();
  if (uncommitted.length > 0) {
    console.error(`Commit or remove these first, so that what runs is a commit:\n${uncommitted.join('\n')}`);
    return 1;
  }
  const commit = repository.head();
  // As in CI: a test that fails gets a second try, which is listed.
  const { record, passed } = await runTests({ root, args: [], environment: { CI: 'true' } });
  // Without a file that failed, the failure is of the run itself, and says nothing about any file.
  if (record === null || (!passed && record.failedFiles.length === 0)) return 1;
  writeVerified(root, {
    commit,
    at: new Date().toISOString(),
    tests: record.passed,
    failedFiles: record.failedFiles,
    seconds: record.seconds,
  });
  console.log(`${commit} is on record; commit ${VERIFIED}`);
  for (const file of record.failedFiles) console.log(`Not verified, runs for every change: ${file}`);
  return passed ? 0 : 1;
}
