import type { Pool } from 'pg';
import type { MediaAlteration } from '../../machines/disclosure/alterations.ts';
import type { PhotoSubject } from '../../machines/disclosure/photo-subject.ts';
import type { FurnitureBrief } from '../../machines/furniture-catalogue.ts';
import type { TourParty } from '../../machines/tour.ts';
import type {
  AiJobStatus,
  CanonicalRoomType,
  CanonicalStyle,
  MismatchReportStatus,
  ReviewEventKind,
  TourKind,
  TourStatus,
} from '../../machines/vocabulary.ts';
import { type Millis, withMillis } from '../database/instants.ts';
import { imageOf } from '../database/photo-subject.ts';
import type { Favorite } from '../entities/property.ts';
import type { PropertyImage } from '../entities/property-image.ts';
import type { Account, Session } from '../entities/user.ts';
import type { AlertCadence, AlertChannel, OfferKind, OfferStatus } from '../entities/values.ts';
import { GROUP_CONTENT } from '../jobs/room-groups.ts';
import { TOUR_HISTORY, type TourHistoryEntry } from '../listings/tour-queries.ts';
import type { SearchSort } from '../search/search-index.ts';
import type { WebhookEndpoint, WebhookEvent } from '../webhooks/endpoints.ts';

/**
 * The data stored about one person, as pages of rows for `users.exportMyData`. Every list is ordered by the id of its
 * rows, so that pages stay stable while rows are written. No row shows statements or identities of other people.
 */
export interface ExportPage {
  userId: string;
  afterId: string | null;
  limit: number;
}

const AFTER = (column: string): string => `($2::uuid IS NULL OR ${column} > $2::uuid)`;

/** A list of the export from its SQL, with instants as milliseconds. */
function listOf<R extends object>(sql: string) {
  return async (pool: Pool, { userId, afterId, limit }: ExportPage): Promise<Millis<R>[]> => {
    const { rows } = await pool.query<R>(`${sql} LIMIT $3`, [userId, afterId, limit]);
    return rows.map(withMillis);
  };
}

/** The person's sessions, without their tokens. */
export const exportedSessions = listOf<
  Pick<Session, 'id' | 'createdAt' | 'expiresAt' | 'lastUsedAt' | 'ipAddress' | 'userAgent'>
>(
  `SELECT id, "createdAt", "expiresAt", "lastUsedAt", "ipAddress", "userAgent" FROM session
     WHERE "userId" = $1 AND ${AFTER('id')} ORDER BY id`,
);

/** The person's accounts at identity providers. */
export const exportedAccounts = listOf<Pick<Account, 'id' | 'providerId' | 'accountId' | 'createdAt'>>(
  `SELECT id, "providerId", "accountId", "createdAt" FROM account
     WHERE "userId" = $1 AND ${AFTER('id')} ORDER BY id`,
);

export const exportedFavorites = listOf<
  { id: string } & Pick<Favorite, 'savedAt' | 'priceWhenSaved' | 'statusWhenSaved' | 'note'>
>(
  `SELECT "propertyId" AS id, "savedAt", "priceWhenSaved"::float8 AS "priceWhenSaved", "statusWhenSaved", note
     FROM favorites WHERE "userId" = $1 AND ${AFTER('"propertyId"')} ORDER BY "propertyId"`,
);

/** The address under which others see the saved homes, without its secret. */
export const exportedSharedLists = listOf<{ id: string; name: string; withNotes: boolean; createdAt: Date }>(
  `SELECT "userId" AS id, name, "withNotes", "createdAt" FROM shared_lists
     WHERE "userId" = $1 AND ${AFTER('"userId"')} ORDER BY "userId"`,
);

const homesIn = (table: 'seen_homes' | 'hidden_homes') =>
  listOf<{ id: string; at: Date }>(
    `SELECT "propertyId" AS id, at FROM ${table}
       WHERE "userId" = $1 AND ${AFTER('"propertyId"')} ORDER BY "propertyId"`,
  );
export const exportedSeenHomes = homesIn('seen_homes');
export const exportedHiddenHomes = homesIn('hidden_homes');

/** Original photos of the person's own listings. */
export const exportedUploads = listOf<
  Pick<PropertyImage, 'id' | 'propertyId' | 'roomType' | 'createdAt'> & { imageOf: PhotoSubject | null }
>(
  `SELECT i.id, i."propertyId", i."roomType", ${imageOf('i')} AS "imageOf", i."createdAt"
     FROM property_images i JOIN properties p ON p.id = i."propertyId"
     WHERE p."ownerAgentId" = $1 AND NOT i."isStyled" AND ${AFTER('i.id')} ORDER BY i.id`,
);

