import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { materialiseLegacyMessage } from '../../../persistence/jobs/legacy-messages.ts';
import {
  NO_STAGING_LIMITS,
  readStanding,
  type StagingLimits,
  stagingQuota,
} from '../../../persistence/jobs/staging-quotas.ts';
import {
  type StagingSubmission,
  type SubmissionCall,
  submitStagingJobs,
} from '../../../persistence/jobs/staging-submissions.ts';
import { seedOriginal, seedProperty, seedUser, seedVariant } from '../../support/database/seed.ts';
import { useStoreDatabase, waitForBlocked } from '../../support/database/store-database.ts';

const database = useStoreDatabase();
beforeEach(() => database.clear());

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** 22:40, so that the hour and the day end soon. */
const AT = Date.UTC(2026, 10, 22, 22, 40);
const NEXT_HOUR = Date.UTC(2026, 10, 22, 23);
const NEXT_DAY = Date.UTC(2026, 10, 23);

const limits = (some: Partial<StagingLimits>): StagingLimits => ({ ...NO_STAGING_LIMITS, ...some });
const orderOf = (originalImageId: string, over: Partial<StagingSubmission> = {}): StagingSubmission => ({
  aiJobId: randomUUID(),
  originalImageId,
  requestedByUserId: null,
  at: AT,
  canonicalRoomType: 'OFFICE',
  canonicalStyle: 'MODERN',
  submittedStyle: 'MODERN',
  styleModifier: null,
  legacyStyle: null,
  prompt: 'p',
  promptVersion: 'v',
  providerModel: 'm',
  quality: 'medium',
  framing: 'fixed',
  aspectRatio: '1:1',
  outputFormat: 'jpeg',
  outputCompression: 92,
  ...over,
});

/** An agent with photos; the account is years old by default. */
async function agentWith(photos: number, standing: { since?: number; approved?: boolean } = {}) {
  const agentId = await seedUser(database.pool);
  const { since = AT - 400 * DAY, approved = false } = standing;
  await database.pool.query(
    `insert into agent_standings ("agentId", "agentSince", "approvedAt", "approvedBy", "approvalReason")
     select $1, $2, $3, $4, $4`,
    [agentId, new Date(since), approved ? new Date(since) : null, approved ? 'somebody' : null],
  );
  const propertyId = await seedProperty(database.pool, { ownerAgentId: agentId });
  const originals: string[] = [];
  for (let n = 0; n < photos; n += 1)
    originals.push((await seedOriginal(database.pool, { propertyId })).imageId);
  return { agentId, originals };
}
type Agent = Awaited<ReturnType<typeof agentWith>>;

const submit = (
  { agentId }: Agent,
  submissions: readonly StagingSubmission[],
  given: Partial<SubmissionCall> & { limits: StagingLimits },
) => {
  const { at = AT } = given;
  const asked = submissions.map((one) => ({ ...one, requestedByUserId: agentId, at }));
  return submitStagingJobs(database.pool, { agentId, submissions: asked, approvedOnly: false, at, ...given });
};
/** The next `count` photos of the agent without a submission. */
const next = (agent: Agent, count: number) => agent.originals.splice(0, count).map((id) => orderOf(id));
const quotaOf = async ({ agentId }: Agent, given: StagingLimits, at = AT) => {
  const standing = await readStanding(database.pool, agentId);
  if (standing === null) throw new Error('no such agent');
  return stagingQuota(database.pool, { standing, limits: given, at });
};
const count = async (table: string) =>
  Number((await database.pool.query(`select count(*) from ${table}`)).rows[0]?.count);
const endJobs = () =>
  database.pool.query(`update ai_jobs set status = 'CANCELED', phase = null, "canceledAt" = now()`);

