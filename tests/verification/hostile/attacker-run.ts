import type { Attack, Target } from './attack.ts';
import { ATTACKS, type AttackName } from './attacks.ts';

/**
 * An attacker in its own process. Arguments: the attack's name and the target as JSON. Prints `ready`, begins
 * at the first input line, stops at the end of the input, and then prints its counts of answers as JSON.
 */
const [name = '', target = '{}'] = process.argv.slice(2);
const attack: Attack = ATTACKS[name as AttackName];
const answers: Record<string, number> = {};
const over = new AbortController();
const note = (answer: string) => {
  if (!over.signal.aborted) answers[answer] = (answers[answer] ?? 0) + 1;
};

const prepared = (await attack.prepare?.()) ?? [];
process.stdout.write('ready\n');
process.stdin.once('data', () => {
  void attack
    .run({ ...(JSON.parse(target) as Target), prepared, signal: over.signal, note })
    .catch((error: Error) => {
      note(error.message);
    });
});
process.stdin.on('end', () => {
  process.stdout.write(`${JSON.stringify(answers)}\n`, () => process.exit());
  over.abort();
});