/** Groups of photos of the person's own listings. */
export const exportedRoomGroups = listOf<{
  id: string;
  propertyId: string;
  roomType: CanonicalRoomType;
  style: CanonicalStyle;
  brief: FurnitureBrief;
  originalImageIds: string[];
  createdAt: Date;
}>(
  `SELECT g.id, g."propertyId", ${GROUP_CONTENT}, g."createdAt"
     FROM room_groups g JOIN properties p ON p.id = g."propertyId"
     WHERE p."ownerAgentId" = $1 AND ${AFTER('g.id')} ORDER BY g.id`,
);

/** Open houses of the person's own listings. */
export const exportedOpenHouses = listOf<{
  id: string;
  propertyId: string;
  startsAt: Date;
  endsAt: Date;
  remarks: string | null;
  canceledAt: Date | null;
}>(
  `SELECT o.id, o."propertyId", o."startsAt", o."endsAt", o.remarks, o."canceledAt"
     FROM open_houses o JOIN properties p ON p.id = o."propertyId"
     WHERE p."ownerAgentId" = $1 AND ${AFTER('o.id')} ORDER BY o.id`,
);

interface JobRow {
  id: string;
  propertyId: string | null;
  status: AiJobStatus;
  createdAt: Date;
}

/** Staging jobs that the person requested. */
export const exportedStagingJobs = listOf<
  JobRow & {
    originalImageId: string;
    roomType: CanonicalRoomType | null;
    style: CanonicalStyle | null;
    submittedStyle: string | null;
  }
>(
  `SELECT j.id, j."propertyId", s."originalImageId", s."canonicalRoomType" AS "roomType",
       s."canonicalStyle" AS style, s."submittedStyle", j.status, j."createdAt"
     FROM ai_jobs j JOIN ai_room_staging_jobs s ON s."aiJobId" = j.id
     WHERE j."requestedByUserId" = $1 AND ${AFTER('j.id')} ORDER BY j.id`,
);

/** Descriptions that the person requested. */
export const exportedDescriptions = listOf<JobRow & { locale: string; text: string | null }>(
  `SELECT j.id, j."propertyId", d.locale, j.status, d.text, j."createdAt"
     FROM ai_jobs j JOIN ai_description_jobs d ON d."aiJobId" = j.id
     WHERE j."requestedByUserId" = $1 AND ${AFTER('j.id')} ORDER BY j.id`,
);

/** The person's reviews of staged pictures. */
export const exportedReviews = listOf<{
  id: string;
  kind: ReviewEventKind;
  imageId: string;
  propertyId: string | null;
  reason: string | null;
  at: Date;
}>(
  `SELECT id, kind, "imageId", "propertyId", reason, at FROM property_image_review_events
     WHERE "actorUserId" = $1 AND ${AFTER('id')} ORDER BY id`,
);

/** What the person said about alterations of photos. */
export const exportedAlterations = listOf<{
  id: string;
  imageId: string;
  propertyId: string;
  before: MediaAlteration | null;
  after: MediaAlteration | null;
  originalImageId: string | null;
  at: Date;
}>(
  `SELECT id, "imageId", "propertyId", before, after, "originalImageId", at FROM photo_alteration_events
     WHERE by = 'user:' || $1::uuid AND ${AFTER('id')} ORDER BY id`,
);

/** Reports of the person about pictures of homes. */
export const exportedReports = listOf<{
  id: string;
  propertyId: string;
  tourId: string;
  imageId: string;
  note: string | null;
  status: MismatchReportStatus;
  createdAt: Date;
}>(
  `SELECT id, "propertyId", "tourId", "stagedImageId" AS "imageId", note, status, "createdAt"
     FROM mismatch_reports WHERE "customerId" = $1 AND ${AFTER('id')} ORDER BY id`,
);

/** Offers of listings that the person made or got, without the other agent. */
export const exportedOffers = listOf<{
  id: string;
  propertyId: string;
  kind: OfferKind;
  side: 'from' | 'to';
  status: OfferStatus;
  createdAt: Date;
  expiresAt: Date;
  endedAt: Date | null;
}>(
  `SELECT id, "propertyId", kind, CASE WHEN "fromAgentId" = $1 THEN 'from' ELSE 'to' END AS side, status,
       "createdAt", "expiresAt", "endedAt"
     FROM listing_offers WHERE $1::uuid IN ("fromAgentId", "toAgentId") AND ${AFTER('id')} ORDER BY id`,
);

/** Invitations of agents that the person made, and those to the person's address or accepted by the person. */
export const exportedInvitations = listOf<{
  id: string;
  side: 'from' | 'to';
  email: string | null;
  officeName: string;
  createdAt: Date;
  expiresAt: Date;
  acceptedAt: Date | null;
}>(
  `SELECT i.id, CASE WHEN i."invitedById" = $1 THEN 'from' ELSE 'to' END AS side, i."officeName",
       CASE WHEN i."invitedById" = $1 OR i.email = u.email THEN i.email END AS email,
       i."createdAt", i."expiresAt", i."acceptedAt"
     FROM agent_invitations i JOIN "user" u ON u.id = $1
     WHERE ($1::uuid IN (i."invitedById", i."acceptedById") OR i.email = u.email) AND ${AFTER('i.id')} ORDER BY i.id`,
);

