import { expect, test } from 'vitest';
import { runMutated } from './mutated-program.ts';
import { MUTATIONS } from './mutations.ts';

/**
 * The mistake that the simulation cannot test, because it decodes nothing: with real decoders, one of which stands still, it
 * calls the provider's picture bad, and another is bought.
 */
const MINUTES = 60_000;
const decodedWith = (mutation: string | null) =>
  runMutated(mutation, { script: 'decode-output.ts', args: [] });

test(
  'without the mutation the picture is decoded again',
  async () => {
    expect(await decodedWith(null)).toEqual({ code: 0, lastLine: 'decoded at 600, 1 lost' });
  },
  2 * MINUTES,
);

for (const { name, expects } of MUTATIONS.filter(({ noticedBy }) => noticedBy === 'decoders'))
  test(
    `real decoders notice: ${name}`,
    async () => {
      expect(await decodedWith(name)).toEqual({ code: 0, lastLine: `${expects[0]}, 1 lost` });
    },
    2 * MINUTES,
  );
