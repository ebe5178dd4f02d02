import { z } from 'zod';
import { MAX_TOUR_SLOTS, MISMATCH_REPORT_MS, UNREAD_TOUR_MS } from '../../machines/limits.ts';
import type { TourEvent } from '../../machines/tour.ts';
import { availableTourActions, TOUR_ACTION_NAMES } from '../../machines/tour-actions.ts';
import type { TourSlot } from '../../machines/tour-slots.ts';
import { visitEndedAt } from '../../machines/tour-visit.ts';
import { TOUR_ACTORS, TOUR_KINDS, TOUR_STATUSES, type TourStatus } from '../../machines/vocabulary.ts';
import type { TourHistoryEntry, TourView } from '../../persistence/listings/tour-queries.ts';
import { keysetPaging } from './keyset-cursor.ts';
import { mismatchReport, toReport } from './mismatch-reports.ts';
import { instant, iso, pageOutput, paragraphs, uuid, viewOf } from './text.ts';

const MAX_WORDS = 1000;
const words = paragraphs(MAX_WORDS);
const millis = instant.transform((text) => Date.parse(text));
const slots = z
  .array(z.strictObject({ startsAt: millis, endsAt: millis }))
  .min(1)
  .max(MAX_TOUR_SLOTS);

export const requestTourInput = z.strictObject({
  propertyId: uuid,
  kind: z.enum(TOUR_KINDS).default('IN_PERSON'),
  slots,
  note: words.nullable().default(null),
});

/** Every decision contains the version of the tour that the caller saw; another version is rejected with CONFLICT. */
const decision = { tourId: uuid, expectedVersion: z.int().min(1) };
const note = words.nullable().default(null);
/** `startsAt` selects one of the proposed slots; it may be absent when there is only one. */
export const acceptTourInput = z.strictObject({ ...decision, startsAt: millis.optional(), note });
export const proposeTourInput = z.strictObject({ ...decision, slots, note });
export const declineTourInput = z.strictObject({ ...decision, reason: words });
export const cancelTourInput = z.strictObject({ ...decision, reason: note });
export const decideTourInput = z.strictObject({ ...decision, note });
export const tourInput = z.strictObject({ tourId: uuid });
export const contestTourInput = z.strictObject({ tourId: uuid, note });

const statuses = z.array(z.enum(TOUR_STATUSES)).min(1).max(TOUR_STATUSES.length).optional();
export const listToursInput = z.strictObject({
  statuses,
  propertyId: uuid.optional(),
  customerId: uuid.optional(),
  ...keysetPaging,
});
export const listThreadsInput = z.strictObject(keysetPaging);
export const readTourInput = z.strictObject({ tourId: uuid, version: z.int().min(1) });
export const unreadOutput = z.object({ count: z.int() });

