import { quantile } from '../../../ops/bench/alternate.ts';
import { memorySlope, type Reading } from './gauges.ts';
import type { Sample } from './open-loop.ts';
import type { JobStanding } from './staging-jobs.ts';

/** All measurements of one run. Times in ms since its start. */
export interface Run {
  readonly samples: readonly Sample[];
  readonly readings: readonly Reading[];
  readonly windows: readonly Window[];
  readonly kills: number;
  readonly jobs: JobStanding;
  /** Attempts in the provider's ledger, by the number of purchases of each. */
  readonly boughtOnce: number;
  readonly boughtTwice: number;
  readonly attempts: number;
  readonly brokenInvariants: readonly string[];
  readonly complaints: readonly string[];
  readonly forged: Readonly<Record<string, number>>;
}

/** A period with or without the flood. */
export interface Window {
  readonly from: number;
  readonly until: number;
  readonly isFlooded: boolean;
}

export interface Latency {
  readonly what: string;
  readonly calls: number;
  readonly failures: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
}

export interface Check {
  readonly sentence: string;
  readonly holds: boolean;
}

/** A process may grow while its caches fill; a leak continues. */
const WARM_UP_SHARE = 0.4;
const MOST_MB_A_MINUTE = 4;
/** The maximum ratio of visitors' p99 with and without the forged flood. */
const MOST_FLOODED_RATIO = 1.25;
/** At the edges of a window calls of both kinds are running. */
const EDGE_MS = 1_000;

export function latencies(samples: readonly Sample[]): Latency[] {
  const kinds = [...new Set(samples.map(({ what }) => what))].toSorted();
  return ['all', ...kinds].map((what) => {
    const these = what === 'all' ? samples : samples.filter((sample) => sample.what === what);
    const times = these.map(({ tookMs }) => tookMs);
    const [p50, p90, p99] = [0.5, 0.9, 0.99].map((share) =>
      times.length === 0 ? 0 : quantile(times, share),
    );
    const failures = these.filter(({ failure }) => failure !== '').length;
    return { what, calls: these.length, failures, p50: p50 ?? 0, p90: p90 ?? 0, p99: p99 ?? 0 };
  });
}

/** The 99th percentile in ms of the calls due in windows with the flood, and in those without. */
export function floodedAndNot({ samples, windows }: Pick<Run, 'samples' | 'windows'>) {
  const p99 = (isFlooded: boolean) => {
    const own = windows.filter((window) => window.isFlooded === isFlooded);
    const times = samples.filter(({ dueAt }) =>
      own.some(({ from, until }) => dueAt >= from + EDGE_MS && dueAt < until - EDGE_MS),
    );
    return times.length === 0
      ? 0
      : quantile(
          times.map(({ tookMs }) => tookMs),
          0.99,
        );
  };
  return { flooded: p99(true), quiet: p99(false) };
}

/** Growth in MB a minute after the warm-up. Only of the web process, because workers live too short. */
export function webMemorySlope({ readings }: Pick<Run, 'readings'>): number {
  const web = readings.filter(({ name }) => name === 'web');
  const from = (web.at(-1)?.at ?? 0) * WARM_UP_SHARE;
  return memorySlope(web.filter(({ at }) => at >= from));
}

export function judge(run: Run): Check[] {
  const { jobs, attempts, boughtOnce, boughtTwice, brokenInvariants, complaints, forged } = run;
  const [all] = latencies(run.samples);
  const { flooded, quiet } = floodedAndNot(run);
  const slope = webMemorySlope(run);
  const refused = Object.keys(forged).every((answer) => answer === '401');
  const check = (sentence: string, holds: boolean): Check => ({ sentence, holds });
  return [
    check(`${all?.failures ?? 0} of ${all?.calls ?? 0} calls of visitors failed`, all?.failures === 0),
    check(
      `${jobs.byStatus.SUCCESS ?? 0} of ${jobs.submitted} jobs succeeded, ${run.kills} workers having been killed`,
      jobs.submitted > 0 && jobs.byStatus.SUCCESS === jobs.submitted,
    ),
    check(
      `${boughtOnce} of ${attempts} attempts were bought once and ${boughtTwice} twice`,
      boughtTwice === 0 && boughtOnce === attempts,
    ),
    check(`${brokenInvariants.length} broken invariants`, brokenInvariants.length === 0),
    check(`forged callbacks were answered ${JSON.stringify(forged)}`, refused),
    check(
      `p99 ${quiet.toFixed(0)} ms without forged callbacks, ${flooded.toFixed(0)} ms with (at most ${MOST_FLOODED_RATIO} times)`,
      flooded <= quiet * MOST_FLOODED_RATIO,
    ),
    check(
      `the web process grew by ${slope.toFixed(2)} MB a minute (at most ${MOST_MB_A_MINUTE})`,
      slope <= MOST_MB_A_MINUTE,
    ),
    check(`${complaints.length} lines at level error`, complaints.length === 0),
  ];
}
