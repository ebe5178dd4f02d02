import { z } from 'zod';
import { PRICE_EVENT_SOURCES, PRICE_EVENTS } from '../../../persistence/entities/values.ts';
import type { PriceEvent } from '../../../persistence/listings/price-events.ts';
import { instant, iso, pageLimit, pageOutput, uuid } from '../text.ts';

/** Pages of the history are requested by `seq`, the number of the last row of the previous page. */
export const priceHistoryInput = z.strictObject({
  propertyId: uuid,
  cursor: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, 'The nextCursor of the page before.')
    .nullish(),
  limit: pageLimit,
});

const priceEvent = z.object({
  /** Numbers this listing's rows in the order of recording, from 1. */
  seq: z.int(),
  event: z.enum(PRICE_EVENTS),
  at: instant,
  /** Null when it is not disclosed. */
  price: z.number().nullable(),
  /** The previous list price, when it differed; for a sale, the list price. */
  previousPrice: z.number().nullable(),
  changePct: z.number().nullable(),
  currency: z.string(),
  pricePerArea: z.number().nullable(),
  areaUnits: z.string().nullable(),
  source: z.enum(PRICE_EVENT_SOURCES),
  listingKey: z.string().nullable(),
  /** For a CORRECTION: the reason. */
  note: z.string().nullable(),
  /** For a CORRECTION: the wrong row, which stays in the history. */
  correctsSeq: z.int().nullable(),
});

/** Newest first. */
export const priceHistoryOutput = pageOutput(priceEvent);

export function toPriceEvent(event: PriceEvent): z.output<typeof priceEvent> {
  return { ...event, at: iso(event.at) };
}
