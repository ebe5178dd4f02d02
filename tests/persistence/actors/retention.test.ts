import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isFinalState } from '../../../machines/step.ts';
import { askRows } from '../../../ops/invariants/ask-rows.ts';
import { ACTOR_KINDS } from '../../../persistence/actors/actor-kinds.ts';
import { RETAINED, type Retained, removeBatch } from '../../../persistence/actors/retention.ts';
import { createRetention } from '../../../src/worker/retention.ts';
import { useStoreDatabase } from '../../support/database/store-database.ts';
import { eventually } from '../../support/eventually.ts';
import { createManualTime } from '../../support/manual-time.ts';
import { JobDriver, openTestRuntime } from '../../support/worlds/job-driver.ts';
import { type Life, liveThroughIt } from '../../support/worlds/life.ts';
import { createRecordingReporter, everyTurn } from '../../support/worlds/recording-ports.ts';

const database = useStoreDatabase();
const DAY = 86_400_000;

const count = async (from: string): Promise<number> =>
  Number((await database.pool.query(`select count(*) from ${from}`)).rows[0]?.count);
const broken = async () =>
  (await askRows(database.pool, { when: 'both', replay: true, at: Date.now(), timeoutMs: 30_000 })).filter(
    ({ outcome }) => outcome === 'broken' || outcome === 'unanswered',
  );
/** Deletes in small batches, as the sweeper does; returns the number of deleted rows. */
async function removeAll(what: Retained, before: number, limit = 7): Promise<number> {
  for (let total = 0; ; ) {
    const { removed, finished } = await removeBatch(database.pool, { what, before, limit });
    total += removed;
    if (finished) return total;
  }
}
const forget = () =>
  database.pool.query(
    `update retention_cuts set before = '-infinity', "walkedAt" = '-infinity', "walkedId" = 0`,
  );

/** Old messages that were answered so many days ago. */
const answered = (name: string, daysOld: number, rows = 1) =>
  database.pool.query(
    `insert into legacy_messages ("messageKey", disposition, "answeredAt")
     select $1 || n, 'original-gone', now() - $2 * interval '1 day' from generate_series(1, $3::int) n`,
    [name, daysOld, rows],
  );
/** A session and a sign-in code that expired so many days ago. */
const expired = async (name: string, daysAgo: number): Promise<void> => {
  await database.pool.query(
    `with person as (insert into "user" (name, email) values ('', $1 || '@example.com') returning id)
     insert into session (token, "userId", "expiresAt")
     select $1::text, id, now() - $2 * interval '1 day' from person`,
    [name, daysAgo],
  );
  await database.pool.query(
    `insert into sign_in_codes (email, holder, network, "codeHash", "askedAt", "expiresAt")
     values ($1 || '@example.com', '', '', '', now(), now() - $2 * interval '1 day')`,
    [name, daysAgo],
  );
  await database.pool.query(
    `insert into console_sign_outs ("sessionId", "endsAt") values ($1, now() - $2 * interval '1 day')`,
    [randomUUID(), daysAgo],
  );
};

