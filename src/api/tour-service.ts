import type { z } from 'zod';
import { type ShowingFault, showingFault } from '../../machines/showing-rules.ts';
import type { TourParty } from '../../machines/tour.ts';
import { TOUR_ACTIONS, type TourAction } from '../../machines/tour-actions.ts';
import { type SlotFault, slotFault, type TourSlot } from '../../machines/tour-slots.ts';
import { TourConflictError } from '../../persistence/actors/rows/tour-row.ts';
import {
  type ShowingListing,
  showingListing,
  type TourView,
  tourForParty,
} from '../../persistence/listings/tour-queries.ts';
import type { Delivery, Message, Origin, TourMessage } from '../../supervisors/actors/messages.ts';
import { PublicError } from '../errors/errors.ts';
import { found } from '../errors/found.ts';
import type { PublicErrorCode } from '../errors/public-errors.ts';
import type { decideTourInput, requestTourInput } from '../wire/tours.ts';
import type { Services } from './services.ts';

const WORDS: Record<SlotFault | ShowingFault, string> = {
  PASSED: 'This time has passed. Name one in the future.',
  TOO_SHORT: 'A tour takes at least 15 minutes.',
  TOO_LONG: 'A tour takes at most 4 hours.',
  TOO_SOON: 'This is too soon for this home. Name a later time.',
  WRONG_DAY: 'This home is not shown on this day. Name another day.',
  OUTSIDE_HOURS: 'This home is not shown at this hour. Name a time within its showing hours.',
};

/** @throws PublicError INVALID_INPUT that names each slot that is invalid or outside the listing's showing times. */
function requireShowable(slots: readonly TourSlot[], listing: ShowingListing, at: number): void {
  const fields: Record<string, string[]> = {};
  for (const [index, slot] of slots.entries()) {
    const fault = slotFault(slot, at) ?? showingFault(slot, listing, at);
    if (fault !== null) fields[`slots.${index}`] = [WORDS[fault]];
    else if (slots.slice(0, index).some(({ startsAt }) => startsAt === slot.startsAt))
      fields[`slots.${index}`] = ['This time is named twice.'];
  }
  if (Object.keys(fields).length > 0) throw new PublicError('INVALID_INPUT', { fields });
}

/**
 * The proposed slot that begins at this time, or the only proposed one.
 * @throws PublicError INVALID_INPUT when no proposed slot begins then, or no time was given and there are several
 */
function slotOnTable(slots: readonly TourSlot[], startsAt: number | undefined): TourSlot {
  const [only] = slots;
  const named = startsAt === undefined ? undefined : slots.find((slot) => slot.startsAt === startsAt);
  const slot = named ?? (startsAt === undefined && slots.length === 1 ? only : undefined);
  if (slot !== undefined) return slot;
  throw new PublicError('INVALID_INPUT', { fields: { startsAt: ['Name the start of one of the slots.'] } });
}

type NewTour = { userId: string } & z.output<typeof requestTourInput>;
type Decision = { userId: string } & z.output<typeof decideTourInput>;
export type PlainAction = Exclude<
  TourAction,
  'confirm' | 'acceptReschedule' | 'proposeReschedule' | 'contestNoShow'
>;

interface Author {
  at: number;
  actor: TourParty;
  userId: string;
  note: string | null;
}

/**
 * The actions of people on tours: finds the caller's side, sends the event to the tour, and turns the outcome into
 * an answer. The machine decides whether an event is allowed; two database constraints apply as well.
 */
