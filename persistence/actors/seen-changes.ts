import type { Pool, QueryConfig } from 'pg';
import { toDate } from '../database/instants.ts';
import { prepared } from '../database/prepared.ts';
import { isAttemptAsSeen, variantExists } from './actor-statements.ts';
import type { SeenChange } from './actor-store.ts';
import { statementOf } from './actor-writes.ts';
import { INSERT_JOURNAL, journalParameters, journalValues } from './journal.ts';
import { takePlace } from './start-rate.ts';

/**
 * All that follows from one event of a job, in one statement and one commit. Always true: all or nothing. The locks are
 * taken in the order of the locking path, because each write waits for the one before: job, then the writes as they
 * are given. Only the first can find that someone was faster; then nothing else is written. Should a later one write
 * nothing, its journal row has no kind, which the table refuses, and with it the whole statement.
 */

/** @returns `ActorStore.writeAsSeen` */
export function createSeenChanges(pool: Pool): (change: SeenChange) => Promise<boolean> {
  return async (change) => {
    const { rowCount } = await pool.query(changeQuery(change));
    return rowCount === change.writes.length;
  };
}

const has = (name: string): string => `EXISTS (SELECT FROM ${name})`;

function changeQuery({ seen, underLease, writes, startsPerMinute, noVariantOf }: SeenChange): QueryConfig {
  const { job } = seen;
  const values: unknown[] = [job.id, job.version, underLease?.owner ?? null, underLease?.epoch ?? null];
  const add = (...more: unknown[]): string => `$${values.push(...more)}`;
  const unless =
    noVariantOf === null
      ? ''
      : `AND NOT ${variantExists(add(noVariantOf.originalImageId), add(noVariantOf.style))}`;
  const asSeen = writes.flatMap(({ actor, write, entry }) =>
    write === 'save' && actor.kind === 'providerAttempt'
      ? `AND EXISTS (SELECT FROM ai_provider_attempts t WHERE t.id = ${add(actor.id)}
          AND ${isAttemptAsSeen(add(entry.from), add(toDate(actor.context.sentAt)))})`
      : [],
  );
  const parts = [
    `held AS (SELECT FROM ai_jobs WHERE id = $1 AND version = $2
      AND ($3::text IS NULL OR ("leaseOwner" = $3 AND "leaseEpoch" = $4)) ${[unless, ...asSeen].join(' ')} FOR UPDATE)`,
  ];
  const perMinute = startsPerMinute === null ? null : add(startsPerMinute);
  if (perMinute !== null) parts.push(takePlace(perMinute, has('held')));
  for (const [index, one] of writes.entries()) {
    const before = index > 0 ? `moved${index - 1}` : perMinute === null ? 'held' : 'used';
    const { sql, values: own } = statementOf(one, has(before));
    const shift = values.length;
    parts.push(
      sql
        .replaceAll(/\$(\d+)/g, (_, place) => `$${Number(place) + shift}`)
        .replaceAll(/\b(moved|result)\b/g, `$1${index}`),
    );
    add(...own);
  }
  const journal = writes.map(({ entry }, index) => {
    const [kind, id, seq, type, event, ...others] = journalParameters(values.length);
    add(...journalValues(entry));
    const started =
      perMinute === null || index > 0
        ? ''
        : ` || (SELECT jsonb_build_object('started', jsonb_build_object('at', at, 'perMinute', ${perMinute}::int)) FROM used)`;
    const written = `CASE WHEN ${has(`moved${index}`)} THEN ${kind} END`;
    return `SELECT ${[written, id, seq, type, `${event}${started}`, ...others].join(', ')} WHERE ${has('moved0')}`;
  });
  return prepared(`WITH ${parts.join(', ')} ${INSERT_JOURNAL} ${journal.join(' UNION ALL ')}`, values);
}