describe('a limit', () => {
  test.each([
    ['hour', { hour: 5 }, 'hour', NEXT_HOUR],
    ['day', { day: 5 }, 'day', NEXT_DAY],
    ['platform', { platformDay: 10 }, 'platformDay', NEXT_DAY],
    ['open jobs', { openJobs: 5 }, 'openJobs', null],
  ] as const)(
    'of the %s rejects the whole call before any row is written',
    async (_, some, quota, resetsAt) => {
      const agent = await agentWith(8);
      const given = { limits: limits(some) };
      expect((await submit(agent, next(agent, 3), given)).outcome).toBe('submitted');
      const rows = [await count('ai_jobs'), await count('agent_job_counts')];
      const refused = await submit(agent, next(agent, 3), given);
      expect(refused).toEqual({ outcome: 'quota-reached', shortage: { quota, remaining: 2, resetsAt } });
      expect([await count('ai_jobs'), await count('agent_job_counts')]).toEqual(rows);
      expect((await submit(agent, next(agent, 2), given)).outcome).toBe('submitted');
      expect((await quotaOf(agent, given.limits))[quota]).toEqual({ used: 5, limit: 5, resetsAt });
    },
  );

  test('resets when its hour or day ends; the limit of open jobs, when they end', async () => {
    const agent = await agentWith(12);
    const hourly = { limits: limits({ hour: 2, day: 4 }) };
    await submit(agent, next(agent, 2), hourly);
    expect((await submit(agent, next(agent, 1), { ...hourly, at: NEXT_HOUR - 1 })).outcome).toBe(
      'quota-reached',
    );
    expect((await submit(agent, next(agent, 2), { ...hourly, at: NEXT_HOUR })).outcome).toBe('submitted');
    expect(await submit(agent, next(agent, 1), { ...hourly, at: NEXT_DAY - 1 })).toMatchObject({
      shortage: { quota: 'day', remaining: 0, resetsAt: NEXT_DAY },
    });
    expect((await submit(agent, next(agent, 1), { ...hourly, at: NEXT_DAY })).outcome).toBe('submitted');

    const open = { limits: limits({ openJobs: 5 }), at: NEXT_DAY };
    expect((await submit(agent, next(agent, 1), open)).outcome).toBe('quota-reached');
    await endJobs();
    expect((await submit(agent, next(agent, 1), open)).outcome).toBe('submitted');
  });

  test('counts canceled jobs, but neither EXISTING nor style_exists', async () => {
    const agent = await agentWith(4);
    const given = { limits: limits({ hour: 2 }) };
    const [one = '', two = '', three = ''] = agent.originals;
    await seedVariant(database.pool, { imageId: three, propertyId: await propertyOf(three) });
    expect(await submit(agent, [orderOf(one), orderOf(one), orderOf(three)], given)).toMatchObject({
      results: [{ disposition: 'ENQUEUED' }, { disposition: 'EXISTING' }, { disposition: 'style_exists' }],
    });
    await submit(agent, [orderOf(two)], given);
    // The quota is used up, and existing jobs and variants are still returned.
    expect(await submit(agent, [orderOf(one), orderOf(three)], given)).toMatchObject({
      results: [{ disposition: 'EXISTING' }, { disposition: 'style_exists' }],
    });
    await endJobs();
    expect(await submit(agent, [orderOf(one)], given)).toMatchObject({ shortage: { remaining: 0 } });
    expect((await quotaOf(agent, given.limits)).hour.used).toBe(2);
  });

  test('of 0 means no limit', async () => {
    const agent = await agentWith(6);
    expect((await submit(agent, next(agent, 6), { limits: NO_STAGING_LIMITS })).outcome).toBe('submitted');
    expect(await quotaOf(agent, NO_STAGING_LIMITS)).toEqual({
      hour: { used: 6, limit: null, resetsAt: NEXT_HOUR },
      day: { used: 6, limit: null, resetsAt: NEXT_DAY },
      platformDay: { used: 6, limit: null, resetsAt: NEXT_DAY },
      openJobs: { used: 6, limit: null, resetsAt: null },
    });
  });

  test('that lasts longest is named when several apply, with the smallest remainder of all', async () => {
    const agent = await agentWith(9);
    const given = { limits: limits({ hour: 5, day: 4, openJobs: 6 }) };
    await submit(agent, next(agent, 3), given);
    expect(await submit(agent, next(agent, 6), given)).toMatchObject({
      shortage: { quota: 'day', remaining: 1, resetsAt: NEXT_DAY },
    });
  });
});

const propertyOf = async (imageId: string): Promise<string> =>
  (await database.pool.query('select "propertyId" from property_images where id = $1', [imageId])).rows[0]
    ?.propertyId;

