import type { Pool, PoolClient } from 'pg';
import { ACTIVE_JOB_STATUSES } from '../../machines/vocabulary.ts';
import { type Instant, toDate, toMillis } from '../database/instants.ts';
import { prepared } from '../database/prepared.ts';
import { oneOf } from '../database/sql-values.ts';

/**
 * The quotas of staging jobs. Always true: concurrent submissions never exceed a limit of an agent or of the platform.
 * The lock of the person's row serializes the submissions of one agent. The platform's day is one row. A submission
 * changes it in its last statement, only while the jobs fit, so others wait only for that commit. Hours and days are
 * those of UTC, by the time of the submission. Bridged messages are counted like any job and never rejected, so `used`
 * may exceed a limit.
 */
export interface StagingLimits {
  /** Jobs of an agent per hour; 0 means no limit, here and below. */
  hour: number;
  day: number;
  /** Replaces `day` for the first 24 hours as an agent, where it leaves less. */
  firstDay: number;
  /** Jobs of all agents per day; half of them is reserved for approved agents. */
  platformDay: number;
  /** Open jobs of an agent. */
  openJobs: number;
}
export const NO_STAGING_LIMITS: StagingLimits = {
  hour: 0,
  day: 0,
  firstDay: 0,
  platformDay: 0,
  openJobs: 0,
};

const QUOTA_NAMES = ['hour', 'day', 'platformDay', 'openJobs'] as const;
type QuotaName = (typeof QUOTA_NAMES)[number];

export interface QuotaUse {
  used: number;
  /** Null means no limit. */
  limit: number | null;
  /** When `used` is 0 again; null for open jobs, because each frees its place when it ends. */
  resetsAt: number | null;
}
export type StagingQuota = Record<QuotaName, QuotaUse>;

/** The limit that a request exceeds, and how many jobs would fit. */
export interface QuotaShortage {
  /** Of the exceeded limits the one that lasts longest. */
  quota: QuotaName;
  /** How many jobs would fit now. */
  remaining: number;
  resetsAt: number | null;
}

/** The values of an agent that the quotas depend on. */
export interface AgentStanding {
  agentId: string;
  agentSince: number;
  /** Approved by an operator, or an agent since before approvals began. */
  approved: boolean;
  /** By an operator: nothing more is submitted. */
  suspended: boolean;
}

/** Counts are read for the current day and, for new agents, 24 hours back. The rest allows for differing clocks. */
export const STAGING_COUNTS_KEPT_DAYS = 3;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const startOf = (unit: number, at: number): number => Math.floor(at / unit) * unit;

const STANDING = `
  SELECT u.id AS "agentId", coalesce(s."agentSince", u."createdAt") AS "agentSince",
    s."approvedAt" IS NOT NULL AS approved, u."suspendedAt" IS NOT NULL AS suspended
  FROM "user" u LEFT JOIN agent_standings s ON s."agentId" = u.id
  WHERE u.id = $1 AND u.email IS NOT NULL`;

/** Null when the account is gone. */
export function readStanding(db: Pool | PoolClient, agentId: string): Promise<AgentStanding | null> {
  return standingBy(db, STANDING, agentId);
}

/** The same under a lock: no other submission of this agent is decided before the transaction ends. */
export function lockStanding(client: PoolClient, agentId: string): Promise<AgentStanding | null> {
  return standingBy(client, `${STANDING} FOR NO KEY UPDATE OF u`, agentId);
}

async function standingBy(
  db: Pool | PoolClient,
  sql: string,
  agentId: string,
): Promise<AgentStanding | null> {
  const { rows } = await db.query<Omit<AgentStanding, 'agentSince'> & { agentSince: Instant }>(
    prepared(sql, [agentId]),
  );
  return rows[0] ? { ...rows[0], agentSince: toMillis(rows[0].agentSince) } : null;
}

interface Counts {
  hour: number;
  day: number;
  /** Jobs since the person became an agent; correct only in the first 24 hours. */
  first: number;
  platform: number;
  platformUnapproved: number;
  open: number;
}

/** Reads at most 26 counter rows of the agent, one of the day, and the index of the agent's open jobs. */
const COUNTS = `
  SELECT coalesce(sum(jobs) FILTER (WHERE hour = $2), 0)::int AS hour,
    coalesce(sum(jobs) FILTER (WHERE hour >= $3), 0)::int AS day,
    coalesce(sum(jobs), 0)::int AS first,
    coalesce((SELECT jobs FROM platform_job_counts WHERE day = $3), 0) AS platform,
    coalesce((SELECT "unapprovedJobs" FROM platform_job_counts WHERE day = $3), 0) AS "platformUnapproved",
    (SELECT count(*) FROM ai_jobs WHERE "requestedByUserId" = $1 AND type = 'ROOM_STAGING'
       AND status IN ${oneOf(ACTIVE_JOB_STATUSES)})::int AS open
  FROM agent_job_counts WHERE "agentId" = $1 AND hour >= $4`;

