import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';

/** The forger's process, switched on and off. */
export interface Flood {
  on(): void;
  off(): void;
  /** How often each status (or error code) was the answer. */
  end(): Promise<Record<string, number>>;
}

/** A real attacker uses a machine of its own, so here the process runs at the lowest priority. */
const LEAST_PRIORITY = 19;
const PROGRAM = fileURLToPath(new URL('./forger.ts', import.meta.url));

export function startFlood(origin: string, perSecond: number): Flood {
  const child = spawn(process.execPath, [PROGRAM, origin, String(perSecond)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  if (child.pid !== undefined) setPriority(child.pid, LEAST_PRIORITY);
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  return {
    on: () => void child.stdin.write('on\n'),
    off: () => void child.stdin.write('off\n'),
    async end() {
      child.stdin.end();
      if (child.exitCode === null) await once(child, 'close');
      return JSON.parse(said) as Record<string, number>;
    },
  };
}
