import { spawnSync } from 'node:child_process';
import { StackError } from '../../../ops/dev/stack/lifecycle.ts';
import { systemProgram } from '../../../ops/dev/stack/system-program.ts';

/** How Prometheus' own tool is come by; both it and the server are in one package. */
const PROMTOOL = { program: 'promtool', title: 'Prometheus', packages: { 'apt-get': ['prometheus'] } };

/** Null when promtool is there, installed now if need be; otherwise the reason for skipping what needs it. */
export function promtoolMissing(): string | null {
  try {
    systemProgram(PROMTOOL, (line) => process.stderr.write(`${line}\n`));
    return null;
  } catch (error) {
    if (error instanceof StackError) return error.message;
    throw error;
  }
}

/** Runs it; `code` 0 means that it found nothing to complain of. */
export function promtool(args: string[], input?: string): { code: number | null; text: string } {
  const { status, stdout, stderr } = spawnSync('promtool', args, { input, encoding: 'utf8' });
  return { code: status, text: stdout + stderr };
}
