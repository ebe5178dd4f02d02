import { z } from 'zod';
import { OPEN_HOUSE_LEAST_MS, OPEN_HOUSE_MOST_MS } from '../../../machines/limits.ts';
import type { OpenHouseAhead } from '../../../persistence/database/open-houses-ahead.ts';
import type { OpenHouse } from '../../../persistence/listings/open-houses.ts';
import { instant, iso, paragraphs, uuid } from '../text.ts';

const millis = instant.transform((text) => Date.parse(text));
const remarks = paragraphs(500).nullable();

/** Only an end that is known can be too early or too late. */
const lengthOf = ({ startsAt, endsAt }: { startsAt?: number | undefined; endsAt?: number | undefined }) =>
  startsAt === undefined || endsAt === undefined ? OPEN_HOUSE_LEAST_MS : endsAt - startsAt;
const LENGTH = {
  message: 'An open house takes from 15 minutes to 8 hours.',
  path: ['endsAt'],
};
const isLength = (given: { startsAt?: number | undefined; endsAt?: number | undefined }): boolean =>
  lengthOf(given) >= OPEN_HOUSE_LEAST_MS && lengthOf(given) <= OPEN_HOUSE_MOST_MS;

export const createOpenHouseInput = z
  .strictObject({ propertyId: uuid, startsAt: millis, endsAt: millis, remarks: remarks.default(null) })
  .refine(isLength, LENGTH);
/** Both times or none. */
export const updateOpenHouseInput = z
  .strictObject({
    openHouseId: uuid,
    startsAt: millis.optional(),
    endsAt: millis.optional(),
    remarks: remarks.optional(),
  })
  .refine(({ startsAt, endsAt }) => (startsAt === undefined) === (endsAt === undefined), {
    message: 'Give the start and the end.',
    path: ['endsAt'],
  })
  .refine(isLength, LENGTH);
export const openHouseInput = z.strictObject({ openHouseId: uuid });
export const openHouseIdOutput = z.object({ openHouseId: z.string() });
export const listOpenHousesInput = z.strictObject({ propertyId: uuid });

/** As the public sees one, with RESO's words: `OpenHouseStartTime`, `OpenHouseEndTime`, `OpenHouseRemarks`. */
export const openHouseAhead = z.object({
  openHouseId: z.string(),
  startsAt: instant,
  endsAt: instant,
  remarks: z.string().nullable(),
});

/** RESO's `OpenHouseStatus`. */
const OPEN_HOUSE_STATUSES = ['Active', 'Canceled', 'Ended'] as const;
export const openHouse = openHouseAhead.extend({ status: z.enum(OPEN_HOUSE_STATUSES) });
/** The latest first. */
export const listOpenHousesOutput = z.object({ items: z.array(openHouse) });

/** With a calendar entry (RFC 5545). */
export const getOpenHouseOutput = openHouse.extend({ propertyId: z.string(), ics: z.string() });

/** Those that are not over, the next one first. */
export const aheadOf = (houses: readonly OpenHouseAhead[], at: number): z.output<typeof openHouseAhead>[] =>
  houses
    .filter(({ endsAt }) => endsAt > at)
    .map(({ openHouseId, startsAt, endsAt, remarks: words }) => ({
      openHouseId,
      startsAt: iso(startsAt),
      endsAt: iso(endsAt),
      remarks: words,
    }));

export function toOpenHouse(
  {
    openHouseId,
    startsAt,
    endsAt,
    remarks: words,
    canceledAt,
  }: Omit<OpenHouse, 'propertyId' | 'changedAt' | 'version'>,
  at: number,
): z.output<typeof openHouse> {
  const isOver = endsAt <= at;
  return {
    openHouseId,
    startsAt: iso(startsAt),
    endsAt: iso(endsAt),
    remarks: words,
    status: canceledAt !== null ? 'Canceled' : isOver ? 'Ended' : 'Active',
  };
}
