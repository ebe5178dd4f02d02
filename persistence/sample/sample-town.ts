import type { Pool, PoolClient } from 'pg';
import { inTransaction } from '../actors/postgres-actor-store.ts';
import { toDate } from '../database/instants.ts';

/**
 * The sample town in the database (docs/contract.md#sample). Its homes have this source system and its people an address
 * under `sample.invalid`; everything else of it hangs on them. Always true: it is begun only where no listing is, and
 * `sample_town` says LOADING until all of it is there, so that a load that was killed is removed before the next one.
 */
const SAMPLE_SYSTEM = 'Sample';
/** The model of its staged pictures; no provider has one of this name. */
export const SAMPLE_MODEL = 'sample';
const PEOPLE = `"user".email LIKE '%@sample.invalid'`;
const HOMES = `SELECT p.id FROM properties p WHERE p."originatingSystemName" = '${SAMPLE_SYSTEM}'
  OR p."ownerAgentId" IN (SELECT id FROM "user" WHERE ${PEOPLE})`;

/** SQL: whether the listing with this alias is one of the sample's. */
export const isSampleListing = (alias: string): string =>
  `${alias}."originatingSystemName" IS NOT DISTINCT FROM '${SAMPLE_SYSTEM}'`;

type SampleState = 'LOADING' | 'LOADED' | 'REMOVED';

/** Null where there never was a sample. */
export async function sampleState(pool: Pick<Pool, 'query'>): Promise<SampleState | null> {
  const { rows } = await pool.query<{ state: SampleState }>('SELECT state FROM sample_town');
  return rows[0]?.state ?? null;
}

/** Whether homes of a sample are there, or were and are being removed. */
export async function hasSample(pool: Pick<Pool, 'query'>): Promise<boolean> {
  const state = await sampleState(pool);
  return state === 'LOADING' || state === 'LOADED';
}

/** False, and nothing written, where listings exist. */
export async function beginSample(pool: Pool): Promise<boolean> {
  const { rowCount } = await pool.query(
    `INSERT INTO sample_town (state) SELECT 'LOADING' WHERE NOT EXISTS (SELECT FROM properties)
     ON CONFLICT (id) DO UPDATE SET state = 'LOADING', "changedAt" = clock_timestamp()`,
  );
  return rowCount === 1;
}

interface SamplePerson {
  id: string;
  name: string;
  /** Before the `@`. */
  mailbox: string;
  phone: string | null;
  /** Null for customers. */
  agent: { licenseNumber: string; officeName: string } | null;
  at: number;
}

/** Agents have a standing, which is approved. */
export async function addSamplePerson(pool: Pool, person: SamplePerson): Promise<void> {
  const { id, name, mailbox, phone, agent, at } = person;
  await inTransaction(pool, async (client) => {
    await client.query(
      `INSERT INTO "user" (id, name, email, "emailVerified", role, phone, "licenseNumber", "officeName", "createdAt",
         "updatedAt")
       VALUES ($1, $2, $3 || '@sample.invalid', true, $4, $5, $6, $7, $8, $8)`,
      [
        id,
        name,
        mailbox,
        agent === null ? 'customer' : 'agent',
        phone,
        agent?.licenseNumber ?? null,
        agent?.officeName ?? null,
        toDate(at),
      ],
    );
    if (agent !== null)
      await client.query(
        `INSERT INTO agent_standings ("agentId", "agentSince", "approvedAt", "approvedBy", "approvalReason")
         VALUES ($1, $2, $2, 'sample', 'An agent of the sample town.')`,
        [id, toDate(at)],
      );
  });
}

/** In the transaction that creates the listing. */
export async function markAsSample(
  client: PoolClient,
  { propertyId, key }: { propertyId: string; key: string },
): Promise<void> {
  await client.query(
    `UPDATE properties SET "originatingSystemName" = '${SAMPLE_SYSTEM}', "originatingSystemKey" = $2 WHERE id = $1`,
    [propertyId, key],
  );
}

/** Drawn rooms are photos: they are compared with nothing. */
export async function giveSampleVerdicts(pool: Pool, propertyId: string): Promise<void> {
  await pool.query(
    `UPDATE photo_checks SET verdict = 'PHOTO', "checkedAt" = clock_timestamp(), "nextTryAt" = NULL
     WHERE "propertyId" = $1 AND verdict IS NULL`,
    [propertyId],
  );
}

/** The last step: no mail tells of what has happened in the sample. */
export async function endSample(pool: Pool): Promise<void> {
  await inTransaction(pool, async (client) => {
    await client.query(
      `DELETE FROM tour_mails WHERE "tourId" IN (SELECT id FROM tours WHERE "propertyId" IN (${HOMES}))`,
    );
    await client.query(`UPDATE sample_town SET state = 'LOADED', "changedAt" = clock_timestamp()`);
  });
}

/** What never changes where it is about real pictures and tours. */
const KEPT = {
  property_image_review_events: 'property_image_review_events_keep_approvals',
  provenance_events: 'provenance_events_never_change',
  provenance_manifests: 'provenance_manifests_refuse_changes',
  provenance_records: 'provenance_records_never_change',
  staged_fingerprints: 'staged_fingerprints_stay',
} as const;

