import { z } from 'zod';
import { MEDIA_ALTERATIONS } from '../../machines/disclosure/alterations.ts';
import type { TourEvent } from '../../machines/tour.ts';
import {
  AI_JOB_STATUSES,
  CANONICAL_ROOM_TYPES,
  CANONICAL_STYLES,
  MISMATCH_REPORT_STATUSES,
  REVIEW_EVENT_KINDS,
  TOUR_ACTORS,
  TOUR_KINDS,
  TOUR_STATUSES,
} from '../../machines/vocabulary.ts';
import type { exportedTours } from '../../persistence/accounts/data-export.ts';
import {
  ALERT_CADENCES,
  ALERT_CHANNELS,
  OFFER_KINDS,
  OFFER_STATUSES,
  STANDARD_STATUSES,
} from '../../persistence/entities/values.ts';
import { SEARCH_SORTS } from '../../persistence/search/search-index.ts';
import { WEBHOOK_EVENTS, WEBHOOK_OFF_REASONS, WEBHOOK_STATES } from '../../persistence/webhooks/endpoints.ts';
import { imageOfField } from './images.ts';
import { openHouse } from './listings/open-houses.ts';
import { ownProperty } from './listings/properties.ts';
import { storedFilters } from './listings/search.ts';
import { roomGroup } from './room-groups.ts';
import { instant, iso, uuid } from './text.ts';
import { meOutput } from './users.ts';

/** The lists of the document, in order. A page has at most `EXPORT_PAGE` rows of each. */
export const EXPORT_LISTS = [
  'sessions',
  'signInAccounts',
  'favorites',
  'sharedLists',
  'seenHomes',
  'hiddenHomes',
  'tours',
  'listings',
  'uploads',
  'roomGroups',
  'openHouses',
  'stagingJobs',
  'descriptions',
  'reviews',
  'alterations',
  'mismatchReports',
  'offers',
  'invitations',
  'disclosureConfirmations',
  'operatorActs',
  'tourReads',
  'messages',
  'messageReports',
  'messageReads',
  'savedSearches',
  'alertSettings',
  'alerts',
  'pushSubscriptions',
  'webhooks',
] as const;
export const EXPORT_PAGE = 200;

/** The last id of each unfinished list; a list without an entry is complete. */
const places = z.partialRecord(z.enum(EXPORT_LISTS), uuid).refine((given) => Object.keys(given).length > 0);
export type ExportPlaces = z.output<typeof places>;

const MAX_CURSOR = 2_000;

const cursor = z
  .string()
  .max(MAX_CURSOR)
  .transform((text, context): ExportPlaces => {
    try {
      return places.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
    } catch {
      context.addIssue({ code: 'custom', message: 'Use the nextCursor of the page before.' });
      return z.NEVER;
    }
  });

export function exportCursor(next: ExportPlaces): string | null {
  return Object.keys(next).length === 0 ? null : Buffer.from(JSON.stringify(next)).toString('base64url');
}

/** Six digits, as mailed; surrounding spaces are allowed. */
const mailedCode = z.string().trim().max(64);
export const codeInput = z.strictObject({ code: mailedCode });
/** The mail has been sent. */
export const codeMailedOutput = z.object({ codeSent: z.boolean() });
export const deletedOutput = z.object({ deleted: z.boolean() });
export const exportInput = z.strictObject({ code: mailedCode, cursor: cursor.nullish() });

const id = z.string();
const roomType = z.enum(CANONICAL_ROOM_TYPES);
const slot = z.object({ startsAt: instant, endsAt: instant });

