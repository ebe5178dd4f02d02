import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import type { MediaRow } from '../../../persistence/feeds/feed-media.ts';
import {
  type FeedPageWriter,
  inFeedPage,
  type KnownRecord,
  type RecordRow,
  type SeenFeed,
} from '../../../persistence/feeds/feed-page.ts';
import type { ListingRow } from '../../../persistence/feeds/listing-columns.ts';
import type { Standard } from '../mapping/features.ts';
import { type Mapped, type MappingTerms, mapListing } from '../mapping/map-listing.ts';
import { mapMedia } from '../mapping/map-media.ts';
import { factsOfBirth, factsOfChange, type PriceFact } from '../mapping/price-facts.ts';
import type { FeedPage, FeedRecord } from '../reading/feed-reading.ts';
import { uuidv5 } from './listing-ids.ts';
import { mediaRows } from './media-rows.ts';
import { withNames } from './named-people.ts';
import { followOpenHouses } from './open-houses.ts';

/** What of a feed and its profile decides how its pages are written. */
export interface WritingTerms {
  mapping: MappingTerms;
  /** Pictures with one of these permissions, or none, are shown. */
  mediaPermissions: readonly string[];
  standard: Standard;
  currency: string;
  /** A first load is no news. */
  isNews: boolean;
  /** The page is of a look at what changed: with its end, all that there is was read. */
  isLook: boolean;
  /** Names the list of keys that is being read. */
  listBegan: number | null;
  /** Between the end of a look and the next one. Milliseconds. */
  lookEveryMs: number;
}

export interface PageOutcome {
  changed: number;
  unchanged: number;
  gone: number;
  /** Keys of the list that are not here, or are older here. */
  unknown: { resource: string; key: string }[];
}

/**
 * Writes a page in one transaction: records, listings, prices and the cursor that `cursorOf` makes of what is known then. Records that came as they were change nothing.
 * Null, and nothing written, when the feed has moved since it was seen.
 */
export function writePage(
  pool: Pool,
  seen: SeenFeed,
  page: FeedPage,
  terms: WritingTerms,
  cursorOf: (unknown: PageOutcome['unknown']) => unknown,
): Promise<PageOutcome | null> {
  return inFeedPage(pool, seen, async (writer) => {
    await writer.announce(terms.isNews ? 'feed' : 'none');
    const records = lastOfEach(page.records);
    const known = await writer.known(records);
    const before = new Map(known.map((one) => [nameOf(one), one]));
    const rows = records.map((record) => ({
      record,
      row: rowOf(record),
      before: before.get(nameOf(record)),
    }));
    const isSame = ({ row, before }: (typeof rows)[number]) =>
      before !== undefined && before.hash === row.hash && before.state !== 'GONE';
    const same = rows.filter(isSame);
    const changed = rows.filter((one) => !isSame(one));
    if (same.length > 0) await writer.touch(same.map(({ record }) => record));
    if (changed.length > 0) await writeChanged(writer, seen.id, changed, terms);
    // What is current in the same answer has not left.
    const current = new Set(records.map(nameOf));
    const gone = page.gone.filter((one) => !current.has(nameOf(one)));
    if (gone.length > 0) await writer.endListings(await writer.endRecords(gone));
    await followOpenHouses(
      writer,
      seen.id,
      changed.map(({ record }) => record),
      gone,
    );
    const { keys } = page;
    const listed =
      keys === undefined || terms.listBegan === null
        ? []
        : await writer.noteListed(keys.resource, keys.keys, terms.listBegan);
    const unknown = listed.map((key) => ({ resource: keys?.resource ?? '', key }));
    const isLookOver = page.done && terms.isLook;
    await writer.moveCursor(cursorOf(unknown), isLookOver ? { nextAt: writer.at + terms.lookEveryMs } : null);
    return { changed: changed.length, unchanged: same.length, gone: gone.length, unknown };
  });
}

const nameOf = ({ resource, key }: { resource: string; key: string }): string => `${resource}\n${key}`;

/** A page may name a record twice: the later one is newer. In the order of their names, as every writer locks them. */
function lastOfEach(records: readonly FeedRecord[]): FeedRecord[] {
  const last = new Map(records.map((record) => [nameOf(record), record]));
  return [...last.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, record]) => record);
}

type Raw = Pick<RecordRow, 'resource' | 'key' | 'raw' | 'hash' | 'modifiedAt'>;
function rowOf({ resource, key, body, modifiedAt }: FeedRecord): Raw {
  const raw = JSON.stringify(body);
  return { resource, key, raw, hash: createHash('sha256').update(raw).digest('hex'), modifiedAt };
}

interface Changed {
  record: FeedRecord;
  row: Raw;
  before: KnownRecord | undefined;
}

