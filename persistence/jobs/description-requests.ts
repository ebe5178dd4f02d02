import type { Pool, PoolClient } from 'pg';
import type { AiJobStatus, DescriptionLocale } from '../../machines/vocabulary.ts';
import { ACTIVE_JOB_STATUSES } from '../../machines/vocabulary.ts';
import { inTransaction } from '../actors/postgres-actor-store.ts';
import { toDate, toMillis } from '../database/instants.ts';
import { oneOf } from '../database/sql-values.ts';
import { mayAct } from '../listings/agent-access.ts';
import { createJob } from './job-birth.ts';
import { noteSubmissionTrace } from './job-traces.ts';

/**
 * Creates description jobs, and reads them for their agents. Everything that is sent to the provider is fixed here.
 * Always true: at most one open job per listing and language. Of concurrent requests one creates the job and the others
 * get its id, by the partial unique index. An agent creates at most `DESCRIPTIONS_PER_DAY` jobs in any 24 hours. A
 * crash before the commit leaves nothing; after it the dispatcher finds the job without a queue entry.
 */

/** The facts that a text may use: the listing's own figures and names, never its remarks. */
export interface ListingFacts {
  address: string;
  city: string;
  stateOrProvince: string | null;
  postalCode: string | null;
  country: string;
  propertyType: string | null;
  bedroomsTotal: number | null;
  bathroomsTotal: number | null;
  livingArea: number | null;
  livingAreaUnits: string;
  lotSizeArea: number | null;
  lotSizeUnits: string;
  yearBuilt: number | null;
  features: string[];
}

export interface DescriptionRequest {
  /** Id of the job, if this request creates it. */
  aiJobId: string;
  propertyId: string;
  agentId: string;
  locale: DescriptionLocale;
  providerModel: string;
  render(facts: ListingFacts): { prompt: string; promptVersion: string };
  /** The span of the request, while tracing is on. */
  traceparent?: string | null;
  at: number;
}
/** Null when there is no such listing for this agent. */
export type RequestResult = DescriptionAnswer | null;
export interface DescriptionAnswer {
  aiJobId: string;
  disposition: 'ENQUEUED' | 'EXISTING';
}

/** The maximum number of jobs of one agent in 24 hours. A request while a job is under way creates none. */
export const DESCRIPTIONS_PER_DAY = 200;
const DAY_MS = 86_400_000;

/** The agent has reached the limit of descriptions; nothing was written. */
export class TooManyDescriptions extends Error {
  /** Milliseconds until the oldest of them is a day old. */
  readonly waitMs: number;

  constructor(waitMs: number) {
    super('too many descriptions in a day');
    this.name = 'TooManyDescriptions';
    this.waitMs = waitMs;
  }
}

function descriptionDedupeKey(propertyId: string, locale: DescriptionLocale): string {
  return `description:${propertyId}:${locale}`;
}

/** The job in the way may end between two statements; then the next try succeeds. */
const MAX_TRIES = 3;
const ACTIVE = `type = 'DESCRIPTION' AND status IN ${oneOf(ACTIVE_JOB_STATUSES)}`;

/**
 * `keep` stores the answer in the same transaction.
 * @throws TooManyDescriptions
 */
export function requestDescription(
  pool: Pool,
  request: DescriptionRequest,
  keep: (client: PoolClient, answer: DescriptionAnswer) => Promise<void>,
): Promise<RequestResult> {
  return inTransaction(pool, async (client) => {
    const answer = await requestFor(client, request);
    if (answer !== null) await keep(client, answer);
    return answer;
  });
}

async function requestFor(client: PoolClient, request: DescriptionRequest): Promise<RequestResult> {
  const facts = await factsForAgent(client, request);
  if (facts === null) return null;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    if (await insertJob(client, request, facts)) {
      await refuseTooMany(client, request);
      await noteSubmissionTrace(client, request);
      return { aiJobId: request.aiJobId, disposition: 'ENQUEUED' };
    }
    const existing = await activeJob(client, request);
    if (existing !== null) return { aiJobId: existing, disposition: 'EXISTING' };
  }
  throw new Error(`description jobs of ${request.propertyId} come and go too fast to make another`);
}

