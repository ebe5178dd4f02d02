import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import type { ListingFacts } from '../../../persistence/jobs/description-requests.ts';
import { MANUAL_EPOCH } from '../manual-time.ts';
import { seedProperty } from './seed.ts';

export const FACTS: ListingFacts = {
  address: '1 Test Lane',
  city: 'Springfield',
  stateOrProvince: 'WA',
  postalCode: '98101',
  country: 'US',
  propertyType: 'Townhouse',
  bedroomsTotal: 3,
  bathroomsTotal: 2.5,
  livingArea: 1800,
  livingAreaUnits: 'Square Feet',
  lotSizeArea: 0.25,
  lotSizeUnits: 'Acres',
  yearBuilt: 1998,
  features: ['FIREPLACE', 'GARDEN'],
};

/** A requested description in PENDING.QUEUED, as the request leaves it; its listing is made when none is named. */
export async function seedDescription(
  pool: Pool,
  seed: { propertyId?: string; createdAt?: number; locale?: 'en' | 'es' } = {},
): Promise<{ jobId: string; propertyId: string }> {
  const jobId = randomUUID();
  const propertyId = seed.propertyId ?? (await seedProperty(pool));
  const { locale = 'en' } = seed;
  const at = new Date(seed.createdAt ?? MANUAL_EPOCH);
  await pool.query(
    `insert into ai_jobs (id, type, status, phase, "dedupeKey", "propertyId", "createdAt", "updatedAt")
     values ($1, 'DESCRIPTION', 'PENDING', 'QUEUED', $2, $3, $4, $4)`,
    [jobId, `description:${propertyId}:${locale}`, propertyId, at],
  );
  await pool.query(
    `insert into ai_description_jobs ("aiJobId", locale, facts, prompt, "promptVersion", "providerModel", "createdAt")
     values ($1, $2, $3, $4, 'description-v1.0', 'openai/gpt-5-mini', $5)`,
    [jobId, locale, JSON.stringify(FACTS), `Describe it. ${jobId}`, at],
  );
  return { jobId, propertyId };
}
