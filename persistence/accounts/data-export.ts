import type { Pool } from 'pg';
import type { TourEvent, TourParty } from '../../machines/tour.ts';
import type {
  AiJobStatus,
  CanonicalRoomType,
  CanonicalStyle,
  ReviewEventKind,
  TourKind,
  TourStatus,
} from '../../machines/vocabulary.ts';
import { type Instant, toMillis } from '../database/instants.ts';
import type { StandardStatus } from '../entities/property.ts';

/**
 * What is kept about one person, as pages of rows for `users.exportMyData`. Every list runs by the id of its rows, so a
 * page holds its place whatever is written meanwhile. Nothing here shows what others have said or who they are.
 */
export interface ExportPage {
  userId: string;
  afterId: string | null;
  limit: number;
}

const AFTER = (column: string): string => `($2::uuid IS NULL OR ${column} > $2::uuid)`;

async function pageOf<T extends object>(pool: Pool, sql: string, page: ExportPage): Promise<T[]> {
  const { userId, afterId, limit } = page;
  const { rows } = await pool.query<T>(`${sql} LIMIT $3`, [userId, afterId, limit]);
  return rows;
}

/** Instants of these names become milliseconds. */
function withMillis<T extends object, K extends keyof T>(rows: T[], ...names: K[]) {
  return rows.map((row) => {
    const times = names.map((name) => [name, toMillis(row[name] as Instant | null)]);
    return { ...row, ...Object.fromEntries(times) } as Omit<T, K> & Record<K, number>;
  });
}

/** Where the person is signed in; the tokens themselves are not shown. */
export async function exportedSessions(pool: Pool, page: ExportPage) {
  const rows = await pageOf<{
    id: string;
    createdAt: Instant;
    expiresAt: Instant;
    lastUsedAt: Instant;
    ipAddress: string | null;
    userAgent: string | null;
  }>(
    pool,
    `SELECT id, "createdAt", "expiresAt", "lastUsedAt", "ipAddress", "userAgent" FROM session
     WHERE "userId" = $1 AND ${AFTER('id')} ORDER BY id`,
    page,
  );
  return withMillis(rows, 'createdAt', 'expiresAt', 'lastUsedAt');
}

/** Accounts with identity providers that the person signs in with. */
export async function exportedAccounts(pool: Pool, page: ExportPage) {
  const rows = await pageOf<{ id: string; providerId: string; accountId: string; createdAt: Instant }>(
    pool,
    `SELECT id, "providerId", "accountId", "createdAt" FROM account
     WHERE "userId" = $1 AND ${AFTER('id')} ORDER BY id`,
    page,
  );
  return withMillis(rows, 'createdAt');
}

export async function exportedFavorites(pool: Pool, page: ExportPage) {
  const rows = await pageOf<{
    id: string;
    savedAt: Instant;
    priceWhenSaved: number;
    statusWhenSaved: StandardStatus;
  }>(
    pool,
    `SELECT "propertyId" AS id, "savedAt", "priceWhenSaved"::float8 AS "priceWhenSaved", "statusWhenSaved"
     FROM favorites WHERE "userId" = $1 AND ${AFTER('"propertyId"')} ORDER BY "propertyId"`,
    page,
  );
  return withMillis(rows, 'savedAt');
}

/** Original photos of the person's own listings. */
export async function exportedUploads(pool: Pool, page: ExportPage) {
  const rows = await pageOf<{
    id: string;
    propertyId: string;
    roomType: CanonicalRoomType | null;
    createdAt: Instant;
  }>(
    pool,
    `SELECT i.id, i."propertyId", i."roomType", i."createdAt"
     FROM property_images i JOIN properties p ON p.id = i."propertyId"
     WHERE p."ownerAgentId" = $1 AND NOT i."isStyled" AND ${AFTER('i.id')} ORDER BY i.id`,
    page,
  );
  return withMillis(rows, 'createdAt');
}

/** Pictures that the person had staged. */
export async function exportedStagingJobs(pool: Pool, page: ExportPage) {
  const rows = await pageOf<{
    id: string;
    propertyId: string | null;
    originalImageId: string;
    roomType: CanonicalRoomType | null;
    style: CanonicalStyle | null;
    submittedStyle: string | null;
    status: AiJobStatus;
    createdAt: Instant;
  }>(
    pool,
    `SELECT j.id, j."propertyId", s."originalImageId", s."canonicalRoomType" AS "roomType",
       s."canonicalStyle" AS style, s."submittedStyle", j.status, j."createdAt"
     FROM ai_jobs j JOIN ai_room_staging_jobs s ON s."aiJobId" = j.id
     WHERE j."requestedByUserId" = $1 AND ${AFTER('j.id')} ORDER BY j.id`,
    page,
  );
  return withMillis(rows, 'createdAt');
}

/** Texts that the person had written. */
export async function exportedDescriptions(pool: Pool, page: ExportPage) {
  const rows = await pageOf<{
    id: string;
    propertyId: string | null;
    locale: string;
    status: AiJobStatus;
    text: string | null;
    createdAt: Instant;
  }>(
    pool,
    `SELECT j.id, j."propertyId", d.locale, j.status, d.text, j."createdAt"
     FROM ai_jobs j JOIN ai_description_jobs d ON d."aiJobId" = j.id
     WHERE j."requestedByUserId" = $1 AND ${AFTER('j.id')} ORDER BY j.id`,
    page,
  );
  return withMillis(rows, 'createdAt');
}

/** What the person decided about staged pictures. */
export async function exportedReviews(pool: Pool, page: ExportPage) {
  const rows = await pageOf<{
    id: string;
    kind: ReviewEventKind;
    imageId: string;
    propertyId: string | null;
    reason: string | null;
    at: Instant;
  }>(
    pool,
    `SELECT id, kind, "imageId", "propertyId", reason, at FROM property_image_review_events
     WHERE "actorUserId" = $1 AND ${AFTER('id')} ORDER BY id`,
    page,
  );
  return withMillis(rows, 'at');
}

interface TourRow {
  id: string;
  propertyId: string;
  side: TourParty;
  kind: TourKind;
  status: TourStatus;
  createdAt: Instant;
  history: { seq: number; event: TourEvent; from: TourStatus | null; to: TourStatus }[] | null;
}

/** Tours that the person asked for, or was to give, with everything that happened to them. */
export async function exportedTours(pool: Pool, page: ExportPage) {
  const rows = await pageOf<TourRow>(
    pool,
    `SELECT t.id, t."propertyId", t.kind, t.status, t."createdAt",
       CASE WHEN t."customerId" = $1 THEN 'customer' ELSE 'agent' END AS side,
       (SELECT jsonb_agg(jsonb_build_object('seq', j.seq, 'event', j.event, 'from', j."fromState",
          'to', j."toState") ORDER BY j.seq)
        FROM actor_transitions j WHERE j."actorKind" = 'tour' AND j."actorId" = t.id) AS history
     FROM tours t WHERE $1::uuid IN (t."customerId", t."agentId") AND ${AFTER('t.id')} ORDER BY t.id`,
    page,
  );
  return withMillis(rows, 'createdAt').map((row) => ({ ...row, history: row.history ?? [] }));
}
