import { defineEntity, p } from '@mikro-orm/core';
import type { RowOf } from './row.ts';
import { UserEntity } from './user.ts';
import {
  type HidingReason,
  PRICE_EVENT_SOURCES,
  PRICE_EVENTS,
  STANDARD_STATUSES,
  type StandardStatus,
} from './values.ts';

/**
 * A listing with RESO-style names (docs/contract.md#listings).
 * The numeric columns are numbers here: each has at most 14 digits and a double holds 15 exactly, so a value that is
 * read and written back stays the same. Sums of money belong in SQL, where numeric is exact at any size.
 */
export const PropertyEntity = defineEntity({
  name: 'Property',
  tableName: 'properties',
  properties: {
    id: p.uuid().primary().defaultRaw('gen_random_uuid()'),
    ownerAgentId: p.manyToOne(UserEntity).mapToPk(),
    listPrice: p.decimal('number').precision(14).scale(2),
    currency: p.character().length(3).default('USD'),
    bedroomsTotal: p.integer().nullable(),
    bathroomsTotal: p.decimal('number').precision(4).scale(2).nullable(),
    livingArea: p.decimal('number').precision(12).scale(2).nullable(),
    livingAreaUnits: p.text().default('Square Feet'),
    lotSizeArea: p.decimal('number').precision(14).scale(2).nullable(),
    yearBuilt: p.integer().nullable(),
    propertyType: p.text().nullable(),
    standardStatus: p.enum(STANDARD_STATUSES).default('Active'),
    address: p.text(),
    city: p.text(),
    stateOrProvince: p.text().nullable(),
    postalCode: p.text().nullable(),
    country: p.character().length(2).default('US'),
    latitude: p.double().$type<number>().nullable(),
    longitude: p.double().$type<number>().nullable(),
    publicRemarks: p.text().nullable(),
    features: p.array<string>().columnType('text[]').default([]),
    propertySubType: p.text().nullable(),
    unitNumber: p.text().nullable(),
    countyOrParish: p.text().nullable(),
    subdivisionName: p.text().nullable(),
    lotSizeUnits: p.text().default('Square Feet'),
    /** Half floors count: 1.5. */
    stories: p.decimal('number').precision(4).scale(1).nullable(),
    roomsTotal: p.integer().nullable(),
    garageSpaces: p.integer().nullable(),
    parkingTotal: p.integer().nullable(),
    /** The year of a major renovation. */
    yearBuiltEffective: p.integer().nullable(),
    associationFee: p.decimal('number').precision(14).scale(2).nullable(),
    associationFeeFrequency: p.text().nullable(),
    taxAnnualAmount: p.decimal('number').precision(14).scale(2).nullable(),
    taxYear: p.integer().nullable(),
    originalListPrice: p.decimal('number').precision(14).scale(2).nullable(),
    closePrice: p.decimal('number').precision(14).scale(2).nullable(),
    closeDate: p.date().nullable(),
    /** An IANA name; the showing hours are wall time there. */
    propertyTimeZoneName: p.text().default('UTC'),
    /** Hours. */
    showingAdvanceNotice: p.integer().default(0),
    showingStartTime: p.time().columnType('time without time zone').nullable(),
    showingEndTime: p.time().columnType('time without time zone').nullable(),
    /** Monday to Sunday; empty means every day. */
    showingDays: p.array<string>().columnType('text[]').default([]),
    autoConfirmTours: p.boolean().default(false),
    /** The source of an imported listing; unique together with its key. */
    originatingSystemName: p.text().nullable(),
    originatingSystemKey: p.text().nullable(),
    /** Start of the present listing period. Triggers maintain this column and the next three. */
    listedAt: p.datetime().nullable(),
    /** Null while the listing is on the market, and when it never was on it. */
    offMarketAt: p.datetime().nullable(),
    statusChangedAt: p.datetime().nullable(),
    /** Whole days on the market in earlier listing periods. */
    marketDaysBefore: p.integer().default(0),
    createdAt: p.datetime().defaultRaw('now()'),
    updatedAt: p.datetime().defaultRaw('now()'),
    searchDirtyAt: p.datetime().nullable(),
    searchVersion: p.bigint('number').defaultRaw('0'),
    searchIndexedAt: p.datetime().nullable(),
    /** Why the listing is not public although its status is; a listing without a reason is. */
    hiddenFor: p.array<HidingReason>().columnType('text[]').default([]),
    /** The feed that the listing comes from; null for a listing that was made here. */
    feedId: p.uuid().nullable(),
    /** Whether its address and position may be shown. */
    showAddress: p.boolean().default(true),
    showValuation: p.boolean().default(true),
    showComments: p.boolean().default(true),
    listOfficeName: p.text().nullable(),
    listAgentName: p.text().nullable(),
    listAgentLicense: p.text().nullable(),
    /** The telephone number or address that the listing's firm gives. */
    attributionContact: p.text().nullable(),
    /** When the feed says that the listing changed last. */
    feedUpdatedAt: p.datetime().nullable(),
  },
});
export type Property = RowOf<typeof PropertyEntity>;

