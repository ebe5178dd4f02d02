/**
 * What a benchmark is. A figure of one machine means little on another, so each finding is a ratio of two candidates
 * that were measured interleaved in one run, or a figure that is read beside such ratios.
 */
export interface Bench {
  /** As typed: `npm run bench <name>`. */
  readonly name: string;
  /** One line for `--help`. */
  readonly about: string;
  /** Starts what it needs, measures, and stops it again, also when it fails. */
  run(ground: BenchGround): Promise<Finding[]>;
}

/** What the runner hands to each benchmark. */
export interface BenchGround {
  /** Turns of each candidate; medians are taken over them. At least 5 for results that are kept. */
  readonly rounds: number;
  /** Sizes shrink to see that everything works; such results are marked and never kept. */
  readonly quick: boolean;
  /** A directory of this run, removed at its end. */
  readonly scratch: string;
  /** Progress, one line. */
  print(line: string): void;
}

export type Finding = Ratio | Figure;

/** Two candidates, one turn each a round. */
export interface Ratio {
  readonly kind: 'ratio';
  /** What was compared, in a few words: `durable transitions a second`. */
  readonly title: string;
  readonly unit: Unit;
  readonly ours: Candidate;
  readonly peer: Candidate;
  /** Median of ours over median of the peer's. */
  readonly ratio: number;
  readonly goal?: Goal;
  /** What a reader must know to read it right. */
  readonly note?: string;
}

/** A value that has no peer: start-up time, memory, a percentile. */
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
  /** One value a round, in the finding's unit. */
  readonly samples: readonly number[];
  readonly median: number;
}

type Unit = '/s' | 'ms' | 's' | 'MB' | 'bytes' | 'times' | 'count';

/** The bound that a ratio or a figure should keep. */
export type Goal = { readonly atLeast: number } | { readonly atMost: number };

export function isMet(goal: Goal, value: number): boolean {
  return 'atLeast' in goal ? value >= goal.atLeast : value <= goal.atMost;
}

/** The value that a goal is about: a ratio's ratio, a figure's value. */
export function measured(finding: Finding): number {
  return finding.kind === 'ratio' ? finding.ratio : finding.value;
}