describe('months of work', () => {
  let life: Life;
  beforeAll(async () => {
    await database.clear();
    await forget();
    life = await liveThroughIt(database);
    await database.pool.query(
      `insert into ai_job_traces ("aiJobId", "leaseEpoch", traceparent, "createdAt")
       select id, 1, '00-' || repeat('a', 32) || '-' || repeat('b', 16) || '-01', now() - interval '40 days'
       from ai_jobs`,
    );
    await answered('old', 40);
    await expired('old', 40);
    await expired('live', -1);
    await database.pool.query(
      `insert into idempotency_keys ("userId", operation, key, "inputHash", claim, "expiresAt", "propertyIds",
         answer, "createdAt")
       select id, 'properties.create', 'k', 'h', id, now(), '{}', '{}', now() - interval '2 days' from "user"`,
    );
    await database.pool.query(
      `insert into agent_job_counts ("agentId", hour, jobs)
       select id, now() - n * interval '1 hour', 1 from "user", generate_series(96, 110) n`,
    );
    await database.pool.query(
      `insert into listing_offers
         ("propertyId", kind, "fromAgentId", "toAgentId", status, "createdAt", "expiresAt", "endedAt")
       select p.id, 'OWNERSHIP', p."ownerAgentId", u.id, status, now() - interval '200 days',
         now() - interval '186 days', now() - interval '190 days'
       from (select id, "ownerAgentId" from properties limit 1) p,
         lateral (select id from "user" where id <> p."ownerAgentId" limit 1) u,
         unnest(array['DECLINED', 'WITHDRAWN', 'EXPIRED']) status`,
    );
    await database.pool.query(
      `insert into growth_counts ("userId", what, about, since, used)
       select id, 'photos', id, now() - n * interval '1 day', 1 from "user", generate_series(0, 5) n`,
    );
    await database.pool.query(
      `insert into platform_job_counts (day, jobs, "unapprovedJobs") values (now() - interval '5 days', 9, 0)`,
    );
    await database.pool.query(
      `insert into agent_invitations (email, "officeName", locale, by, reason, "createdAt", "expiresAt")
       values ('late@example.com', 'Office', 'en', 'ada', 'A new agent.', now() - interval '60 days',
         now() - interval '46 days')`,
    );
    await database.pool.query(
      `insert into listing_views ("propertyId", day, views)
       select id, now() - interval '5 days', 3 from properties limit 1`,
    );
    await database.pool.query(
      `with hook as (
         insert into webhook_endpoints (id, url, events, secret, "createdAt")
         values (gen_random_uuid(), 'https://hooks.example.com/1', '{tour.requested}', 'sealed', now()) returning id)
       insert into webhook_deliveries ("endpointId", event, "createdAt", "nextAttemptAt")
       select id, 'webhook.test', now() - interval '40 days', now() from hook`,
    );
    await database.pool.query(
      `insert into data_reports (id, "propertyId", subject, note, "createdAt")
       select gen_random_uuid(), id, 'PRICE', 'It is lower.', now() - interval '200 days' from properties limit 1`,
    );
    await database.pool.query(
      `insert into host_checks (email, "requestedAt") values ('ada@example.com', now() - interval '5 days')`,
    );
    await database.pool.query(
      `insert into published_records (resource, key, seq, "modifiedAt", "goneAt")
       values ('Media', gen_random_uuid(), 0, to_timestamp(0), now() - interval '100 days')`,
    );
    await database.pool.query(`
      with person as (select id from "user" where email is not null limit 1), home as (select id from properties limit 1),
        event as (
          insert into alert_events ("propertyId", kind, "isCut", "isBulk", seq, "matchedAt")
          select id, 'SOLD', false, false, 1000000, now() - interval '40 days' from home returning id),
        search as (
          insert into saved_searches (id, "userId", name, filters, "filtersHash", sort, cadence, channels, "createdAt",
            "seenSeq", "runSeq")
          select gen_random_uuid(), id, 'Town', '{}', 'h', 'NEWEST', 'NONE', '{MAIL}', now(), 0, 0 from person
          returning id),
        alert as (
          insert into alerts (id, "userId", items, more, "createdAt")
          select gen_random_uuid(), id, '[{}]', 0, now() - interval '40 days' from person returning id),
        matched as (
          insert into search_matches ("searchId", "propertyId", "eventId", kind, "createdAt", "dueAt", "alertId")
          select search.id, home.id, event.id, 'NEW', now() - interval '40 days', now() - interval '40 days',
            gen_random_uuid()
          from search, home, event)
      insert into favorite_matches ("userId", "propertyId", "eventId", kind, "createdAt", "dueAt", "alertId")
      select person.id, home.id, event.id, 'SOLD', now() - interval '40 days', now() - interval '40 days', alert.id
      from person, home, event, alert`);
  });

  test('finished actors are removed whole, all others keep every journal line, and every invariant holds', async () => {
    expect(await broken()).toEqual([]);
    const before = Date.now();
    for (const what of RETAINED) expect(await removeAll(what, before)).toBeGreaterThan(0);

    const { rows } = await database.pool.query<{ kind: string; id: string; state: string; at: number }>(
      `select distinct on ("actorKind", "actorId") "actorKind" as kind, "actorId" as id, "toState" as state,
         extract(epoch from at) * 1000 as at
       from actor_transitions order by "actorKind", "actorId", seq desc`,
    );
    for (const { kind, state } of rows)
      expect([
        kind,
        state,
        kind !== 'tour' && isFinalState(ACTOR_KINDS[kind as keyof typeof ACTOR_KINDS].machine, state),
      ]).toEqual([kind, state, false]);
    const kept = new Set(rows.map(({ id }) => id));
    for (const id of Object.values(life.tours)) expect(kept).toContain(id);
    for (const name of ['running', 'backingOff', 'switchedOff'] as const)
      expect(kept).toContain(life.jobs[name]);
    expect(kept).toContain(life.images.approved);
    for (const name of ['approved', 'canceled', 'secondTry'] as const)
      expect(kept).not.toContain(life.jobs[name]);
    expect(await count('ai_provider_webhook_receipts')).toBe(0);
    expect(await count(`storage_deletion_outbox where status = 'DELETED'`)).toBe(0);
    expect(await count(`storage_deletion_outbox where id = '${life.deletions.due}'`)).toBe(1);
    expect(await count('ai_job_traces')).toBe(0);
    expect(await count('legacy_messages')).toBe(0);
    for (const table of ['session', 'sign_in_codes', 'console_sign_outs']) expect(await count(table)).toBe(1);
    expect(await count('idempotency_keys')).toBe(0);
    expect(await count('agent_job_counts')).toBe(0);
    expect(await count('platform_job_counts')).toBe(0);
    expect(await count('growth_counts')).toBe(0);
    expect(await broken()).toEqual([]);
  });

  test('a journal that was lost before its age limit is still reported', async () => {
    await database.pool.query(`update retention_cuts set before = '2020-01-01' where what = 'journal'`);
    const found = await broken();
    expect(found.map(({ id }) => id)).toEqual(['I8', 'I9']);
    expect(found[0]?.lines.join()).toContain(life.jobs.approved);
  });
});

