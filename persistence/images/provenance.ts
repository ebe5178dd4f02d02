import type { Pool } from 'pg';
import type { CanonicalRoomType, CanonicalStyle, ProvenanceEventKind } from '../../machines/vocabulary.ts';
import { type Millis, toMillis, withMillis } from '../database/instants.ts';
import { hasPublicPage } from '../database/listing-visibility.ts';
import { framedSizeOf, padColumn, type StoredSize } from '../database/staged-frame.ts';
import { driftColumn, type StoredDrift } from '../database/stored-drift.ts';
import { isPublicImage } from './image-visibility.ts';

interface ProvenanceRow extends StoredSize {
  stagedImageId: string;
  propertyId: string;
  originalImageId: string;
  originalChecksum: string;
  outputChecksum: string;
  providerModel: string | null;
  promptVersion: string | null;
  canonicalStyle: CanonicalStyle | null;
  legacyStyle: string | null;
  roomType: CanonicalRoomType | null;
  framing: 'fixed' | 'photo' | null;
  attemptNumber: number | null;
  approverRole: string | null;
  approverOffice: string | null;
  disclosureLabel: string;
  requestedAt: Date | null;
  stagedAt: Date;
  approvedAt: Date;
  /** False when the picture or its listing was deleted. */
  exists: boolean;
  withdrawnAt: Date | null;
  /** Whether its listing has a public page. */
  hasPage: boolean;
  /** Since when the listing has its status; null when it is deleted, or not known. */
  listingSince: Date | null;
  /** Everyone may see the picture. */
  isShown: boolean;
  /** Everyone may see the photo it was made from. */
  isOriginalShown: boolean;
  drift: StoredDrift | null;
  /** The number of the log's entry that holds the record; null until it is made. */
  logEntry: number | null;
  /** The visits after which it was reported, and how many of these reports were upheld. */
  reports: { visits: number; upheld: number };
  manifests: { variant: string; manifestId: string; signedAt: string }[];
  events: { kind: ProvenanceEventKind; at: string }[];
}

/** The record of a picture that was approved, and what became of it. Times in milliseconds since 1970. */
export type Provenance = Omit<Millis<ProvenanceRow>, 'events' | 'manifests' | 'pad'> & {
  /** Signed copies, the latest first. */
  manifests: { variant: string; manifestId: string; signedAt: number }[];
  /** In the order in which they happened; the latest of very many. */
  events: { kind: ProvenanceEventKind; at: number }[];
};

/** Far more than a picture has: agents can show one again ten times. */
const MOST_EVENTS = 100;

const EVENTS = `
  SELECT coalesce(jsonb_agg(jsonb_build_object('kind', kind, 'at', at) ORDER BY id), '[]'::jsonb)
  FROM (SELECT id, kind, at FROM provenance_events WHERE "stagedImageId" = r."stagedImageId"
        ORDER BY id DESC LIMIT ${MOST_EVENTS}) latest`;

const REPORTS = `
  SELECT jsonb_build_object('visits', count(*), 'upheld', count(*) FILTER (WHERE m.status = 'UPHELD'))
  FROM mismatch_reports m WHERE m."stagedImageId" = r."stagedImageId"`;

const MANIFESTS = `
  SELECT coalesce(jsonb_agg(to_jsonb(m) - 'stagedImageId' ORDER BY m."signedAt" DESC, m."manifestId"), '[]'::jsonb)
  FROM provenance_manifests m WHERE m."stagedImageId" = r."stagedImageId"`;

/**
 * The provenance of a picture; null when it was never approved, or when its record is not written yet. It is answered
 * to everyone, and forever, so nothing private is read here.
 */
export async function readProvenance(pool: Pool, stagedImageId: string): Promise<Provenance | null> {
  const { rows } = await pool.query<ProvenanceRow>(
    `SELECT r."stagedImageId", r."propertyId", r."originalImageId", r."originalChecksum", r."outputChecksum",
       r."providerModel", r."promptVersion", r."canonicalStyle", r."legacyStyle", r."roomType", r.framing,
       r."attemptNumber", r."approverRole", r."approverOffice", r."disclosureLabel", r."requestedAt", r."stagedAt",
       r."approvedAt", v.id IS NOT NULL AS exists, v."withdrawnAt", v."outputWidth" AS width,
       v."outputHeight" AS height, ${padColumn('staged_by')}, coalesce(${hasPublicPage('p')}, false) AS "hasPage",
       p."statusChangedAt" AS "listingSince",
       v.id IS NOT NULL AND coalesce(${isPublicImage('v', 'p')}, false) AS "isShown",
       o.id IS NOT NULL AND coalesce(${isPublicImage('o', 'p')}, false) AS "isOriginalShown", ${driftColumn('record')},
       l.entry AS "logEntry",
       (${REPORTS}) AS reports, (${MANIFESTS}) AS manifests, (${EVENTS}) AS events
     FROM provenance_records r CROSS JOIN LATERAL (SELECT r."stagedImageId" AS id) record
       LEFT JOIN property_images v ON v.id = r."stagedImageId"
       LEFT JOIN property_images o ON o.id = r."originalImageId"
       LEFT JOIN properties p ON p.id = r."propertyId"
       LEFT JOIN provenance_log_leaves l ON l."stagedImageId" = r."stagedImageId"
       LEFT JOIN ai_room_staging_jobs staged_by ON staged_by."aiJobId" = v."aiJobId"
     WHERE r."stagedImageId" = $1`,
    [stagedImageId],
  );
  const [row] = rows;
  if (row === undefined) return null;
  const { events, manifests, ...record } = framedSizeOf(row);
  return {
    ...withMillis(record),
    manifests: manifests.map((one) => ({ ...one, signedAt: toMillis(one.signedAt) })),
    events: events.map(({ kind, at }) => ({ kind, at: toMillis(at) })),
  };
}

/** Whether a picture has a provenance page. */
export async function hasProvenance(pool: Pool, stagedImageId: string): Promise<boolean> {
  const { rowCount } = await pool.query('SELECT FROM provenance_records WHERE "stagedImageId" = $1', [
    stagedImageId,
  ]);
  return rowCount === 1;
}
