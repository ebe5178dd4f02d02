import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectLived, newLives, notMet, Walk } from './walk.ts';
import { words } from './walk-choices.ts';
import { openWalkWorld, type WalkWorld } from './walk-world.ts';

/**
 * Random walks over one original, alone or with its group, with a job for each of two styles: two agents over HTTP, two workers whose
 * leases expire, the provider's callbacks, sweepers, the object store and the operator, often two of them at
 * once. After every step the rows equal the model; at the end no invariant is broken.
 *
 * A failure prints the acts, the seed and the path. `MODEL_SEED=… MODEL_PATH=… npm run test:all --
 * tests/verification/model/walks.test.ts` walks it again, the seed alone also looks for a shorter walk that
 * fails; `MODEL_RUNS=500` walks more often.
 */
const { MODEL_SEED, MODEL_PATH, MODEL_RUNS } = process.env;
const RUNS = Number(MODEL_RUNS ?? 25);
/** Rare transitions need luck: walks are repeated until all have been met, at most so many times. */
const ROUNDS = 4;
let world: WalkWorld;
beforeAll(async () => {
  world = await openWalkWorld();
});
afterAll(() => world.host.stop());

test(
  'after every act of two agents, two workers and the provider the rows equal the model',
  async () => {
    const lives = newLives();
    const walk = () =>
      fc.assert(
        fc.asyncProperty(words, async (said) => {
          const walked = await Walk.begin(world, lives, { hasGroup: true });
          for (const [one, other] of said) await walked.step(one, other);
          await walked.end();
        }),
        {
          numRuns: RUNS,
          ...(MODEL_SEED === undefined ? {} : { seed: Number(MODEL_SEED) }),
          ...(MODEL_PATH === undefined ? {} : { path: MODEL_PATH }),
          // Shrinking takes one walk per try, so it is done only for a given seed.
          endOnFailure: MODEL_SEED === undefined || MODEL_PATH !== undefined,
        },
      );
    await walk();
    if (MODEL_SEED !== undefined || RUNS < 25) return expect(lives.steps).toBeGreaterThan(0);
    for (let round = 1; round < ROUNDS && notMet(lives).length > 0; round += 1) await walk();
    expectLived(lives);
  },
  RUNS * 20_000,
);
