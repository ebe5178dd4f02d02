import { type CoverageCounts, type CoverageGoal, MUST_SEE, noCoverage } from './coverage.ts';
import { type RunResult, runSeed } from './scenario.ts';

/** Runs many seeds and adds up their coverage. */
export interface SeedsResult {
  seeds: number;
  failures: RunResult[];
  coverage: CoverageCounts;
  hops: number;
  purchases: number;
}

export interface SeedsOptions {
  first: number;
  seeds: number;
  /** Stop after this many failing seeds. */
  maxFailures?: number;
  onSeed?(done: number, failures: number): void;
}

export async function runSeeds(options: SeedsOptions): Promise<SeedsResult> {
  const { first, seeds, maxFailures = 1, onSeed } = options;
  const result: SeedsResult = { seeds: 0, failures: [], coverage: noCoverage(), hops: 0, purchases: 0 };
  for (let seed = first; seed < first + seeds && result.failures.length < maxFailures; seed += 1) {
    const run = await runSeed({ seed });
    result.seeds += 1;
    result.hops += run.hops;
    result.purchases += run.purchases;
    for (const what of MUST_SEE) result.coverage[what] += run.coverage[what];
    if (run.breaches.length > 0) result.failures.push(run);
    onSeed?.(result.seeds, result.failures.length);
  }
  return result;
}

/** Coverage goals that were not met. */
export const missed = ({ coverage }: Pick<SeedsResult, 'coverage'>): CoverageGoal[] =>
  MUST_SEE.filter((what) => coverage[what] === 0);

/**
 * The fewest faults with which the seed still breaks the same invariant: halves of the faults are left out
 * while the breach remains, then single ones (delta debugging, bounded).
 */
export async function shrink(failure: RunResult, maxRuns = 200): Promise<RunResult> {
  const wanted = failure.breaches[0]?.split(' ')[0];
  const { seed } = failure;
  let best = failure;
  let suppressed = new Set<number>();
  let runs = 0;
  const survives = async (more: readonly number[]): Promise<boolean> => {
    runs += 1;
    const trial = new Set([...suppressed, ...more]);
    const run = await runSeed({ seed, suppressed: trial });
    if (!run.breaches.some((line) => line.split(' ')[0] === wanted)) return false;
    best = run;
    suppressed = trial;
    return true;
  };
  const active = () => best.faults.map(({ number }) => number).filter((number) => !suppressed.has(number));
  for (let size = Math.ceil(active().length / 2); size >= 1 && runs < maxRuns; size = Math.floor(size / 2)) {
    for (let from = 0; from < active().length && runs < maxRuns; ) {
      const chunk = active().slice(from, from + size);
      if (!(await survives(chunk))) from += size;
    }
  }
  return { ...best, faults: best.faults.filter(({ number }) => !suppressed.has(number)) };
}
