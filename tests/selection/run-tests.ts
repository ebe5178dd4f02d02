import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FLAKY, type RunRecord, readRunRecord } from './records.ts';
import { addSecondTries, defects } from './second-tries.ts';

export interface TestRun {
  root: string;
  /** Words for `vitest run`: files, projects, flags. */
  args: readonly string[];
  environment?: Readonly<Record<string, string>>;
}

/** The program and its first arguments, for every command that runs or lists tests. */
export const VITEST = ['node_modules/vitest/vitest.mjs', '--config', 'tests/vitest.config.ts'] as const;

/**
 * Runs vitest, and adds the tests that needed their second try to the list of them. A test that stands there too often
 * fails the run.
 * @returns what the run says of itself, or null when it ended before it could; and whether it passed
 */
export async function runTests({ root, args, environment }: TestRun): Promise<{
  record: RunRecord | null;
  passed: boolean;
}> {
  const folder = mkdtempSync(join(tmpdir(), 'proscenium-run-'));
  const path = join(folder, 'record.json');
  try {
    const [program, ...config] = VITEST;
    const code = await exitOf(
      spawn(process.execPath, [program, 'run', ...config, ...args], {
        cwd: root,
        stdio: 'inherit',
        env: { ...process.env, ...environment, RUN_RECORD: path },
      }),
    );
    const record = existsSync(path) ? readRunRecord(path) : null;
    const isSound = record !== null && keepSecondTries(root, record);
    return { record, passed: code === 0 && isSound && record.failed === 0 };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @returns false when one of the run's second tries is a defect */
function keepSecondTries(root: string, { secondTries }: RunRecord): boolean {
  if (secondTries.length === 0) return true;
  const path = join(root, FLAKY);
  const today = new Date().toISOString().slice(0, 10);
  const list = addSecondTries(existsSync(path) ? readFileSync(path, 'utf8') : '', secondTries, today);
  writeFileSync(path, list);
  console.log(`${secondTries.length} second tries were added to ${FLAKY}`);
  const often = defects(list, today);
  for (const { test, times } of often) console.log(`${times} times in a month: ${test}`);
  return often.length === 0;
}

function exitOf(child: ReturnType<typeof spawn>): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  child.once('error', reject);
  child.once('close', (code) => resolve(code ?? 1));
  return promise;
}