/** The used and the allowed jobs at an instant. */
export async function stagingQuota(
  db: Pool | PoolClient,
  { standing, limits, at }: { standing: AgentStanding; limits: StagingLimits; at: number },
): Promise<StagingQuota> {
  const { agentId, agentSince, approved } = standing;
  const [hour, day] = [startOf(HOUR_MS, at), startOf(DAY_MS, at)];
  const since = Math.min(day, Math.max(startOf(HOUR_MS, agentSince), startOf(HOUR_MS, at - DAY_MS)));
  const values = [agentId, toDate(hour), toDate(day), toDate(since)];
  const { rows } = await db.query<Counts>(prepared(COUNTS, values));
  const [counts] = rows;
  if (counts === undefined) throw new Error('an aggregate returned no row');
  return {
    hour: { used: counts.hour, limit: limitOf(limits.hour), resetsAt: hour + HOUR_MS },
    day: dayOf({ counts, limits, agentSince, at }),
    platformDay: platformDayOf({ counts, limits, approved, resetsAt: day + DAY_MS }),
    openJobs: { used: counts.open, limit: limitOf(limits.openJobs), resetsAt: null },
  };
}

const limitOf = (limit: number): number | null => (limit === 0 ? null : limit);
const remainingOf = ({ used, limit }: QuotaUse): number =>
  limit === null ? Number.POSITIVE_INFINITY : Math.max(0, limit - used);

/** The quota of the day or, for a new agent, of the first 24 hours: the one that leaves less. */
function dayOf(given: { counts: Counts; limits: StagingLimits; agentSince: number; at: number }): QuotaUse {
  const { counts, limits, agentSince, at } = given;
  const day = { used: counts.day, limit: limitOf(limits.day), resetsAt: startOf(DAY_MS, at) + DAY_MS };
  if (at >= agentSince + DAY_MS) return day;
  const first = { used: counts.first, limit: limitOf(limits.firstDay), resetsAt: agentSince + DAY_MS };
  return remainingOf(first) < remainingOf(day) ? first : day;
}

/** How many of a day's jobs may come from unapproved agents. */
const unapprovedShare = (platformDay: number): number => Math.floor(platformDay / 2);

/**
 * For an unapproved agent the limit is the unapproved half. Jobs of approved agents beyond their half count as used
 * too.
 */
function platformDayOf(given: {
  counts: Counts;
  limits: StagingLimits;
  approved: boolean;
  resetsAt: number;
}): QuotaUse {
  const { counts, limits, approved, resetsAt } = given;
  const { platformDay } = limits;
  if (approved || platformDay === 0) return { used: counts.platform, limit: limitOf(platformDay), resetsAt };
  const limit = unapprovedShare(platformDay);
  const takenOfIt = Math.max(counts.platformUnapproved, counts.platform - (platformDay - limit));
  return { used: takenOfIt, limit, resetsAt };
}

/** Null when that many jobs fit. */
export function shortageOf(quota: StagingQuota, jobs: number): QuotaShortage | null {
  const inTheWay = QUOTA_NAMES.filter((name) => remainingOf(quota[name]) < jobs);
  const [longest] = inTheWay
    .toReversed()
    .toSorted((a, b) => (quota[b].resetsAt ?? 0) - (quota[a].resetsAt ?? 0));
  if (longest === undefined) return null;
  const remaining = Math.min(...inTheWay.map((name) => remainingOf(quota[name])));
  return { quota: longest, remaining, resetsAt: quota[longest].resetsAt };
}

const COUNT_OF_AGENT = `
  INSERT INTO agent_job_counts ("agentId", hour, jobs) VALUES ($1, $2, $3)
  ON CONFLICT ("agentId", hour) DO UPDATE SET jobs = agent_job_counts.jobs + excluded.jobs`;

/**
 * Changes nothing when the jobs would exceed the day's limit or the share of unapproved agents; null means no limit.
 */
const COUNT_OF_PLATFORM = `
  INSERT INTO platform_job_counts AS p (day, jobs, "unapprovedJobs") VALUES ($1, $2, $3)
  ON CONFLICT (day) DO UPDATE
    SET jobs = p.jobs + excluded.jobs, "unapprovedJobs" = p."unapprovedJobs" + excluded."unapprovedJobs"
    WHERE ($4::int IS NULL OR p.jobs + excluded.jobs <= $4)
      AND ($5::int IS NULL OR excluded."unapprovedJobs" = 0
        OR p."unapprovedJobs" + excluded."unapprovedJobs" <= $5)`;

export interface CountedJobs {
  /** Null when the requester is unknown. */
  agentId: string | null;
  approved: boolean;
  jobs: number;
  at: number;
  /** Null: counted without a limit. */
  platformDay: number | null;
}

/**
 * Counts new jobs in the transaction that creates them, as its last statements. False when other submissions have used
 * up the platform's day since it was read: the transaction must be rolled back.
 */
export async function countStagingJobs(client: PoolClient, counted: CountedJobs): Promise<boolean> {
  const { agentId, approved, jobs, at, platformDay } = counted;
  if (agentId !== null)
    await client.query(prepared(COUNT_OF_AGENT, [agentId, toDate(startOf(HOUR_MS, at)), jobs]));
  const limit = platformDay === null ? null : limitOf(platformDay);
  const { rowCount } = await client.query(
    prepared(COUNT_OF_PLATFORM, [
      toDate(startOf(DAY_MS, at)),
      jobs,
      approved ? 0 : jobs,
      limit,
      limit === null ? null : unapprovedShare(limit),
    ]),
  );
  return rowCount === 1;
}
