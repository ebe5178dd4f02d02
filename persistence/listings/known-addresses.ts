import type { Pool } from 'pg';
import { hasPublicPage } from '../database/listing-visibility.ts';
import type { Reader } from '../database/reader.ts';
import type { Property } from '../entities/property.ts';
import { mayAct } from './agent-access.ts';

type PublicAddress = Pick<
  Property,
  'address' | 'city' | 'stateOrProvince' | 'postalCode' | 'country' | 'latitude' | 'longitude'
>;

/** The addresses of these listings without their units, in the same order. One without a public page is left out. */
export async function publicAddresses(
  reader: Reader,
  propertyIds: readonly string[],
): Promise<PublicAddress[]> {
  const { rows } = await reader.query<PublicAddress>(
    `SELECT p.address, p.city, p."stateOrProvince", p."postalCode", p.country, p.latitude, p.longitude
     FROM properties p WHERE p.id = ANY($1) AND ${hasPublicPage('p')} ORDER BY array_position($1::uuid[], p.id)`,
    [propertyIds],
  );
  return rows;
}

interface AddressQuestion
  extends Pick<Property, 'address' | 'unitNumber' | 'city' | 'stateOrProvince' | 'country'> {
  readonly agentId: string;
  /** The agent's own listing that is asked for; null while it is none yet. */
  readonly propertyId: string | null;
}

/** A listing of the same home. */
interface SameHome {
  readonly propertyId: string;
  /** Whether the agent may act for it. */
  readonly isMine: boolean;
  readonly isPublic: boolean;
}

/**
 * Another listing with the same address and unit, whatever its status but deleted: one of the agent before a public one
 * before others, the newest first. Compared without case, accents and punctuation.
 */
export async function sameHome(
  pool: Pool,
  { agentId, propertyId, ...home }: AddressQuestion,
): Promise<SameHome | null> {
  const { rows } = await pool.query<SameHome>(
    `SELECT p.id AS "propertyId", ${mayAct('p', '$6')} AS "isMine", ${hasPublicPage('p')} AS "isPublic"
     FROM properties p
     WHERE search_text(p.address) = search_text($1)
       AND coalesce(place_slug(p."unitNumber"), '') = coalesce(place_slug($2), '')
       AND place_slug(p.city) = place_slug($3) AND p.country = $5::text
       AND (p."stateOrProvince" IS NULL OR $4::text IS NULL OR lower(p."stateOrProvince") = lower($4))
       AND p."standardStatus" <> 'Delete' AND (p."feedId" IS NULL OR ${hasPublicPage('p')})
       AND NOT (p.id = $7::uuid AND ${mayAct('p', '$6')}) IS TRUE
     ORDER BY "isMine" DESC, "isPublic" DESC, p."createdAt" DESC, p.id LIMIT 1`,
    [home.address, home.unitNumber, home.city, home.stateOrProvince, home.country, agentId, propertyId],
  );
  return rows[0] ?? null;
}