describe('a new agent', () => {
  test('has the limit of the first day for 24 hours, over midnight', async () => {
    const since = AT - HOUR;
    const agent = await agentWith(12, { since });
    const given = { limits: limits({ firstDay: 5, day: 8 }) };
    await submit(agent, next(agent, 3), given);
    const later = { ...given, at: NEXT_DAY + HOUR };
    expect(await submit(agent, next(agent, 3), later)).toEqual({
      outcome: 'quota-reached',
      shortage: { quota: 'day', remaining: 2, resetsAt: since + DAY },
    });
    await submit(agent, next(agent, 2), later);
    expect((await quotaOf(agent, given.limits, since + DAY - 1)).day).toEqual({
      used: 5,
      limit: 5,
      resetsAt: since + DAY,
    });
    // From then on the daily limit applies, including earlier use.
    expect((await quotaOf(agent, given.limits, since + DAY)).day).toEqual({
      used: 2,
      limit: 8,
      resetsAt: NEXT_DAY + DAY,
    });
    expect((await submit(agent, next(agent, 4), { ...given, at: since + DAY })).outcome).toBe('submitted');
  });

  test('an account without a row counts from its creation', async () => {
    const agentId = await seedUser(database.pool, { createdAt: new Date(AT - HOUR) });
    const agent = { agentId, originals: (await agentWith(3)).originals };
    const given = { limits: limits({ firstDay: 2 }) };
    expect(await submit(agent, next(agent, 3), given)).toMatchObject({
      shortage: { remaining: 2, resetsAt: AT - HOUR + DAY },
    });
  });
});

describe("the platform's day", () => {
  test('reserves half for approved agents, in every order of submissions', async () => {
    const given = { limits: limits({ platformDay: 10 }) };
    const [unknown, other, approved] = [
      await agentWith(9),
      await agentWith(9),
      await agentWith(9, { approved: true }),
    ];
    await submit(unknown, next(unknown, 4), given);
    expect(await submit(other, next(other, 2), given)).toMatchObject({
      shortage: { quota: 'platformDay', remaining: 1, resetsAt: NEXT_DAY },
    });
    expect((await quotaOf(other, given.limits)).platformDay).toMatchObject({ used: 4, limit: 5 });
    expect((await quotaOf(approved, given.limits)).platformDay).toMatchObject({ used: 4, limit: 10 });
    await submit(approved, next(approved, 6), given);
    expect(await submit(other, next(other, 1), given)).toMatchObject({ shortage: { remaining: 0 } });
    expect((await quotaOf(other, given.limits)).platformDay).toMatchObject({ used: 5, limit: 5 });
  });

  test('what approved agents use beyond their half is not available to others', async () => {
    const given = { limits: limits({ platformDay: 10 }) };
    const [unknown, approved] = [await agentWith(4), await agentWith(8, { approved: true })];
    await submit(approved, next(approved, 8), given);
    expect(await submit(unknown, next(unknown, 3), given)).toMatchObject({ shortage: { remaining: 2 } });
    expect((await submit(unknown, next(unknown, 2), given)).outcome).toBe('submitted');
  });
});

