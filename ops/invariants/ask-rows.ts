import type { Pool } from 'pg';
import { type Look, look } from '../../persistence/console/invariant-queries.ts';
import {
  FAILED_DELETIONS,
  JOBS_SWITCHED_OFF,
  QUARANTINED_JOBS,
} from '../../persistence/console/invariant-sql.ts';
import { INVARIANTS } from './catalogue.ts';
import { livePages } from './live-state.ts';
import type { Invariant } from './pipeline-state.ts';
import { judged, MAX_LINES, unanswered, type Verdict } from './verdict.ts';

/** Which invariants: those that always hold, those that hold at rest, or both. */
export type When = Invariant['when'] | 'both';

export const isAsked = ({ when }: Pick<Invariant, 'when'>, asked: When): boolean =>
  asked === 'both' || when === asked;

/** Not a breach, but an operator must act before it continues (I27). */
const WAITING = [
  {
    id: 'I27',
    sentence: 'Jobs that were quarantined wait for a person to release them (npm run ops -- release-job).',
    sql: QUARANTINED_JOBS,
  },
  {
    id: 'I27b',
    sentence: 'Failed deletions wait for a person (npm run ops -- outbox list).',
    sql: FAILED_DELETIONS,
  },
  {
    id: 'I26b',
    sentence: 'Jobs wait until purchases are switched on (flag and pause switch).',
    sql: JOBS_SWITCHED_OFF,
  },
] as const;

export interface Asking {
  readonly when: When;
  /** Whether every journal is replayed (I9). */
  readonly replay: boolean;
  readonly at: number;
}

/** Checks the rows of a live database, all at one instant; writes nothing. */
export const askRows = (pool: Pool, options: Asking & { timeoutMs: number }): Promise<Verdict[]> =>
  look(pool, options, (rows) => askThrough(rows, options));

export async function askThrough(rows: Look, { when, replay, at }: Asking): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const invariant of INVARIANTS) {
    if (!isAsked(invariant, when)) continue;
    if (invariant.sql !== null) verdicts.push(await askOne(rows, invariant, invariant.sql));
    else if (replay && invariant.id === REPLAY) verdicts.push(await replayAll(rows, invariant, at));
  }
  for (const waiting of WAITING) {
    const verdict = await askOne(rows, waiting, waiting.sql);
    verdicts.push(verdict.outcome === 'broken' ? { ...verdict, outcome: 'waiting' } : verdict);
  }
  return verdicts;
}

/** The only invariant without a query that the rows can decide: it needs the machines. */
const REPLAY = 'I9';

type Offender = { id: string; sentence: string };

const answered = (
  question: Offender,
  answer: Promise<{ lines: string[]; count: number }>,
): Promise<Verdict> =>
  answer.then(
    (given) => judged(question, given),
    (error: unknown) => unanswered(question, error),
  );

const askOne = (rows: Look, question: Offender, sql: string): Promise<Verdict> =>
  answered(question, rows.ask(sql, MAX_LINES));

const replayAll = (rows: Look, invariant: Invariant, at: number): Promise<Verdict> =>
  answered(
    invariant,
    rows.apart(async () => {
      const lines: string[] = [];
      let count = 0;
      for await (const page of livePages(rows, { at })) {
        const breaches = invariant.breaches(page);
        count += breaches.length;
        if (lines.length < MAX_LINES) lines.push(...breaches);
      }
      return { lines, count };
    }),
  );
