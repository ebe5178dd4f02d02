import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const RUNBOOKS = new URL('../../../docs/runbooks/', import.meta.url);
const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url));

/** Every command of a runbook, in order: the lines of its `sh` blocks, without comments. */
export function commandsOf(page: string): string[] {
  const text = readFileSync(new URL(page, RUNBOOKS), 'utf8');
  const blocks = [...text.matchAll(/^ *```sh\n([\s\S]*?)^ *```/gm)].map(([, block]) => block ?? '');
  return blocks
    .flatMap((block) => block.split('\n').map((line) => line.replace(/\s+#.*$/, '').trim()))
    .filter(Boolean);
}

/**
 * The one command of the page that contains `words`, so that tests run what the page says.
 * @throws Error when there is none, or more than one that differ
 */
export function commandOf(page: string, words: string): string {
  const found = [...new Set(commandsOf(page).filter((command) => command.includes(words)))];
  if (found.length === 1 && found[0] !== undefined) return found[0];
  throw new Error(`${page} has ${found.length} commands with ${JSON.stringify(words)}`);
}

/** The SQL of the page's one `psql` command that contains `words`. */
export const sqlOf = (page: string, words: string): string =>
  /-c "(.*)"$/.exec(commandOf(page, words))?.[1]?.replaceAll('\\"', '"') ?? '';

/** Runs it as an operator would: a shell in the checkout with these variables and no others. */
export function run(command: string, env: Record<string, string>): Promise<{ code: number; text: string }> {
  return new Promise((resolve) => {
    const given = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...env };
    execFile('sh', ['-c', command], { cwd: REPOSITORY, env: given }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, text: stdout + stderr }),
    );
  });
}