export function createTourService(services: Services) {
  const { clock } = services;
  const find = (tourId: string, userId: string) => findTour(services, tourId, userId);
  const decide = async (
    action: TourAction,
    { userId, tourId, expectedVersion, note }: Decision,
    eventBy: (author: Author, tour: TourView) => TourMessage | Promise<TourMessage>,
  ): Promise<TourView> => {
    const tour = await find(tourId, userId);
    if (tour.version !== expectedVersion) throw new PublicError('CONFLICT');
    const event = await eventBy({ at: clock.now(), actor: tour.side, userId, note }, tour);
    const answer = await bring(
      services,
      { to: 'tour', id: tourId, event },
      { by: `user:${userId}`, seenVersion: expectedVersion },
    );
    if (answer.outcome === 'missing') throw new PublicError('NOT_FOUND');
    if (answer.outcome === 'stale') throw new PublicError('CONFLICT');
    if (answer.outcome === 'ignored') throw new PublicError('TOUR_WRONG_STATE');
    log(services, { action, tourId, userId, status: answer.state });
    return find(tourId, userId);
  };
  return {
    find,
    request: (request: NewTour) => requestTour(services, request),
    /** Accepts a proposed slot. */
    accept: (action: 'confirm' | 'acceptReschedule', by: Decision & { startsAt?: number | undefined }) =>
      decide(action, by, (author, { context: { slots } }) => {
        const type = TOUR_ACTIONS[action];
        // No slot is proposed: the machine rejects the event, not the input check.
        return { ...author, type, slot: slots.length === 0 ? NO_SLOT : slotOnTable(slots, by.startsAt) };
      }),
    propose: (by: Decision & { slots: readonly TourSlot[] }) =>
      decide('proposeReschedule', by, async (author, { details }) => {
        const listing = found(await showingListing(services.pool, { ...details, userId: by.userId }));
        requireShowable(by.slots, listing, author.at);
        return { ...author, type: TOUR_ACTIONS.proposeReschedule, slots: by.slots };
      }),
    /** Contesting a contested no-show is a success that changes nothing. */
    async contest({ userId, tourId, note }: Omit<Decision, 'expectedVersion'>): Promise<TourView> {
      const tour = await find(tourId, userId);
      if (tour.side === 'customer' && tour.context.contestedAt !== null) return tour;
      const type = TOUR_ACTIONS.contestNoShow;
      return decide('contestNoShow', { userId, tourId, expectedVersion: tour.version, note }, (author) => ({
        ...author,
        type,
      }));
    },
    decide: (action: PlainAction, by: Decision) =>
      decide(action, by, (author) => ({ ...author, type: TOUR_ACTIONS[action] })),
  };
}
export type TourService = ReturnType<typeof createTourService>;

async function findTour({ pool }: Services, tourId: string, userId: string): Promise<TourView> {
  return found(await tourForParty(pool, { tourId, userId }));
}

async function requestTour(services: Services, request: NewTour): Promise<TourView> {
  const { userId, propertyId, kind, slots, note } = request;
  const listing = await showingListing(services.pool, { propertyId, userId });
  if (listing?.isPublic !== true) throw new PublicError('NOT_FOUND');
  if (listing.isOwnListing) throw new PublicError('FORBIDDEN');
  if (!listing.hasAgent) throw new PublicError('NO_AGENT_HERE');
  const at = services.clock.now();
  requireShowable(slots, listing, at);
  const tourId = services.chance.id();
  const event = { type: 'TOUR_REQUESTED', at, actor: 'customer', userId, note, slots } as const;
  const details = { customerId: userId, propertyId, kind, note };
  const answer = await bring(
    services,
    { to: 'newTour', id: tourId, details, event, limits: services.settings.growthLimits },
    { by: `user:${userId}` },
  );
  if (answer.outcome === 'missing') throw new PublicError('NOT_FOUND');
  if (answer.outcome !== 'applied') throw new PublicError('TOUR_NOT_OFFERED');
  log(services, { action: 'request', tourId, userId, status: answer.state });
  return findTour(services, tourId, userId);
}

const NO_SLOT: TourSlot = { startsAt: 0, endsAt: 0 };

const CODE_OF_CONFLICT = {
  'slot-taken': 'TOUR_SLOT_TAKEN',
  'already-open': 'TOUR_ALREADY_OPEN',
  'person-gone': 'TOUR_WRONG_STATE',
} as const satisfies Record<TourConflictError['reason'], PublicErrorCode>;

async function bring({ actorSystem }: Services, message: Message, origin: Origin): Promise<Delivery> {
  try {
    return await actorSystem.deliver(message, origin);
  } catch (error) {
    if (!(error instanceof TourConflictError)) throw error;
    throw new PublicError(CODE_OF_CONFLICT[error.reason]);
  }
}

function log(
  { logger }: Services,
  fields: { action: string; tourId: string; userId: string; status: string },
) {
  logger.info({ event: `tours.${fields.action}`, ...fields }, 'a tour was changed');
}
