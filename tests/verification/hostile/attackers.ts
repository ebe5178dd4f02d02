import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Answers, Target } from './attack.ts';
import type { AttackName } from './attacks.ts';

export interface Attacker {
  begin(): void;
  /** Ends the attack; returns its counts of answers. */
  end(): Promise<Answers>;
}

/** Real attackers use machines of their own, so here their processes run at the lowest priority. */
const LEAST_PRIORITY = 19;
const PROGRAM = fileURLToPath(new URL('./attacker-run.ts', import.meta.url));

/** Resolves when the attacker is ready to begin. */
export async function hireAttacker(name: AttackName, target: Target): Promise<Attacker> {
  const child = spawn(process.execPath, [PROGRAM, name, JSON.stringify(target)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  if (child.pid !== undefined) setPriority(child.pid, LEAST_PRIORITY);
  const closed = once(child, 'close');
  const lines: string[] = [];
  const output = createInterface(child.stdout).on('line', (line) => lines.push(line));
  await Promise.race([once(output, 'line'), closed]);
  if (lines[0] !== 'ready') throw new Error(`the attacker ${name} could not begin`);
  return {
    begin: () => void child.stdin.write('go\n'),
    async end() {
      child.stdin.end();
      await closed;
      return JSON.parse(lines.at(-1) ?? '{}') as Answers;
    },
  };
}