/** What the person confirmed about pictures of listings. */
export const exportedConfirmations = listOf<{
  id: string;
  propertyId: string;
  market: string;
  requirement: string;
  at: Date;
}>(
  `SELECT id, "propertyId", market, requirement, at FROM disclosure_confirmations
     WHERE "agentId" = $1 AND ${AFTER('id')} ORDER BY id`,
);

/** What operators did to the person's account. */
export const exportedOperatorActs = listOf<{ id: string; act: string; reason: string; at: Date }>(
  `SELECT id, act, reason, at FROM operator_acts WHERE "personId" = $1 AND ${AFTER('id')} ORDER BY id`,
);

/** Tours that the person requested or was to give, with their history. */
export const exportedTours = listOf<{
  id: string;
  propertyId: string;
  side: TourParty;
  kind: TourKind;
  status: TourStatus;
  createdAt: Date;
  history: TourHistoryEntry[];
}>(
  `SELECT t.id, t."propertyId", t.kind, t.status, t."createdAt",
       CASE WHEN t."customerId" = $1 THEN 'customer' ELSE 'agent' END AS side,
       ${TOUR_HISTORY} AS history
     FROM tours t WHERE $1::uuid IN (t."customerId", t."agentId") AND ${AFTER('t.id')} ORDER BY t.id`,
);

/** How much of each tour the person has read. */
export const exportedTourReads = listOf<{ id: string; version: number }>(
  `SELECT "tourId" AS id, version FROM tour_reads WHERE "userId" = $1 AND ${AFTER('"tourId"')} ORDER BY "tourId"`,
);

/** Messages that the person wrote. */
export const exportedMessages = listOf<{
  id: string;
  propertyId: string;
  threadId: string;
  seq: number;
  text: string;
  createdAt: Date;
}>(
  `SELECT m."messageId" AS id, t."propertyId", m."threadId", m.seq, m.text, m."createdAt"
     FROM messages m JOIN message_threads t ON t.id = m."threadId"
     WHERE m."authorId" = $1 AND ${AFTER('m."messageId"')} ORDER BY m."messageId"`,
);

/** Threads that the person reported, without the messages of the other side. */
export const exportedMessageReports = listOf<{
  id: string;
  threadId: string;
  note: string | null;
  createdAt: Date;
}>(
  `SELECT id, "threadId", note, "createdAt" FROM message_reports
     WHERE "reporterId" = $1 AND ${AFTER('id')} ORDER BY id`,
);

/** How far the person has read in threads. */
export const exportedMessageReads = listOf<{ id: string; seq: number }>(
  `SELECT "threadId" AS id, seq FROM message_reads WHERE "userId" = $1 AND ${AFTER('"threadId"')} ORDER BY "threadId"`,
);

/** The person's saved searches. */
export const exportedSearches = listOf<{
  id: string;
  name: string;
  filters: unknown;
  sort: SearchSort;
  cadence: AlertCadence;
  channels: AlertChannel[];
  createdAt: Date;
}>(
  `SELECT id, name, filters, sort, cadence, channels, "createdAt" FROM saved_searches
     WHERE "userId" = $1 AND ${AFTER('id')} ORDER BY id`,
);

export const exportedAlertSettings = listOf<{ id: string; cadence: AlertCadence; channels: AlertChannel[] }>(
  `SELECT "userId" AS id, cadence, channels FROM alert_settings
     WHERE "userId" = $1 AND ${AFTER('"userId"')} ORDER BY "userId"`,
);

/** The person's alerts, as long as they are kept. */
export const exportedAlerts = listOf<{
  id: string;
  searchId: string | null;
  propertyIds: string[];
  more: number;
  createdAt: Date;
}>(
  `SELECT id, "searchId", jsonb_path_query_array(items, '$[*].propertyId') AS "propertyIds", more, "createdAt" FROM alerts
     WHERE "userId" = $1 AND ${AFTER('id')} ORDER BY id`,
);

/** The browsers in which the person gets push notices, without their keys. */
/** Where programs of the person learn of changes, without the secrets. */
export const exportedWebhooks = listOf<
  { id: string; events: WebhookEvent[] } & Pick<WebhookEndpoint, 'url' | 'state' | 'offReason'> & {
      createdAt: Date;
    }
>(
  `SELECT id, url, events, state, "offReason", "createdAt" FROM webhook_endpoints
     WHERE "userId" = $1 AND ${AFTER('id')} ORDER BY id`,
);

export const exportedPushSubscriptions = listOf<{ id: string; endpoint: string; createdAt: Date }>(
  `SELECT "sessionId" AS id, endpoint, "createdAt" FROM push_subscriptions
     WHERE "userId" = $1 AND ${AFTER('"sessionId"')} ORDER BY "sessionId"`,
);
