import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../../ops/dev/stack/free-port.ts';
import { eachLine } from '../../../ops/dev/stack/ready-line.ts';
import { eventually } from '../../support/eventually.ts';
import { ended, foundProgram } from './found-program.ts';

/** The HAProxy of the operating system, with the configuration of ops/deploy. */
const CONFIGURATION = fileURLToPath(new URL('../../../ops/deploy/haproxy.cfg', import.meta.url));
export const haproxy = foundProgram('haproxy', '-v');
/** What to add to the title of a suite that needs it. */
export const haproxyMissing = 'missing' in haproxy ? ` (skipped: ${haproxy.missing})` : '';

export interface Haproxy {
  port: number;
  /** What it has logged: its start, and the requests that went wrong. */
  lines: string[];
  stop(): Promise<void>;
}

/** In front of the API hosts on these ports; the second may be the first. */
export async function startHaproxy(first: number, second = first): Promise<Haproxy> {
  if ('missing' in haproxy) throw new Error(haproxy.missing);
  const port = await freePort();
  const child = spawn(haproxy.program, ['-f', CONFIGURATION, '-db'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      // For the times in its log.
      TZ: 'UTC',
      HTTP_PORT: String(port),
      WEB_1: `127.0.0.1:${first}`,
      WEB_2: `127.0.0.1:${second}`,
    },
  });
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) eachLine(stream, (line) => lines.push(line));
  await eventually(
    async () => {
      if (child.exitCode !== null) throw new Error(`haproxy ended: ${lines.join('\n')}`);
      const answer = await fetch(`http://127.0.0.1:${port}/`).catch(() => null);
      return answer !== null && answer.status !== 503;
    },
    { what: 'the proxy to serve' },
  );
  return { port, lines, stop: () => ended(child) };
}
