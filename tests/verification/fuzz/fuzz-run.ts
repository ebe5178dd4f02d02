import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { settingsFromEnvironment } from './run-settings.ts';
import type { FuzzTarget } from './target.ts';

/**
 * Runs targets as tests. By default each target does a fixed number of runs with one fixed seed, so that
 * every change is tested with the same inputs. With the settings of `fuzz.ts` it runs rounds, each with a
 * fresh seed and world, until its time is over.
 */
export interface World {
  close(): Promise<void>;
}

const { seed, path, secondsPerTarget, only } = settingsFromEnvironment(process.env);

export function fuzzTests<W extends World>(targets: readonly FuzzTarget<W>[], open: () => Promise<W>): void {
  let world: W;
  beforeAll(async () => {
    world = await open();
  });
  afterAll(() => world.close());

  for (const target of targets) {
    const isLeftOut = only !== null && only !== target.name;
    const why = isLeftOut ? ` (skipped: only ${only} was asked for)` : '';
    test.skipIf(isLeftOut)(`${target.name}: ${target.about}${why}`, async () => {
      const seen = new Map<string, number>();
      if (secondsPerTarget === null) await runOnce(target, { world, seed, seen });
      else await runFor(target, { open, ms: secondsPerTarget * 1_000, seen });
      if (path !== null) return;
      const unseen = (target.mustSee ?? []).filter((word) => !seen.has(word));
      expect(unseen, `never seen, so not tested; seen: ${countsOf(seen)}`).toEqual([]);
    });
  }
}

interface Round<W> {
  readonly world: W;
  readonly seed: number;
  /** How often each outcome was seen, over all rounds. */
  readonly seen: Map<string, number>;
}

async function runOnce<W>(target: FuzzTarget<W>, { world, seed: own, seen }: Round<W>): Promise<void> {
  const property = target.property(world, (word) => seen.set(word, (seen.get(word) ?? 0) + 1));
  const replaying = path === null ? {} : { path };
  const details = await fc.check(property, { seed: own, numRuns: target.runs, ...replaying });
  if (details.failed) {
    const words = verdict(target.name, details);
    say(words);
    throw new Error(words, { cause: details.errorInstance });
  }
  say(`${target.name}: seed ${own} held, ${target.runs} runs; so far ${countsOf(seen)}`);
}

async function runFor<W extends World>(
  target: FuzzTarget<W>,
  { open, ms, seen }: { open: () => Promise<W>; ms: number; seen: Map<string, number> },
): Promise<void> {
  const end = performance.now() + ms;
  for (let round = 0; round === 0 || performance.now() < end; round += 1) {
    const world = await open();
    try {
      await runOnce(target, { world, seed: (seed + round) | 0, seen });
    } finally {
      await world.close();
    }
  }
}

function verdict(name: string, details: fc.RunDetails<[unknown]>): string {
  const { seed: failed, counterexamplePath, numShrinks, counterexample, errorInstance } = details;
  const why = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
  const replay = `npm run fuzz -- --target ${name} --seed ${failed}`;
  return [
    `${name} broke: ${why}`,
    `with, after ${numShrinks} shrinks: ${shown(counterexample)}`,
    `replay: ${replay} --path ${counterexamplePath} (this input), or ${replay} (all that came before it too)`,
  ].join('\n');
}

/** Printing is recursive, and an input may be nested too deeply for it. */
function shown(counterexample: unknown): string {
  try {
    return fc.stringify(counterexample).slice(0, 4_000);
  } catch {
    return 'an input that nests too deep to be printed';
  }
}

const countsOf = (seen: ReadonlyMap<string, number>): string =>
  [...seen]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([word, times]) => `${word} ${times}`)
    .join(', ');

/** Progress belongs to the longer command; the test run has its own reporter. */
function say(line: string): void {
  if (secondsPerTarget !== null) process.stderr.write(`${line}\n`);
}
