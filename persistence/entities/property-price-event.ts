import { defineEntity, p } from '@mikro-orm/core';
import { PropertyEntity } from './property.ts';
import type { RowOf } from './row.ts';

/** What can happen to a listing's price and offer (docs/contract.md#price-history). */
export const PRICE_EVENTS = [
  'COMING_SOON',
  'LISTED',
  'LISTED_FOR_RENT',
  'PRICE_CHANGED',
  'UNDER_CONTRACT',
  'PENDING',
  'BACK_ON_MARKET',
  'HOLD',
  'WITHDRAWN',
  'CANCELED',
  'EXPIRED',
  'RELISTED',
  'SOLD',
  'RENTED',
  'CORRECTION',
] as const;

/** Who told of it: the listing's own change, an import, or the migration that began the history. */
export const PRICE_EVENT_SOURCES = ['listing', 'import', 'migration'] as const;

/** One line of a listing's price history: appended by the triggers of 0012, never changed. */
export const PropertyPriceEventEntity = defineEntity({
  name: 'PropertyPriceEvent',
  tableName: 'property_price_events',
  properties: {
    id: p.bigint('number').primary().generated('identity'),
    propertyId: p.manyToOne(PropertyEntity).mapToPk().deleteRule('cascade'),
    event: p.enum(PRICE_EVENTS).nativeEnumName('property_price_event'),
    /** When it happened; `recordedAt` is when it was told. */
    at: p.datetime(),
    price: p.decimal('number').precision(14).scale(2).nullable(),
    previousPrice: p.decimal('number').precision(14).scale(2).nullable(),
    changePct: p.decimal('number').precision(18).scale(2).nullable(),
    currency: p.character().length(3),
    pricePerArea: p.decimal('number').precision(16).scale(2).nullable(),
    areaUnits: p.text().nullable(),
    /** Of sales: whole days from the beginning of the listing period until it went under contract. */
    daysOnMarket: p.integer().nullable(),
    source: p.enum(PRICE_EVENT_SOURCES),
    /** The listing's key in the system that an import came from. */
    listingKey: p.text().nullable(),
    /** Of corrections: the row whose price was wrong. */
    correctsId: p.bigint('number').nullable(),
    note: p.text().nullable(),
    recordedByUserId: p.uuid().nullable(),
    recordedAt: p.datetime(),
  },
});
export type PropertyPriceEvent = RowOf<typeof PropertyPriceEventEntity>;
