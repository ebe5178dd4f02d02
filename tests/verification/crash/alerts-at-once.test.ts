import { expect, test } from 'vitest';
import { alertsBench } from '../../../ops/bench/alerts/called-back.ts';
import { temporaryDirectory } from '../../support/platform/stack.ts';

/** The small size of `npm run bench -- alerts`: what it measures depends on the machine, what it counts does not. */
test('five hundred searches, two workers that are killed, a mail server that refuses a tenth: each home once', async () => {
  const lines: string[] = [];
  const findings = await alertsBench.run({
    rounds: 1,
    quick: true,
    photos: null,
    listings: null,
    scratch: temporaryDirectory(),
    print: (line) => void lines.push(line),
  });
  const [faults] = findings;
  expect(faults?.kind === 'figure' ? faults.value : null, lines.join('\n')).toBe(0);
}, 120_000);