export const dataExport = z.object({
  exportedAt: instant,
  profile: meOutput,
  sessions: z.array(
    z.object({
      sessionId: id,
      createdAt: instant,
      expiresAt: instant,
      lastUsedAt: instant,
      ipAddress: z.string().nullable(),
      userAgent: z.string().nullable(),
    }),
  ),
  signInAccounts: z.array(z.object({ provider: z.string(), accountId: z.string(), createdAt: instant })),
  favorites: z.array(
    z.object({
      propertyId: id,
      savedAt: instant,
      priceWhenSaved: z.number(),
      statusWhenSaved: z.enum(STANDARD_STATUSES),
      note: z.string().nullable(),
    }),
  ),
  /** The address under which others see the saved homes: one at most, without its secret. */
  sharedLists: z.array(z.object({ name: z.string(), withNotes: z.boolean(), createdAt: instant })),
  seenHomes: z.array(z.object({ propertyId: id, at: instant })),
  hiddenHomes: z.array(z.object({ propertyId: id, at: instant })),
  tours: z.array(
    z.object({
      tourId: id,
      propertyId: id,
      side: z.enum(['customer', 'agent']),
      kind: z.enum(TOUR_KINDS),
      status: z.enum(TOUR_STATUSES),
      createdAt: instant,
      /** `note` contains the caller's own text only. */
      history: z.array(
        z.object({
          seq: z.int(),
          at: instant,
          actor: z.enum(TOUR_ACTORS),
          from: z.enum(TOUR_STATUSES).nullable(),
          to: z.enum(TOUR_STATUSES),
          slots: z.array(slot),
          note: z.string().nullable(),
        }),
      ),
    }),
  ),
  /** The listings that the caller owns. */
  listings: z.array(ownProperty),
  uploads: z.array(
    z.object({
      imageId: id,
      propertyId: id,
      url: z.string(),
      roomType: roomType.nullable(),
      imageOf: imageOfField,
      createdAt: instant,
    }),
  ),
  /** Groups of photos of the caller's own listings. */
  roomGroups: z.array(roomGroup.extend({ propertyId: id })),
  /** Of the caller's own listings. */
  openHouses: z.array(openHouse.extend({ propertyId: id })),
  stagingJobs: z.array(
    z.object({
      aiJobId: id,
      propertyId: z.string().nullable(),
      originalImageId: id,
      roomType: roomType.nullable(),
      style: z.enum(CANONICAL_STYLES).nullable(),
      submittedStyle: z.string().nullable(),
      status: z.enum(AI_JOB_STATUSES),
      createdAt: instant,
    }),
  ),
  descriptions: z.array(
    z.object({
      aiJobId: id,
      propertyId: z.string().nullable(),
      locale: z.string(),
      status: z.enum(AI_JOB_STATUSES),
      text: z.string().nullable(),
      createdAt: instant,
    }),
  ),
  reviews: z.array(
    z.object({
      kind: z.enum(REVIEW_EVENT_KINDS),
      imageId: id,
      propertyId: z.string().nullable(),
      reason: z.string().nullable(),
      at: instant,
    }),
  ),
  /** What the person said about alterations of photos. */
  alterations: z.array(
    z.object({
      imageId: id,
      propertyId: id,
      before: z.enum(MEDIA_ALTERATIONS).nullable(),
      after: z.enum(MEDIA_ALTERATIONS).nullable(),
      originalImageId: z.string().nullable(),
      at: instant,
    }),
  ),
  mismatchReports: z.array(
    z.object({
      reportId: id,
      propertyId: id,
      tourId: id,
      imageId: id,
      note: z.string().nullable(),
      status: z.enum(MISMATCH_REPORT_STATUSES),
      createdAt: instant,
    }),
  ),
  /** Offers of listings: made by the caller (`from`), or to the caller. */
  offers: z.array(
    z.object({
      offerId: id,
      propertyId: id,
      kind: z.enum(OFFER_KINDS),
      side: z.enum(['from', 'to']),
      status: z.enum(OFFER_STATUSES),
      createdAt: instant,
      expiresAt: instant,
      endedAt: instant.nullable(),
    }),
  ),
  /** Invitations of agents: made by the caller (`from`), or to the caller. The address is null when it is another person's. */
  invitations: z.array(
    z.object({
      invitationId: id,
      side: z.enum(['from', 'to']),
      email: z.string().nullable(),
      officeName: z.string(),
      createdAt: instant,
      expiresAt: instant,
      acceptedAt: instant.nullable(),
    }),
  ),
  /** What the caller confirmed about altered pictures for a market. */
  disclosureConfirmations: z.array(
    z.object({ propertyId: id, market: z.string(), requirement: z.string(), at: instant }),
  ),
  /** What operators of the platform did to the account, such as a suspension, and why. */
  operatorActs: z.array(z.object({ act: z.string(), reason: z.string(), at: instant })),
  /** The version of each tour that the caller has read last. */
  tourReads: z.array(z.object({ tourId: id, version: z.int() })),
  /** Messages about homes that the caller wrote. */
  messages: z.array(
    z.object({
      messageId: id,
      threadId: id,
      propertyId: id,
      seq: z.int(),
      text: z.string(),
      createdAt: instant,
    }),
  ),
  /** Threads that the caller reported to the operators. */
  messageReports: z.array(
    z.object({ reportId: id, threadId: id, note: z.string().nullable(), createdAt: instant }),
  ),
  /** The number of the message up to which the caller has read each thread. */
  messageReads: z.array(z.object({ threadId: id, seq: z.int() })),
  /** What the caller searches for again and again. */
  savedSearches: z.array(
    z.object({
      searchId: id,
      name: z.string(),
      filters: storedFilters,
      sort: z.enum(SEARCH_SORTS),
      cadence: z.enum(ALERT_CADENCES),
      channels: z.array(z.enum(ALERT_CHANNELS)),
      createdAt: instant,
    }),
  ),
  /** About saved homes: one entry at most. */
  alertSettings: z.array(
    z.object({ cadence: z.enum(ALERT_CADENCES), channels: z.array(z.enum(ALERT_CHANNELS)) }),
  ),
  /** Alerts of the last 30 days: of a search, or (null) about saved homes. `more` homes were counted only. */
  alerts: z.array(
    z.object({
      alertId: id,
      searchId: z.string().nullable(),
      propertyIds: z.array(id),
      more: z.int(),
      createdAt: instant,
    }),
  ),
  /** Where browsers of the caller get push notices, by the session. */
  pushSubscriptions: z.array(z.object({ sessionId: id, endpoint: z.string(), createdAt: instant })),
  /** Where programs of the caller learn of changes, without the secrets. */
  webhooks: z.array(
    z.object({
      webhookId: id,
      url: z.string(),
      events: z.array(z.enum(WEBHOOK_EVENTS)),
      state: z.enum(WEBHOOK_STATES),
      offReason: z.enum(WEBHOOK_OFF_REASONS).nullable(),
      createdAt: instant,
    }),
  ),
  /** Not null when lists are unfinished: the next page continues each of them; complete lists are empty there. */
  nextCursor: z.string().nullable(),
});
export type DataExport = z.output<typeof dataExport>;

type ExportedTour = Awaited<ReturnType<typeof exportedTours>>[number];

export function toExportedTour({ id: tourId, ...tour }: ExportedTour, userId: string) {
  return {
    tourId,
    propertyId: tour.propertyId,
    side: tour.side,
    kind: tour.kind,
    status: tour.status,
    createdAt: iso(tour.createdAt),
    history: tour.history.map(({ seq, event, from, to }) => ({
      seq,
      at: iso(event.at),
      actor: event.actor,
      from,
      to,
      slots: slotsOf(event),
      note: 'userId' in event && event.userId === userId ? event.note : null,
    })),
  };
}

function slotsOf(event: TourEvent) {
  const slots = 'slots' in event ? event.slots : 'slot' in event ? [event.slot] : [];
  return slots.map(({ startsAt, endsAt }) => ({ startsAt: iso(startsAt), endsAt: iso(endsAt) }));
}
