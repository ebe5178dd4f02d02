import type { z } from 'zod';
import { UNREAD_TOUR_MS } from '../../../machines/limits.ts';
import type { TourParty } from '../../../machines/tour.ts';
import {
  countUnreadThreads,
  markTourRead,
  type TourView,
  threadsOfPerson,
  toursOfParty,
} from '../../../persistence/listings/tour-queries.ts';
import { keysetCursor } from '../../wire/keyset-cursor.ts';
import { noInput, pageOf } from '../../wire/text.ts';
import { tourCalendar } from '../../wire/tour-calendar.ts';
import {
  acceptTourInput,
  cancelTourInput,
  contestTourInput,
  decideTourInput,
  declineTourInput,
  getTourOutput,
  listThreadsInput,
  listToursInput,
  listToursOutput,
  proposeTourInput,
  readTourInput,
  requestTourInput,
  toTour,
  tourInput,
  tourOutput,
  unreadOutput,
} from '../../wire/tours.ts';
import { router, sessionProcedure } from '../base.ts';
import type { OwnErrorCode } from '../procedure-meta.ts';
import type { Services } from '../services.ts';
import { createTourService, type PlainAction, type TourService } from '../tour-service.ts';
import { mismatchProcedures } from './mismatch-reports.ts';

/** `tours.*` (docs/contract.md#tours): both sides of a tour, by the same procedures. */
export function toursRouter(services: Services) {
  const tourService = createTourService(services);
  return router({
    ...readingProcedures(services, tourService),
    ...decidingProcedures(services, tourService),
    ...mismatchProcedures(services),
  });
}

function readingProcedures({ pool, clock, settings }: Services, tourService: TourService) {
  const site = { ...settings.site, origin: new URL(settings.publicBaseUrl).origin };
  const list = (side: TourParty) =>
    sessionProcedure
      .input(listToursInput)
      .output(listToursOutput)
      .query(async ({ ctx, input }) => {
        const { statuses = null, propertyId = null, customerId = null, cursor = null, limit } = input;
        const asked = { side, statuses, propertyId, customerId, after: cursor, limit: limit + 1 };
        const page = pageOf(
          await toursOfParty(pool, { ...asked, userId: ctx.user.id }),
          limit,
          ({ id, details }) => keysetCursor({ at: details.createdAt, id }),
        );
        return { ...page, items: page.items.map((tour) => toTour(tour, clock.now())) };
      });
  return {
    get: sessionProcedure
      .meta({ errors: ['NOT_FOUND'] })
      .input(tourInput)
      .output(getTourOutput)
      .query(async ({ ctx, input: { tourId } }) => {
        const tour = await tourService.find(tourId, ctx.user.id);
        const { locale, email: reader } = ctx.user;
        const file = tourCalendar(tour, { locale, site, reader });
        return { ...toTour(tour, clock.now()), ics: file?.text ?? null };
      }),
    listMine: list('customer'),
    listForAgent: list('agent'),
    listThreads: sessionProcedure
      .input(listThreadsInput)
      .output(listToursOutput)
      .query(async ({ ctx, input: { cursor = null, limit } }) => {
        const asked = { userId: ctx.user.id, after: cursor, limit: limit + 1 };
        const page = pageOf(await threadsOfPerson(pool, asked), limit, ({ id, changedAt }) =>
          keysetCursor({ at: changedAt.getTime(), id }),
        );
        return { ...page, items: page.items.map((tour) => toTour(tour, clock.now())) };
      }),
    countUnread: sessionProcedure
      .input(noInput)
      .output(unreadOutput)
      .query(async ({ ctx }) => ({
        count: await countUnreadThreads(pool, { userId: ctx.user.id, since: clock.now() - UNREAD_TOUR_MS }),
      })),
  };
}

type Reasoned = { userId: string } & z.output<typeof cancelTourInput>;

/** Errors of every procedure that acts on an existing tour. */
const DECISION_ERRORS: readonly OwnErrorCode[] = ['NOT_FOUND', 'CONFLICT', 'TOUR_WRONG_STATE'];

const REQUEST_ERRORS: readonly OwnErrorCode[] = [
  'NAME_REQUIRED',
  'NOT_FOUND',
  'FORBIDDEN',
  'TOUR_NOT_OFFERED',
  'NO_AGENT_HERE',
  'TOUR_ALREADY_OPEN',
  'QUOTA_REACHED',
];

function decidingProcedures({ clock, pool }: Services, tourService: TourService) {
  const show = async (tour: Promise<TourView>) => toTour(await tour, clock.now());
  const accept = (action: 'confirm' | 'acceptReschedule') =>
    sessionProcedure
      .meta({ errors: [...DECISION_ERRORS, 'TOUR_SLOT_TAKEN'] })
      .input(acceptTourInput)
      .output(tourOutput)
      .mutation(({ ctx, input }) => show(tourService.accept(action, { userId: ctx.user.id, ...input })));
  const decide = (action: PlainAction, errors: readonly OwnErrorCode[] = DECISION_ERRORS) =>
    sessionProcedure
      .meta({ errors })
      .input(decideTourInput)
      .output(tourOutput)
      .mutation(({ ctx, input }) => show(tourService.decide(action, { userId: ctx.user.id, ...input })));
  const withReason = (action: PlainAction, { userId, reason, ...seen }: Reasoned) =>
    show(tourService.decide(action, { userId, ...seen, note: reason }));
  return {
    request: sessionProcedure
      .meta({ needsName: true, errors: REQUEST_ERRORS })
      .input(requestTourInput)
      .output(tourOutput)
      .mutation(({ ctx, input }) => show(tourService.request({ userId: ctx.user.id, ...input }))),
    confirm: accept('confirm'),
    acceptReschedule: accept('acceptReschedule'),
    proposeReschedule: sessionProcedure
      .meta({ errors: DECISION_ERRORS })
      .input(proposeTourInput)
      .output(tourOutput)
      .mutation(({ ctx, input }) => show(tourService.propose({ userId: ctx.user.id, ...input }))),
    decline: sessionProcedure
      .meta({ errors: DECISION_ERRORS })
      .input(declineTourInput)
      .output(tourOutput)
      .mutation(({ ctx, input }) => withReason('decline', { userId: ctx.user.id, ...input })),
    cancel: sessionProcedure
      .meta({ errors: DECISION_ERRORS })
      .input(cancelTourInput)
      .output(tourOutput)
      .mutation(({ ctx, input }) => withReason('cancel', { userId: ctx.user.id, ...input })),
    refuseReschedule: decide('refuseReschedule'),
    complete: decide('complete'),
    markNoShow: decide('markNoShow'),
    contestNoShow: sessionProcedure
      .meta({ errors: DECISION_ERRORS })
      .input(contestTourInput)
      .output(tourOutput)
      .mutation(({ ctx, input }) => show(tourService.contest({ userId: ctx.user.id, ...input }))),
    markRead: sessionProcedure
      .meta({ errors: ['NOT_FOUND'] })
      .input(readTourInput)
      .output(tourOutput)
      .mutation(async ({ ctx, input }) => {
        const { tourId, version } = input;
        const userId = ctx.user.id;
        await tourService.find(tourId, userId);
        await markTourRead(pool, { userId, tourId, version });
        return show(tourService.find(tourId, userId));
      }),
    // Undo reopens the tour: another tour may have taken its time or its place as the open tour meanwhile.
    undo: decide('undo', [...DECISION_ERRORS, 'TOUR_SLOT_TAKEN', 'TOUR_ALREADY_OPEN']),
  };
}