describe('many calls at once', () => {
  const everyOutcome = async (calls: Promise<{ outcome: string }>[]) =>
    Map.groupBy(await Promise.all(calls), ({ outcome }) => outcome);

  test('of one agent never exceed a limit', async () => {
    const agent = await agentWith(20);
    const given = { limits: limits({ hour: 7 }) };
    const calls = agent.originals.map((id) => submit(agent, [orderOf(id)], given));
    const outcomes = await everyOutcome(calls);
    expect(outcomes.get('submitted')).toHaveLength(7);
    expect(outcomes.get('quota-reached')).toHaveLength(13);
    expect(await count('ai_jobs')).toBe(7);
  });

  test('of two agents for the same photos in opposite orders wait for each other without a deadlock', async () => {
    const [one, other] = [await agentWith(9), await agentWith(0)];
    const { originals } = one;
    const holder = await database.pool.connect();
    try {
      // Both wait half-way through the photos.
      await holder.query('begin');
      await holder.query('select from property_images where id = $1 for update', [originals[4]]);
      const calls = [
        submit(
          one,
          originals.map((id) => orderOf(id)),
          { limits: NO_STAGING_LIMITS },
        ),
        submit(
          other,
          originals.toReversed().map((id) => orderOf(id, { canonicalStyle: 'LUXURY' })),
          { limits: NO_STAGING_LIMITS },
        ),
      ];
      const settled = everyOutcome(calls);
      await waitForBlocked(database.pool, 2);
      await holder.query('commit');
      expect((await settled).get('submitted')).toHaveLength(2);
    } finally {
      holder.release();
    }
    expect(await count('ai_jobs')).toBe(18);
  });

  test("of many agents never exceed the platform's daily limit, nor the unreserved half", async () => {
    const agents: Agent[] = [];
    for (let n = 0; n < 12; n += 1) agents.push(await agentWith(2, { approved: n % 2 === 0 }));
    const given = { limits: limits({ platformDay: 16 }) };
    const calls = agents.flatMap((agent) => agent.originals.map((id) => submit(agent, [orderOf(id)], given)));
    const outcomes = await everyOutcome(calls);
    expect([...outcomes.keys()].toSorted()).toEqual(['quota-reached', 'submitted']);
    const { rows } = await database.pool.query('select jobs, "unapprovedJobs" from platform_job_counts');
    expect(rows[0]?.unapprovedJobs).toBeLessThanOrEqual(8);
    expect(rows[0]?.jobs).toBeLessThanOrEqual(16);
    expect(rows[0]?.jobs).toBe(outcomes.get('submitted')?.length);
    expect(await count('ai_jobs')).toBe(rows[0]?.jobs);
    // The rest goes to agents with quota left, which shows that the daily limit was used up.
    expect(rows[0]?.jobs - rows[0]?.unapprovedJobs).toBeGreaterThanOrEqual(8);
  });
});

describe('bridged messages', () => {
  const bridge = (requestedByUserId: string | null, originalImageId: string) => {
    const { prompt: _p, promptVersion: _v, ...order } = orderOf(originalImageId, { requestedByUserId });
    return materialiseLegacyMessage(database.pool, {
      ...order,
      messageKey: randomUUID(),
      metadata: {},
      legacyJobId: null,
      roomType: 'OFFICE',
      render: () => ({ prompt: 'p', promptVersion: 'v' }),
    });
  };

  test('count, and are never rejected', async () => {
    const agent = await agentWith(6);
    const given = { limits: limits({ hour: 2, platformDay: 8, openJobs: 9 }) };
    await submit(agent, next(agent, 2), given);
    for (const id of agent.originals.splice(0, 2))
      expect(await bridge(agent.agentId, id)).toMatchObject({ disposition: 'ENQUEUED' });
    const quota = await quotaOf(agent, given.limits);
    expect([quota.hour.used, quota.openJobs.used]).toEqual([4, 4]);
    expect(await submit(agent, next(agent, 1), given)).toMatchObject({
      shortage: { quota: 'hour', remaining: 0 },
    });
  });

  test('count once, and for the platform even without a known requester', async () => {
    const agent = await agentWith(2, { approved: true });
    const [one = '', two = ''] = agent.originals;
    await bridge(null, one);
    await bridge(agent.agentId, two);
    expect(await bridge(agent.agentId, two)).toMatchObject({ disposition: 'EXISTING' });
    const { hour, platformDay } = await quotaOf(agent, limits({ platformDay: 9 }));
    expect([hour.used, platformDay.used]).toEqual([1, 2]);
  });
});

test('when approval is required, an unapproved agent gets no job, not even an existing one', async () => {
  const [waiting, approved] = [await agentWith(2), await agentWith(2, { approved: true })];
  const given = { limits: NO_STAGING_LIMITS, approvedOnly: true };
  expect(await submit(waiting, next(waiting, 1), given)).toEqual({ outcome: 'not-approved' });
  expect((await submit(approved, next(approved, 1), given)).outcome).toBe('submitted');
});

test('an account deleted during the call submits nothing', async () => {
  const agent = await agentWith(1);
  await database.pool.query('delete from properties');
  const { originals } = await agentWith(1);
  await database.pool.query('delete from "user" where id = $1', [agent.agentId]);
  expect(
    await submit({ ...agent, originals }, [orderOf(originals[0] ?? '')], { limits: NO_STAGING_LIMITS }),
  ).toEqual({ outcome: 'no-agent' });
});
