import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { lastRelease } from '../../../ops/check/older-release.ts';

/** `npm run upgrade:check`: the roles of an earlier commit and of this checkout, on the schema of this one. */
const HELP = `Usage: npm run upgrade:check -- [COMMIT]

Lays COMMIT (default: the last release, ${lastRelease().version}) in a worktree with its own packages, runs its web and
worker on the schema of this checkout, next to the web and worker of this checkout, and lets each of them upload, stage,
approve, reject, find and delete what the other has made. Takes about two minutes, and a gigabyte for that time.

Exit codes: 0 both work, or the commit is not in this history (which is said); 1 one does not; 64 not understood.
`;
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

process.exitCode = await main();

async function main(): Promise<number> {
  const asked = readArguments();
  if (typeof asked === 'string') return say(`${asked}\n\n${HELP}`, 64);
  if (asked.help) return say(HELP, 0);
  const commit = asked.commit ?? lastRelease().commit;
  if (git('cat-file', '-e', `${commit}^{commit}`) !== 0)
    return say(`Skipped: the commit ${commit} is not in this copy of the history.\n`, 0);
  const above = mkdtempSync(join(tmpdir(), 'proscenium-upgrade-'));
  const folder = join(above, 'release');
  try {
    if (git('worktree', 'add', '--detach', folder, commit) !== 0) return 1;
    const installed = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'inherit' });
    return installed.status === 0 ? await run(folder) : 1;
  } finally {
    rmSync(above, { recursive: true, force: true });
    git('worktree', 'prune');
  }
}

function readArguments(): { help: boolean; commit: string | undefined } | string {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { help: { type: 'boolean', default: false } },
    });
    const [commit, ...more] = positionals;
    return more.length > 0 ? 'one commit is enough' : { help: values.help, commit };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function git(...args: string[]): number {
  return spawnSync('git', args, { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] }).status ?? 1;
}

/** The journey needs the harness of the tests: its stack, its databases and its clients. */
function run(release: string): Promise<number> {
  const args = ['run', '--config', 'tests/vitest.config.ts', 'tests/verification/upgrade/'];
  const child = spawn(process.execPath, [join(ROOT, 'node_modules/vitest/vitest.mjs'), ...args], {
    cwd: ROOT,
    env: { ...process.env, UPGRADE_FROM: release },
    stdio: 'inherit',
  });
  return new Promise((resolve) => child.once('close', (code) => resolve(code ?? 1)));
}

function say(text: string, code: number): number {
  process.stdout.write(text);
  return code;
}