async function writeChanged(
  writer: FeedPageWriter,
  feedId: string,
  changed: readonly Changed[],
  terms: WritingTerms,
): Promise<void> {
  const bodyOf = await withNames(
    writer,
    changed.map(({ record }) => record),
  );
  const mapped = changed.map((one) => ({
    ...one,
    mapped:
      one.record.resource === 'Property'
        ? mapListing(bodyOf(one.record), terms.mapping, terms.standard)
        : null,
  }));
  const listings = mapped.flatMap(({ record, before, mapped }) =>
    mapped === null || 'refused' in mapped
      ? []
      : [listingOf({ feedId, record, before, mapped, at: writer.at })],
  );
  const births = listings.filter(({ isNew }) => isNew);
  const updates = listings.filter(({ isNew }) => !isNew);
  const made =
    births.length === 0
      ? new Set<string>()
      : await writer.insertListings(
          births.map(({ row }) => row),
          terms.currency,
        );
  const taken = new Set(births.filter(({ row }) => !made.has(row.id)).map(({ row }) => row.key));
  await writer.putRecords(mapped.map(({ record, row, mapped }) => recordOf(record, row, mapped, taken)));
  if (updates.length > 0) await writer.updateListings(updates.map(({ row }) => row));
  const written = listings.filter(({ row }) => !taken.has(row.key));
  await writer.linkListings(written.map(({ row }) => ({ key: row.key, propertyId: row.id })));
  const prices = written.flatMap(({ row, facts }) =>
    facts.map(({ at, ...fact }) => ({ ...fact, propertyId: row.id, at: new Date(at).toISOString() })),
  );
  if (prices.length > 0) await writer.appendPrices(prices);
  const pictures = mediaOf(written, terms);
  if (pictures.length > 0) await writer.putMedia(pictures);
  // A record that is no listing any more leaves none behind.
  const refused = mapped.flatMap(({ mapped, before }) =>
    mapped !== null && 'refused' in mapped && before?.propertyId ? before.propertyId : [],
  );
  if (refused.length > 0) await writer.endListings(refused);
}

/** Of each listing that a record says the pictures of. */
function mediaOf(
  written: readonly ReturnType<typeof listingOf>[],
  { mediaPermissions: permissions, standard }: WritingTerms,
): { propertyId: string; media: MediaRow[] }[] {
  return written.flatMap(({ row: { id: propertyId, isHidden }, body }) => {
    const media = mapMedia(body, { permissions, isHidden }, standard);
    return media === null ? [] : [{ propertyId, media: mediaRows(propertyId, media) }];
  });
}

function recordOf(
  record: FeedRecord,
  row: Raw,
  mapped: Mapped | null,
  taken: ReadonlySet<string>,
): RecordRow {
  const isTaken = record.resource === 'Property' && taken.has(record.key);
  const refused = mapped !== null && 'refused' in mapped ? mapped.refused : isTaken ? ['ListingKey'] : null;
  return {
    ...row,
    state: refused === null ? 'CURRENT' : 'REFUSED',
    unmapped: JSON.stringify({ ...mapped?.unmapped, ...(refused === null ? {} : { '@refused': refused }) }),
  };
}

function listingOf({
  feedId,
  record,
  before,
  mapped,
  at,
}: {
  feedId: string;
  record: FeedRecord;
  before: KnownRecord | undefined;
  mapped: Exclude<Mapped, { refused: readonly string[] }>;
  at: number;
}): { row: ListingRow; isNew: boolean; facts: PriceFact[]; body: FeedRecord['body'] } {
  const { listing, isHidden, times } = mapped;
  const known =
    before?.propertyId && before.standardStatus !== null && before.listPrice !== null
      ? {
          id: before.propertyId,
          standardStatus: before.standardStatus,
          listPrice: before.listPrice,
          wasListed: before.wasListed === true,
        }
      : null;
  const time = (millis: number | null) => (millis === null ? null : new Date(millis).toISOString());
  const statusChangedAt = times.statusChangedAt === null ? null : Math.min(times.statusChangedAt, at);
  const isOn = listing.listedAt !== null && listing.listedAt > at;
  return {
    row: {
      ...listing,
      id: known?.id ?? uuidv5(feedId, record.key),
      key: record.key,
      isHidden,
      listedAt: time(isOn ? at : listing.listedAt),
      statusChangedAt: time(statusChangedAt),
      offMarketAt: time(listing.offMarketAt),
      feedUpdatedAt: time(listing.feedUpdatedAt),
    },
    isNew: known === null,
    body: record.body,
    facts: known === null ? factsOfBirth(listing, times, at) : factsOfChange(known, listing, times, at),
  };
}