/** An agent assigned to a listing in addition to its owner. */
export const PropertyAgentEntity = defineEntity({
  name: 'PropertyAgent',
  tableName: 'property_agents',
  properties: {
    propertyId: p.manyToOne(PropertyEntity).mapToPk().deleteRule('cascade').updateRule('no action').primary(),
    agentId: p.manyToOne(UserEntity).mapToPk().deleteRule('cascade').updateRule('no action').primary(),
    /** When the agent accepted; null for assignments from before there were offers. */
    assignedAt: p.datetime().nullable().defaultRaw('clock_timestamp()'),
  },
});

/** A listing that a person saved, with its price and status at that moment. */
export const FavoriteEntity = defineEntity({
  name: 'Favorite',
  tableName: 'favorites',
  properties: {
    userId: p.manyToOne(UserEntity).mapToPk().deleteRule('cascade').updateRule('no action').primary(),
    propertyId: p.manyToOne(PropertyEntity).mapToPk().deleteRule('cascade').updateRule('no action').primary(),
    savedAt: p.datetime(),
    priceWhenSaved: p.decimal('number').precision(14).scale(2),
    statusWhenSaved: p.text().$type<StandardStatus>(),
    note: p.text().nullable(),
  },
});
export type Favorite = RowOf<typeof FavoriteEntity>;

/** One line of a listing's price history: appended by the triggers of 0012, never changed. */
export const PropertyPriceEventEntity = defineEntity({
  name: 'PropertyPriceEvent',
  tableName: 'property_price_events',
  properties: {
    id: p.bigint('number').primary().generated('identity'),
    propertyId: p.manyToOne(PropertyEntity).mapToPk().deleteRule('cascade'),
    event: p.enum(PRICE_EVENTS).nativeEnumName('property_price_event'),
    /** When it happened; `recordedAt` is when it was recorded. */
    at: p.datetime(),
    price: p.decimal('number').precision(14).scale(2).nullable(),
    previousPrice: p.decimal('number').precision(14).scale(2).nullable(),
    changePct: p.decimal('number').precision(18).scale(2).nullable(),
    currency: p.character().length(3),
    pricePerArea: p.decimal('number').precision(16).scale(2).nullable(),
    areaUnits: p.text().nullable(),
    /** Only for sales: whole days from the beginning of the listing period until it went under contract. */
    daysOnMarket: p.integer().nullable(),
    source: p.enum(PRICE_EVENT_SOURCES),
    /** The listing's key in the system that an import came from. */
    listingKey: p.text().nullable(),
    /** Only for corrections: the row whose price was wrong. */
    correctsId: p.bigint('number').nullable(),
    note: p.text().nullable(),
    recordedByUserId: p.uuid().nullable(),
    recordedAt: p.datetime(),
  },
});
export type PropertyPriceEvent = RowOf<typeof PropertyPriceEventEntity>;
