import { spawnSync } from 'node:child_process';
import { StackError } from '../../../ops/dev/stack/lifecycle.ts';
import { systemProgram } from '../../../ops/dev/stack/system-program.ts';

/** How to get Prometheus' own tool; it is in one package with the server. */
const PROMTOOL = { program: 'promtool', title: 'Prometheus', packages: { 'apt-get': ['prometheus'] } };

/** Null when promtool is there, installed now if necessary; otherwise the reason to skip the tests that need it. */
export function promtoolMissing(): string | null {
  try {
    systemProgram(PROMTOOL, (line) => process.stderr.write(`${line}\n`));
    return null;
  } catch (error) {
    if (error instanceof StackError) return error.message;
    throw error;
  }
}

/** Runs promtool; `code` 0 means that it found no problem. */
export function promtool(args: string[], input?: string): { code: number | null; text: string } {
  const { status, stdout, stderr } = spawnSync('promtool', args, { input, encoding: 'utf8' });
  return { code: status, text: stdout + stderr };
}
