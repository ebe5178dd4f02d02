import { z } from 'zod';

/**
 * What a vendor of listings asks of its readers, as data: one file a profile in this folder. Nothing of a vendor is in
 * code. The numbers are those of the vendors' public pages; an operator checks them with the vendor before a first load
 * (docs/feeds-in.md#profiles).
 */

/** The resources that a feed may have, with the field that is the key of each. */
export const KEY_FIELDS = {
  Property: 'ListingKey',
  Member: 'MemberKey',
  Office: 'OfficeKey',
  OpenHouse: 'OpenHouseKey',
  Media: 'MediaKey',
  Lookup: 'LookupKey',
} as const;
/** A resource that is read by itself. Media come with their listing. */
const READ_RESOURCES = ['Property', 'Member', 'Office', 'OpenHouse', 'Lookup'] as const;
export type FeedResource = (typeof READ_RESOURCES)[number];

const count = z.int().positive();
const text = z.strictObject({ en: z.string().min(1).max(500), es: z.string().min(1).max(500) });
const field = z.string().regex(/^[A-Z]\w{0,99}$/);

const rates = z.strictObject({
  second: count.max(100).nullable(),
  minute: count.max(6_000).nullable(),
  hour: count.max(40_000),
  day: count.max(100_000).nullable(),
  /** Of answers, as they come over the line. */
  bytesAnHour: count.min(100_000_000).nullable(),
  /** How long nothing is requested after an answer 429 that does not say. */
  pauseMs: count.max(86_400_000),
});

const token = z.discriminatedUnion('way', [
  z.strictObject({ way: z.literal('BEARER') }),
  z.strictObject({
    way: z.literal('CLIENT_CREDENTIALS'),
    /** Resolved against the feed's base address. */
    path: z.string().min(1).max(200),
    scope: z.string().max(100).nullable(),
  }),
]);

/** How records are read. */
const replication = z.strictObject({
  way: z.enum(['ENTITY_EVENT', 'TIMESTAMP', 'NEXT_LINK', 'TOP_SKIP']),
  /** Below the service root instead of the resource's name; `{resource}` is replaced. */
  path: z.string().max(100),
  /** The feed takes `$orderby`. */
  orders: z.boolean(),
  /** The feed takes `(time eq t and key gt k) or time gt t` with an order by both. Otherwise groups are read by key. */
  ordersByBoth: z.boolean(),
  /** The feed takes `$count=true`. */
  counts: z.boolean(),
  /** How far each look goes back before the newest time of the one before: what was committed late is in it. */
  overlapMinutes: z.int().min(1).max(1_440),
});

const page = z.strictObject({
  /** What says the size of a page whose next one is a link: `$top`, or the header `Prefer: odata.maxpagesize`. */
  by: z.enum(['TOP', 'PREFER']),
  /** Records of a request, and the most that a request may ask for. */
  size: count.max(5_000),
  most: count.max(5_000),
  /** Keys of a request that selects only keys. */
  keys: count.max(300_000),
  /** Keys in one `in (…)`. */
  inList: count.max(100),
});

const deletion = z.discriminatedUnion('sign', [
  /** Only the list of all keys shows them. */
  z.strictObject({ sign: z.literal('NONE') }),
  /** A record with this value has left. */
  z.strictObject({ sign: z.literal('FIELD'), field, value: z.boolean() }),
]);

const media = z.strictObject({
  /** Come with their listing, by `$expand=Media`. */
  expands: z.boolean(),
  /** The download names itself by the access token. */
  userAgentIsToken: z.boolean(),
  /** Downloads have a rate of their own. */
  minute: count.max(6_000),
  hour: count.max(40_000),
});

const display = z.strictObject({
  rule: z.enum(['IDX', 'VOW', 'OWN']),
  /** Without InternetEntireListingDisplayYN a listing is hidden. */
  optIn: z.boolean(),
  /** The record must name this use to be shown. */
  use: z.strictObject({ field, value: z.string().min(1).max(50) }).nullable(),
  /** Pictures with one of these permissions, or none, are shown. */
  mediaPermissions: z.array(z.string().min(1).max(50)).min(1).max(10),
  /** Listings are hidden when the last complete look is older. */
  mostHours: count.max(720),
  /** The firm's name and the contact that it provided are next to every full display. */
  firm: z.boolean(),
  contact: z.boolean(),
});

export const profileSchema = z
  .strictObject({
    name: z.string().regex(/^[a-z][a-z0-9-]{0,39}$/),
    title: z.string().min(1).max(60),
    /** The service root of the vendor, with `{…}` for what is the feed's own; null when each feed has its own. */
    root: z.string().max(200).nullable(),
    token,
    /** Sent with every request, besides the token and `Accept-Encoding: gzip`. */
    headers: z.record(z.string().regex(/^[a-z][a-z-]{0,40}$/), z.string().min(1).max(200)),
    /** Every `$filter` names exactly one value of this field; it comes from the feed's own filter. */
    filterBy: field.nullable(),
    /** In the order in which they are read: who is named by a listing comes before it. */
    resources: z.array(z.enum(READ_RESOURCES)).min(1).max(READ_RESOURCES.length),
    replication,
    page,
    rates,
    deletion,
    media,
    /** Before every key and member id: kept with the record, removed where people read it. A regular expression. */
    keyPrefix: z.string().max(40).nullable(),
    display,
    attribution: z.strictObject({ source: text, disclaimer: text }),
    /** Photos may be staged: most licenses forbid it. */
    stageable: z.boolean(),
    /** Listings may be part of our own feed. */
    redistribute: z.boolean(),
  })
  .refine(({ page: { size, most } }) => size <= most, { message: 'a page is at most the largest page' })
  .refine(({ replication: { way, orders } }) => way === 'NEXT_LINK' || way === 'ENTITY_EVENT' || orders, {
    message: 'without an order only links and events can be followed',
  })
  .refine(({ resources }) => new Set(resources).size === resources.length, {
    message: 'each resource is read once',
  });

export type FeedProfile = Readonly<z.infer<typeof profileSchema>>;