const slot = z.object({ startsAt: instant, endsAt: instant });
/** The name of a person who deleted their account is empty. */
const person = z.object({ userId: z.string(), name: z.string() });
export const tourOutput = z.object({
  tourId: z.string(),
  propertyId: z.string(),
  address: z.string(),
  unitNumber: z.string().nullable(),
  city: z.string(),
  /** IANA name of the home's time zone. */
  timeZone: z.string(),
  customer: person,
  /** The agent who gives the tour. */
  agent: person,
  kind: z.enum(TOUR_KINDS),
  /** The customer's note in the request. */
  note: z.string().nullable(),
  status: z.enum(TOUR_STATUSES),
  /** Proposed slots; empty when no answer is due. */
  slots: z.array(slot),
  /** The agreed time; kept when the tour has ended. */
  heldSlot: slot.nullable(),
  proposedBy: z.enum(['customer', 'agent']).nullable(),
  rounds: z.int(),
  proposalExpiresAt: instant.nullable(),
  /** For an ended tour: the text of the person who ended it, or LISTING_LEFT_MARKET, ACCOUNT_DELETED or
   *  ACCOUNT_SUSPENDED. */
  reason: z.string().nullable(),
  closedAt: instant.nullable(),
  closedBy: z.enum(TOUR_ACTORS).nullable(),
  /** When the customer said, against a no-show, that they came. */
  contestedAt: instant.nullable(),
  /** Until when the customer may report staged pictures; null while they may not, and for agents. */
  reportUntil: instant.nullable(),
  version: z.int(),
  /** The actions that are open to the caller now. */
  availableActions: z.array(z.enum(TOUR_ACTION_NAMES)),
  history: z.array(
    z.object({
      seq: z.int(),
      actor: z.enum(TOUR_ACTORS),
      from: z.enum(TOUR_STATUSES).nullable(),
      to: z.enum(TOUR_STATUSES),
      slots: z.array(slot),
      note: z.string().nullable(),
      at: instant,
      /** Who did it; null for the platform. */
      by: person.nullable(),
    }),
  ),
  /** Whether the other side or the platform changed it last, within 30 days, and the caller has not read that. */
  unread: z.boolean(),
  /** A photo of the home that everyone may see. */
  photoId: z.string().nullable(),
  createdAt: instant,
  /** The caller's own reports about pictures of the home; empty for its agents, who list those of the listing. */
  mismatchReports: z.array(mismatchReport),
});
/** With a calendar entry (RFC 5545) while there is an agreed time, and a canceling one after it was canceled. */
export const getTourOutput = tourOutput.extend({ ics: z.string().nullable() });
export const listToursOutput = pageOutput(tourOutput);

/** The available actions are computed for the instant `at`. */
export function toTour(tour: TourView, at: number): z.output<typeof tourOutput> {
  const { context, details } = tour;
  return viewOf(tourOutput, {
    ...tour,
    ...details,
    ...context,
    tourId: tour.id,
    customer: { userId: details.customerId, name: tour.customerName },
    agent: { userId: context.agentId ?? '', name: tour.agentName },
    status: tour.state as TourStatus,
    slots: context.slots.map(toSlot),
    heldSlot: context.heldSlot === null ? null : toSlot(context.heldSlot),
    proposalExpiresAt: iso(context.proposalExpiresAt),
    closedAt: iso(context.closedAt),
    contestedAt: iso(context.contestedAt),
    reportUntil: tour.side === 'customer' ? iso(reportUntil(tour, at)) : null,
    availableActions: availableTourActions(tour, { actor: tour.side, at }),
    history: tour.history.map(toHistoryEntry),
    unread: isUnread(tour, at),
    createdAt: iso(details.createdAt),
    mismatchReports: tour.side === 'customer' ? tour.mismatchReports.map(toReport) : [],
  });
}

function reportUntil(tour: TourView, at: number): number | null {
  const endedAt = visitEndedAt(tour, at);
  const until = endedAt === null ? null : endedAt + MISMATCH_REPORT_MS;
  return until === null || until < at ? null : until;
}

/** A side that changed a tour had seen it. */
function isUnread({ version, readVersion, side, changedAt, history }: TourView, at: number): boolean {
  const isNews = version > readVersion && history.at(-1)?.event.actor !== side;
  return isNews && changedAt.getTime() > at - UNREAD_TOUR_MS;
}

function toHistoryEntry({ seq, event, from, to, name }: TourHistoryEntry) {
  const { actor, at } = event;
  const note = 'note' in event ? event.note : null;
  const by = 'userId' in event ? { userId: event.userId, name: name ?? '' } : null;
  return { seq, actor, from, to, slots: slotsOf(event).map(toSlot), note, at: iso(at), by };
}

/** For a request that was confirmed at once, the slot that was free. */
function slotsOf(event: TourEvent): readonly TourSlot[] {
  if ('freeSlot' in event && event.freeSlot !== null) return [event.freeSlot];
  if ('slot' in event) return [event.slot];
  return 'slots' in event ? event.slots : [];
}

const toSlot = ({ startsAt, endsAt }: TourSlot) => ({ startsAt: iso(startsAt), endsAt: iso(endsAt) });
