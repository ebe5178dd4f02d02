import { randomUUID } from 'node:crypto';
import pg, { type Pool } from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { LOCK_DUE_DELETIONS, LOCK_EXPIRED_DELETIONS } from '../../../persistence/actors/actor-statements.ts';
import { createPostgresLeases } from '../../../persistence/actors/postgres-leases.ts';
import { RETAINED, removeBatch } from '../../../persistence/actors/retention.ts';
import { readBacklog } from '../../../persistence/console/backlog.ts';
import { noteEstimates } from '../../../persistence/console/cost-estimates.ts';
import { countQuarantined, nodesSeen } from '../../../persistence/console/overview.ts';
import { NO_STAGING_LIMITS, readStanding, stagingQuota } from '../../../persistence/jobs/staging-quotas.ts';
import { nextStartOrder } from '../../../persistence/jobs/start-order.ts';
import { dueTours } from '../../../persistence/listings/tour-queries.ts';
import { useStoreDatabase } from '../../support/database/store-database.ts';
import { type WatchedPlan, watchPlans } from '../../support/database/watched-plans.ts';

/**
 * I34: the cost of a sweep does not grow with the number of finished jobs. Every periodic query of a worker
 * and of the operator's overview runs on an old and busy installation.
 */
const FINISHED = 1_000_000;
const WAITING = 10_000;
const OTHERS = 200_000;
/** One page and the pages next to it. */
const PAGE = 500;
const MAX_MS = 20;
const BUSY_AGENT = randomUUID();

const database = useStoreDatabase();
beforeAll(async () => {
  await seed(database.url);
}, 400_000);

/** Triggers and foreign keys are off: only the number of rows matters here. */
async function seed(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`set session_replication_role = replica`);
    await client.query(
      `insert into ai_jobs (type, status, "dedupeKey", "createdAt", "updatedAt", version, "finishedAt", "heartbeatAt", "requestedByUserId")
       select (array['ROOM_STAGING', 'DESCRIPTION'])[1 + n % 2]::ai_job_type,
         (array['SUCCESS', 'FAILED', 'CANCELED'])[1 + n % 3]::ai_job_status, 'f' || n,
         now() - n * interval '10 seconds', now(), 5, now(), now(), $2
       from generate_series(1, $1::int) n`,
      [FINISHED, BUSY_AGENT],
    );
    // All rows belong to one agent, who has 100 jobs in progress.
    await client.query(
      `insert into "user" (id, name, email, role, "createdAt") values ($1, 'Bea', 'b@example.com', 'agent', 'epoch')`,
      [BUSY_AGENT],
    );
    await client.query(
      `insert into agent_job_counts ("agentId", hour, jobs)
       select agent, date_trunc('hour', now()) - n * interval '1 hour', 9
       from generate_series(0, 71) n,
         (select $1::uuid union all select gen_random_uuid() from generate_series(1, 1000)) agents (agent)`,
      [BUSY_AGENT],
    );
    await client.query(
      `insert into platform_job_counts (day, jobs, "unapprovedJobs")
       select date_trunc('day', now(), 'UTC') - n * interval '1 day', 999, 9 from generate_series(0, 3) n`,
    );
    await client.query(
      `insert into ai_jobs (type, status, phase, "dedupeKey", "createdAt", "updatedAt", "startOrder", "requestedByUserId")
       select 'ROOM_STAGING', 'PENDING', 'QUEUED', 'p' || n, now() - n * interval '1 second', now(), n,
         case when n <= 100 then $2 else gen_random_uuid() end
       from generate_series(1, $1::int) n`,
      [WAITING, BUSY_AGENT],
    );
    await client.query(
      `insert into ai_jobs (type, status, phase, "dedupeKey", "createdAt", "updatedAt", "heartbeatAt", "leaseOwner", "leaseExpiresAt")
       select 'ROOM_STAGING', 'PROCESSING', 'ATTEMPT', 'r' || n, now() - interval '1 hour', now(),
         now() - (case when n = 1 then interval '1 hour' else interval '1 second' end), 'worker',
         now() + (case when n = 1 then interval '-1 hour' else interval '1 minute' end)
       from generate_series(1, 32) n`,
    );
    await client.query(
      `insert into ai_provider_attempts ("aiJobId", "attemptNumber", status, "sentAt", "providerPredictionId", "costKind", "costMicrousd", "createdAt")
       select gen_random_uuid(), 1, 'CANCELED', now() - n * interval '0.2 seconds', 'p' || n, 'estimate', 1, now()
       from generate_series(1, $1::int) n`,
      [OTHERS],
    );
    await client.query(
      `insert into storage_deletion_outbox ("objectKey", reason, status, "createdAt", "processedAt")
       select 'k' || n, 'STAGED_IMAGE_DELETED', 'DELETED', now() - n * interval '1 minute', now()
       from generate_series(1, $1::int) n`,
      [OTHERS],
    );
    // Every look-up has failed once.
    await client.query(
      `insert into photo_checks ("imageId", "propertyId", "createdAt", "nextTryAt", "ownerAgentId", turn, tries)
       select gen_random_uuid(), gen_random_uuid(), now(), now() + interval '1 minute', gen_random_uuid(), n, 1
       from generate_series(1, $1::int) n`,
      [WAITING],
    );
    // Rows without an age limit: the sweeper has run once.
    await client.query(
      `insert into actor_transitions ("actorKind", "actorId", seq, "eventType", event, "toState", at, "actedBy")
       select 'tour', gen_random_uuid(), 1, 'X', '{}', 'EXPIRED', now() - interval '500 days', 'test'
       from generate_series(1, $1::int)`,
      [OTHERS],
    );
    await client.query(
      `update retention_cuts set "walkedAt" = now() - interval '400 days' where what = 'journal'`,
    );
    for (const table of [
      'actor_transitions',
      'agent_job_counts',
      'ai_jobs',
      'ai_provider_attempts',
      'photo_checks',
      'storage_deletion_outbox',
    ])
      await client.query(`vacuum analyze ${table}`);
  } finally {
    await client.end();
  }
}

