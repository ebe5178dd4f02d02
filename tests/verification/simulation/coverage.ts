import type { Database, JournalRow } from './memory/tables.ts';

/**
 * The coverage goals: what every run must have seen at least once. Each item of the list in
 * docs/invariants.md has a counter.
 */
export const LISTED = {
  'crash between SENT and the answer': ['crash between SENT and the answer'],
  'UNCONFIRMED resolved by callback, by list, and LOST': [
    'UNCONFIRMED resolved by callback',
    'UNCONFIRMED resolved by list',
    'UNCONFIRMED and LOST',
  ],
  'attempt 2 succeeding': ['attempt 2 succeeding'],
  'stale epoch refused': ['stale epoch refused'],
  'duplicate webhook ignored': ['duplicate webhook ignored'],
  'sweep re-delivering after FLUSHALL': ['sweep re-delivering after FLUSHALL'],
  'quarantine entered and left': ['quarantine entered', 'quarantine left'],
  'cancel in SENT': ['cancel in SENT'],
  'cancel during the put': ['cancel during the put'],
  'a result losing to a cancel': ['a result losing to a cancel'],
  'a result losing to another live variant': ['a result losing to another live variant'],
} as const;
/** Goals for the faults and invariants that were added to the list later. */
const ALSO = [
  'lease taken over from a living holder',
  'renewal that skips a locked row',
  'poll answered by the list',
  'query without an answer',
  'worker that crashes in a loop',
  'worker with a wrong clock',
  'crash counted against a job',
  'job failed by crashes',
  'picture of a group alone',
  'picture with a second input',
  'second input dropped before the purchase',
  'second input gone before the provider read it',
  'picture withdrawn',
  'picture withdrawn by reports',
  'withdrawal by reports that stands',
  'withdrawal lifted',
  'photo submitted again beside its withdrawn picture',
  'withdrawal that stands after a new submission',
  'approval refused because another room is shown',
  'decoder lost',
  'write that Redis refuses',
  'standby promoted',
  'standby promoted before it knew a trusted server',
  'claim forgotten by a promoted server',
  'purchase given to its job after a failover',
  'purchase that no job wants after a failover',
  'claim that the list disproves',
  'first server back on its own disk',
  'silent server compared',
  'claim not confirmed by a standby',
  'decision refused because no standby has it',
  'decision forgotten in a gap',
  'refused picture collected for an operator',
  'refused picture left because its photo was submitted again',
  'collected picture lost, and nothing bought again',
] as const;
export const MUST_SEE = [...Object.values(LISTED).flat(), ...ALSO];
export type CoverageGoal = (typeof MUST_SEE)[number];
export type CoverageCounts = Record<CoverageGoal, number>;

export interface Coverage {
  see(what: CoverageGoal, times?: number): void;
  /** Remembers an observation that a coverage goal needs later. */
  note(fact: 'collecting', subject: string): void;
  /** Counts, with those that only the finished journal shows. */
  counts(database: Database): CoverageCounts;
}

export const noCoverage = (): CoverageCounts =>
  Object.fromEntries(MUST_SEE.map((what) => [what, 0])) as CoverageCounts;

export function createCoverage(): Coverage {
  const counts = noCoverage();
  const collecting = new Set<string>();
  return {
    see: (what, times = 1) => {
      counts[what] += times;
    },
    note: (_fact, subject) => void collecting.add(subject),
    counts(database) {
      const total = { ...counts };
      for (const row of database.journal) {
        const seen = fromRow(row, database, collecting);
        if (seen !== null) total[seen] += 1;
      }
      for (const { state, context } of database.tables.providerAttempt.values())
        if (state === 'SUCCEEDED' && context.attemptNumber === 2) total['attempt 2 succeeding'] += 1;
      return total;
    },
  };
}

function fromRow(row: JournalRow, database: Database, collecting: Set<string>): CoverageGoal | null {
  if (row.kind === 'providerAttempt') return fromAttempt(row, database, collecting);
  return row.kind === 'imageReview' ? fromImage(row) : fromJob(row);
}

function fromImage({ event }: JournalRow): CoverageGoal | null {
  if (event.type === 'LIFT') return 'withdrawal lifted';
  if (event.type !== 'WITHDRAW') return null;
  return 'by' in event && event.by === 'REPORTS' ? 'picture withdrawn by reports' : 'picture withdrawn';
}

function fromJob({ kind, event, to }: JournalRow): CoverageGoal | null {
  // Attempt 2 would follow, had the picture not been refused before.
  const isFirst = 'attemptNumber' in event && event.attemptNumber === 1;
  if (kind === 'stagingJob' && isFirst && to === 'FAILED' && 'retryable' in event && event.retryable)
    return 'collected picture lost, and nothing bought again';
  if (event.type !== 'RUNNER_CRASHED') return null;
  return to === 'FAILED' ? 'job failed by crashes' : 'crash counted against a job';
}

function fromAttempt(row: JournalRow, database: Database, collecting: Set<string>): CoverageGoal | null {
  const { from, to } = row;
  const { type } = row.event;
  if (from === 'UNCONFIRMED' && to !== from) {
    if (type === 'CALLBACK_RECEIVED') return 'UNCONFIRMED resolved by callback';
    if (type === 'PREDICTION_FOUND') return 'UNCONFIRMED resolved by list';
    if (to === 'LOST') return 'UNCONFIRMED and LOST';
  }
  if (type === 'CANCEL' && from === 'SENT') return 'cancel in SENT';
  if (type === 'CANCEL' && from === 'COLLECTING') {
    const key = database.tables.providerAttempt.get(row.id)?.context.objectKey ?? '';
    return collecting.has(key) ? 'cancel during the put' : null;
  }
  if (to === 'DISCARDED' && type === 'OUTPUT_STORED') return 'a result losing to another live variant';
  if (to === 'DISCARDED') return 'a result losing to a cancel';
  return null;
}