interface SampleRemoval {
  homes: number;
  people: number;
}

/**
 * Removes every row of the sample in one transaction, also what people have done in it since; objects are left to the
 * deletion outbox. Only the owner of the tables may, because history is among the rows. Null where there is none.
 */
export function removeSample(pool: Pool): Promise<SampleRemoval | null> {
  return inTransaction(pool, async (client) => {
    if (!(await hasSample(client))) return null;
    await client.query(`SET LOCAL lock_timeout = '10s'`);
    await client.query(`CREATE TEMPORARY TABLE gone ON COMMIT DROP AS
      SELECT id, 'home' AS what FROM (${HOMES}) home
      UNION ALL SELECT id, 'person' FROM "user" WHERE ${PEOPLE}`);
    const also = (what: string, from: string) =>
      client.query(`INSERT INTO gone SELECT id, '${what}' FROM ${from}`);
    const homes = `(SELECT id FROM gone WHERE what = 'home')`;
    await also('image', `property_images WHERE "propertyId" IN ${homes}`);
    await also(
      'rejected',
      `(SELECT "imageId" AS id FROM property_image_review_events WHERE "propertyId" IN ${homes}) event`,
    );
    await also(
      'record',
      `(SELECT "stagedImageId" AS id FROM provenance_records WHERE "propertyId" IN ${homes}) record`,
    );
    await also('job', `ai_jobs WHERE "propertyId" IN ${homes}`);
    await also('attempt', `ai_provider_attempts WHERE "aiJobId" IN (SELECT id FROM gone WHERE what = 'job')`);
    await also(
      'tour',
      `tours WHERE "propertyId" IN ${homes} OR "customerId" IN (SELECT id FROM gone WHERE what = 'person')`,
    );
    await also(
      'report',
      `mismatch_reports WHERE "stagedImageId" IN (SELECT id FROM gone WHERE what IN ('image', 'record'))`,
    );
    for (const [table, trigger] of Object.entries(KEPT))
      await client.query(`ALTER TABLE ${table} DISABLE TRIGGER ${trigger}`);
    for (const text of REMOVALS) await client.query(text);
    for (const [table, trigger] of Object.entries(KEPT))
      await client.query(`ALTER TABLE ${table} ENABLE TRIGGER ${trigger}`);
    await client.query(`UPDATE sample_town SET state = 'REMOVED', "changedAt" = clock_timestamp()`);
    const { rows } = await client.query<SampleRemoval>(
      `SELECT count(*) FILTER (WHERE what = 'home')::int AS homes, count(*) FILTER (WHERE what = 'person')::int AS people
       FROM gone`,
    );
    return rows[0] ?? { homes: 0, people: 0 };
  });
}

const ids = (...kinds: readonly string[]): string =>
  `(SELECT id FROM gone WHERE what IN (${kinds.map((kind) => `'${kind}'`).join(', ')}))`;

/** In this order: what points at something goes before it. */
const REMOVALS: readonly string[] = [
  `DELETE FROM ai_provider_webhook_receipts WHERE "providerAttemptId" IN ${ids('attempt')}`,
  `DELETE FROM mismatch_reports WHERE id IN ${ids('report')}`,
  `DELETE FROM tours WHERE id IN ${ids('tour')}`,
  `DELETE FROM ai_jobs WHERE id IN ${ids('job')}`,
  `DELETE FROM property_images WHERE id IN ${ids('image')} AND "isStyled"`,
  `DELETE FROM property_images WHERE id IN ${ids('image')}`,
  `DELETE FROM properties WHERE id IN ${ids('home')}`,
  `DELETE FROM provenance_events WHERE "stagedImageId" IN ${ids('image', 'record', 'rejected')}`,
  `DELETE FROM provenance_manifests WHERE "stagedImageId" IN ${ids('image', 'record', 'rejected')}`,
  `DELETE FROM provenance_records WHERE "stagedImageId" IN ${ids('image', 'record', 'rejected')}`,
  `DELETE FROM property_image_review_events WHERE "imageId" IN ${ids('image', 'record', 'rejected')}
     OR "propertyId" IN ${ids('home')}`,
  `DELETE FROM staged_fingerprint_keys WHERE "stagedImageId" IN ${ids('image', 'record', 'rejected')}`,
  `DELETE FROM staged_fingerprints WHERE "stagedImageId" IN ${ids('image', 'record', 'rejected')}`,
  `DELETE FROM drift_comparisons WHERE "stagedImageId" IN ${ids('image', 'record', 'rejected')}`,
  `DELETE FROM listing_offers WHERE "fromAgentId" IN ${ids('person')} OR "toAgentId" IN ${ids('person')}`,
  `DELETE FROM "user" WHERE id IN ${ids('person')}`,
  `DELETE FROM actor_transitions WHERE "actorId" IN (SELECT id FROM gone)`,
];