describe('an actor', () => {
  const now = Date.now();
  beforeEach(async () => {
    await database.clear();
    await forget();
  });
  /** Writes a journal of one actor; each line is so many days old. */
  const journal = async (kind: string, states: readonly [string, number][], id = randomUUID() as string) => {
    for (const [index, [state, daysOld]] of states.entries())
      await database.pool.query(
        `insert into actor_transitions ("actorKind", "actorId", seq, "eventType", event, "toState", at, "actedBy")
         values ($1, $2, $3, 'X', '{}', $4, $5, 'test')`,
        [kind, id, index + 1, state, new Date(now - daysOld * DAY)],
      );
    return id;
  };
  const linesOf = (id: string) => count(`actor_transitions where "actorId" = '${id}'`);

  test('is removed when its last journal line is too old, even if that line came after its end', async () => {
    const over = await journal('stagingJob', [
      ['PROCESSING.ATTEMPT', 410],
      ['SUCCESS', 405],
    ]);
    const late = await journal('providerAttempt', [
      ['RUNNING', 410],
      ['LOST', 405],
      ['LOST', 399],
    ]);
    const young = await journal('stagingJob', [
      ['PROCESSING.ATTEMPT', 410],
      ['SUCCESS', 390],
    ]);
    const { jobId } = await JobDriver.open(openTestRuntime(database));
    const waiting = await journal('stagingJob', [['PENDING.PROVIDER_DISABLED', 500]], jobId);
    const tour = await journal('tour', [['EXPIRED', 900]]);
    await removeAll('journal', now - 400 * DAY);
    expect(await Promise.all([over, late, young, waiting, tour].map(linesOf))).toEqual([0, 3, 2, 1, 1]);
    await removeAll('journal', now - 395 * DAY);
    expect(await Promise.all([late, young].map(linesOf))).toEqual([0, 2]);
    await removeAll('journal', now - 380 * DAY);
    expect(await Promise.all([young, waiting, tour].map(linesOf))).toEqual([0, 1, 1]);
  });

  test('is over when its row is gone, whatever state its last line has', async () => {
    const image = await journal('imageReview', [['PENDING_REVIEW', 410]]);
    await removeAll('journal', now - 400 * DAY);
    expect(await linesOf(image)).toBe(0);
  });

  test('the sweeper keeps tables without an age limit, and counts what it removes', async () => {
    const jobId = await journal('stagingJob', [['CANCELED', 500]]);
    await database.pool.query(
      `insert into ai_provider_webhook_receipts ("webhookId", "providerAttemptId", "receivedAt", outcome)
       select 'old' || n, gen_random_uuid(), now() - interval '31 days', 'IGNORED'::ai_webhook_outcome from generate_series(1, 450) n
       union all select 'young' || n, gen_random_uuid(), now() - interval '29 days', 'IGNORED'::ai_webhook_outcome from generate_series(1, 5) n`,
    );
    await answered('old', 31, 210);
    await answered('young', 29, 3);
    await expired('today', 0.9);
    await expired('before', 1.1);
    const time = createManualTime(now);
    const reporter = createRecordingReporter();
    const retention = createRetention({
      database,
      clock: time,
      timers: time,
      reporter,
      inTurn: everyTurn,
      timings: { retentionMs: 60_000 },
      config: {
        retentionDays: {
          receipts: 30,
          messages: 30,
          outbox: 30,
          traces: 30,
          journal: 0,
          sessions: 1,
          signInCodes: 1,
          consoleSignOuts: 1,
        },
      },
    });
    await retention.start();
    await eventually(
      () => {
        if (time.sleeping().includes(60_000)) return true;
        time.advanceToNextWake();
        return false;
      },
      { what: 'the end of a sweep', intervalMs: 5 },
    );
    expect(await count('ai_provider_webhook_receipts')).toBe(5);
    expect(await linesOf(jobId)).toBe(1);
    expect(await count('legacy_messages')).toBe(3);
    expect(reporter.counts).toEqual({ expired_rows_removed: 450 + 210 + 3 });
    for (const table of ['session', 'sign_in_codes', 'console_sign_outs']) expect(await count(table)).toBe(1);
    await retention.stop(AbortSignal.timeout(0));
  });
});