/** KEY SHARE: the listing cannot be deleted before the job refers to it. */
async function factsForAgent(
  client: PoolClient,
  { propertyId, agentId }: DescriptionRequest,
): Promise<ListingFacts | null> {
  const { rows } = await client.query<ListingFacts>(
    `SELECT p.address, p.city, p."stateOrProvince", p."postalCode", p.country, p."propertyType",
       p."bedroomsTotal", p."bathroomsTotal"::float8 AS "bathroomsTotal", p."livingArea"::float8 AS "livingArea",
       p."livingAreaUnits", p."lotSizeArea"::float8 AS "lotSizeArea", p."lotSizeUnits", p."yearBuilt", p.features
     FROM properties p WHERE p.id = $1 AND ${mayAct('p', '$2')} FOR KEY SHARE OF p`,
    [propertyId, agentId],
  );
  return rows[0] ?? null;
}

function insertJob(client: PoolClient, request: DescriptionRequest, facts: ListingFacts): Promise<boolean> {
  const { aiJobId, propertyId, agentId, locale, providerModel, at } = request;
  const { prompt, promptVersion } = request.render(facts);
  return createJob(client, {
    kind: 'descriptionJob',
    id: aiJobId,
    dedupeKey: descriptionDedupeKey(propertyId, locale),
    requestedByUserId: agentId,
    propertyId,
    at,
    details: { locale, facts: JSON.stringify(facts), prompt, promptVersion, providerModel },
  });
}

/**
 * Counts after the job is inserted: the lock of the person's row serializes the requests of one agent, so that each
 * sees the others' jobs.
 */
async function refuseTooMany(client: PoolClient, { agentId, at }: DescriptionRequest): Promise<void> {
  await client.query('SELECT FROM "user" WHERE id = $1 FOR NO KEY UPDATE', [agentId]);
  const { rows } = await client.query<{ createdAt: Date }>(
    `SELECT "createdAt" FROM ai_jobs
     WHERE "requestedByUserId" = $1 AND type = 'DESCRIPTION' AND "createdAt" > $2
     ORDER BY "createdAt" DESC LIMIT $3`,
    [agentId, toDate(at - DAY_MS), DESCRIPTIONS_PER_DAY + 1],
  );
  const oldest = rows[DESCRIPTIONS_PER_DAY];
  if (oldest) throw new TooManyDescriptions(toMillis(oldest.createdAt) + DAY_MS - at);
}

async function activeJob(
  client: PoolClient,
  { propertyId, locale }: DescriptionRequest,
): Promise<string | null> {
  const { rows } = await client.query<{ id: string }>(
    `SELECT id FROM ai_jobs WHERE "dedupeKey" = $1 AND ${ACTIVE}`,
    [descriptionDedupeKey(propertyId, locale)],
  );
  return rows[0]?.id ?? null;
}

export interface DescriptionJobView {
  status: AiJobStatus;
  text: string | null;
  errorCode: string | null;
}

/** Null when there is no such description job for this agent. */
export async function descriptionJobForAgent(
  pool: Pool,
  { aiJobId, agentId }: { aiJobId: string; agentId: string },
): Promise<DescriptionJobView | null> {
  const { rows } = await pool.query<DescriptionJobView>(
    `SELECT j.status, d.text, j."errorCode"
     FROM ai_jobs j JOIN ai_description_jobs d ON d."aiJobId" = j.id JOIN properties p ON p.id = j."propertyId"
     WHERE j.id = $1 AND j.type = 'DESCRIPTION' AND ${mayAct('p', '$2')}`,
    [aiJobId, agentId],
  );
  return rows[0] ?? null;
}