/** The fastest of a few runs, so that other load on the machine does not count. */
async function cheapest(ask: (pool: Pool) => Promise<unknown>): Promise<WatchedPlan[]> {
  let best: WatchedPlan[] = [];
  for (let round = 0; round < 5; round += 1) {
    const { pool, plans } = watchPlans(database.pool);
    await ask(pool);
    if (best.length === 0 || msOf(plans) < msOf(best)) best = plans;
  }
  return best;
}
const msOf = (plans: readonly WatchedPlan[]) => plans.reduce((sum, { ms }) => sum + ms, 0);

const at = Date.now();
const due = { at, enabled: true, createdBefore: at, limit: PAGE };
const patience = { at, pendingMs: 300_000, activeMs: 120_000, retryingMs: 300_000 };
const staging = (pool: Pool) => createPostgresLeases(pool, 'ROOM_STAGING');

interface Question {
  what: string;
  ask(pool: Pool): Promise<unknown>;
  /** Rows that it may read. */
  most: number;
}
const QUESTIONS: Question[] = [
  {
    what: 'the oldest page of due jobs',
    ask: (pool) => staging(pool).dueJobs({ ...due, afterId: null }),
    most: 2 * PAGE + 10,
  },
  {
    what: 'a page of due jobs in the middle',
    ask: async (pool) => {
      const { rows } = await database.pool.query<{ id: string }>(
        `select id from ai_jobs where status = 'PENDING' order by "createdAt" offset $1 limit 1`,
        [WAITING / 2],
      );
      return staging(pool).dueJobs({ ...due, afterId: rows[0]?.id ?? null });
    },
    // One run's plan read every job that waits three times; nothing that is over was read.
    most: 3 * WAITING + 200,
  },
  {
    what: 'due descriptions, of which there are none',
    ask: (pool) => createPostgresLeases(pool, 'DESCRIPTION').dueJobs({ ...due, afterId: null }),
    most: 10,
  },
  {
    what: 'the place of a new job in the order of starts',
    ask: (pool) => pool.query(`select ${nextStartOrder('$1::uuid')}`, [randomUUID()]),
    most: 10,
  },
  {
    what: 'the place of a new job without an agent, while others wait',
    ask: (pool) => pool.query(`select ${nextStartOrder('$1::uuid')}`, [null]),
    most: 10,
  },
  {
    what: 'orphans',
    ask: (pool) => staging(pool).orphanedJobs({ limit: PAGE, at, enabled: true }),
    most: 100,
  },
  {
    what: 'orphans while starts are off',
    ask: (pool) => staging(pool).orphanedJobs({ limit: PAGE, at, enabled: false }),
    most: 100,
  },
  { what: 'the stale alarm', ask: (pool) => staging(pool).staleJobs(patience), most: 1_000 },
  { what: 'the gauges of what waits', ask: (pool) => readBacklog(pool, at), most: 3 * WAITING + 200 },
  {
    what: 'purchases without an estimate',
    ask: (pool) =>
      noteEstimates(pool, {
        prices: { medium: 1 },
        kind: 'estimate',
        sentSince: at - 86_400_000,
        limit: PAGE,
      }),
    most: 10,
  },
  {
    what: 'due tours',
    ask: (pool) => dueTours(pool, { at, outcomePatienceMs: 0, afterId: null, limit: 200 }),
    most: 10,
  },
  {
    what: 'due deletions',
    ask: async (pool) => {
      await pool.query(LOCK_EXPIRED_DELETIONS, [new Date(at), 20]);
      await pool.query(LOCK_DUE_DELETIONS, [new Date(at), 20]);
    },
    most: 10,
  },
  {
    what: 'what is kept no longer, of which there is nothing',
    ask: async (pool) => {
      for (const what of RETAINED)
        await removeBatch(pool, {
          what,
          before: at - (what === 'journal' ? 400 : 30) * 86_400_000,
          limit: 200,
        });
    },
    // The cuts themselves.
    most: 40,
  },
  {
    what: 'the turn of an uploaded photo, after all look-ups have failed',
    ask: async (pool) => {
      const { rows } = await database.pool.query<{ turns: string[] }>(
        `select regexp_matches(prosrc, '\\((select (?:min|max)\\(turn\\)[^)]*)\\)', 'g') as turns
         from pg_proc where proname = 'property_images_begin_check'`,
      );
      expect(rows).toHaveLength(2);
      for (const { turns } of rows)
        await pool.query(
          (turns[0] ?? '').replace('of_owner', '$1::uuid'),
          turns[0]?.includes('of_owner') ? [randomUUID()] : [],
        );
    },
    most: 10,
  },
  {
    what: "the overview's workers and quarantined jobs",
    ask: async (pool) => {
      await nodesSeen(pool, { hash: 'h', since: at, limit: 10 });
      await countQuarantined(pool);
    },
    most: 100,
  },
  {
    what: "what is left of an agent's quota, which each submission asks",
    ask: async (pool) => {
      const standing = await readStanding(pool, BUSY_AGENT);
      if (standing === null) throw new Error('no agent');
      const { openJobs } = await stagingQuota(pool, { standing, limits: NO_STAGING_LIMITS, at });
      expect(openJobs.used).toBe(100);
    },
    // The open jobs, the hours of a day, the person.
    most: 200,
  },
];

describe(`beside ${FINISHED} finished jobs and ${WAITING} that wait`, () => {
  test.each(QUESTIONS)('$what: uses an index and takes less than 20 ms', async ({ ask, most }) => {
    const plans = await cheapest(ask);
    const big = [
      'agent_job_counts',
      'ai_jobs',
      'ai_provider_attempts',
      'storage_deletion_outbox',
      'actor_transitions',
    ];
    expect(plans.flatMap(({ walked }) => walked.filter((table) => big.includes(table)))).toEqual([]);
    const rowsRead = plans.reduce((sum, plan) => sum + plan.rowsRead, 0);
    expect(rowsRead).toBeLessThanOrEqual(most);
    expect(msOf(plans)).toBeLessThan(MAX_MS);
  });

  test('a job without heartbeat is found behind ten thousand jobs that wait too long', async () => {
    const stale = await staging(database.pool).staleJobs(patience);
    expect(stale.filter(({ status }) => status === 'PROCESSING')).toHaveLength(1);
    expect(stale.filter(({ status }) => status === 'PENDING').length).toBeGreaterThan(20);
  });
});
