/**
 * The definition of a benchmark. A figure of one machine means little on another. Each finding is therefore a ratio
 * of two candidates that were measured interleaved in one run, or a figure that is read beside such ratios.
 */
export interface Bench {
  /** As typed: `npm run bench <name>`. */
  readonly name: string;
  /** One line for `--help`. */
  readonly about: string;
  /** Starts what it needs, measures, and stops it again, also after a failure. */
  run(ground: BenchGround): Promise<Finding[]>;
}

/** What the runner passes to each benchmark. */
export interface BenchGround {
  /** Turns of each candidate; medians are taken over them. At least 5 for results that are kept. */
  readonly rounds: number;
  /** Smaller sizes, only to check that everything works; such results are marked and never kept. */
  readonly quick: boolean;
  /** A folder of photos for benchmarks that look at pictures; null for drawn ones. */
  readonly photos: string | null;
  /** The number of listings that the search is measured among; null for its own sizes. */
  readonly listings: number | null;
  /** A directory of this run, removed at its end. */
  readonly scratch: string;
  /** Progress, one line. */
  print(line: string): void;
}

export type Finding = Ratio | Figure;

/** Two candidates, one turn each per round. */
export interface Ratio {
  readonly kind: 'ratio';
  /** What was compared, in a few words: `durable transitions a second`. */
  readonly title: string;
  readonly unit: Unit;
  readonly ours: Candidate;
  readonly peer: Candidate;
  /** Median of ours divided by the median of the peer's. */
  readonly ratio: number;
  readonly goal?: Goal;
  /** A note that readers need to interpret it. */
  readonly note?: string;
}

/** A value without a peer: start-up time, memory, a percentile. */
export interface Figure {
  readonly kind: 'figure';
  readonly title: string;
  readonly unit: Unit;
  readonly value: number;
  readonly goal?: Goal;
  readonly note?: string;
}

export interface Candidate {
  readonly name: string;
  /** One value per round, in the finding's unit. */
  readonly samples: readonly number[];
  readonly median: number;
}

type Unit = '/s' | 'ms' | 's' | 'MB' | 'bytes' | 'times' | 'count' | 'score';

/** The bound that a ratio or a figure should keep. */
export type Goal = { readonly atLeast: number } | { readonly atMost: number };

export function isMet(goal: Goal, value: number): boolean {
  return 'atLeast' in goal ? value >= goal.atLeast : value <= goal.atMost;
}

/** The value that a goal applies to: a ratio's ratio, a figure's value. */
export function measured(finding: Finding): number {
  return finding.kind === 'ratio' ? finding.ratio : finding.value;
}
