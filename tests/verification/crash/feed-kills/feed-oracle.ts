import { expect } from 'vitest';
import type { TestPlatform } from '../../../support/platform/platform.ts';
import type { TroubledFeed } from './troubled-feed.ts';

/** Compares what is here with what a feed says, field by field, by rules written a second time and slowly. */
export interface OracleCase {
  readonly platform: TestPlatform;
  readonly feedId: string;
  readonly feed: TroubledFeed;
  /** Its profile hides records by `MlgCanView`, and shows only those for the use IDX. */
  readonly isGrid: boolean;
}
type Body = Readonly<Record<string, unknown>>;

const RESOURCES = ['Property', 'Member', 'Office', 'OpenHouse'] as const;
const fromSource = ({ feed, isGrid }: OracleCase, resource: (typeof RESOURCES)[number]) =>
  [...feed.bodies(resource)].filter(([, body]) => !isGrid || body.MlgCanView !== false);

/** Every record as it came, and none more. */
export async function expectRecords(one: OracleCase): Promise<void> {
  const { platform, feedId } = one;
  const rows = await platform.rows<{ resource: string; key: string; raw: Body }>(
    `select resource, key, raw from feed_records where "feedId" = $1 and state = 'CURRENT'`,
    [feedId],
  );
  const here = Object.fromEntries(rows.map(({ resource, key, raw }) => [`${resource} ${key}`, raw]));
  const there = Object.fromEntries(
    RESOURCES.flatMap((resource) =>
      fromSource(one, resource).map(([key, body]) => [`${resource} ${key}`, body]),
    ),
  );
  expect(here).toEqual(there);
}

const wasNamed = ({ PublicRemarks, StreetNumber, StreetName }: Body) =>
  [StreetNumber, StreetName].every((part) => String(PublicRemarks).includes(String(part)));

/** A home as anyone reads it from the record. */
function homeOf(body: Body, isGrid: boolean) {
  const shows = body.InternetAddressDisplayYN !== false;
  const uses = body.MlgCanUse as string[];
  const isHidden = body.InternetEntireListingDisplayYN === false || (isGrid && !uses.includes('IDX'));
  return {
    status: body.StandardStatus,
    price: body.ListPrice,
    original: body.OriginalListPrice,
    sold: body.ClosePrice ?? null,
    beds: body.BedroomsTotal,
    baths: Number(body.BathroomsFull) + Number(body.BathroomsHalf) / 2,
    area: body.LivingArea,
    built: body.YearBuilt,
    type: body.PropertySubType,
    remarks: shows || !wasNamed(body) ? (body.PublicRemarks ?? null) : null,
    address: shows ? body.UnparsedAddress : '',
    city: body.City,
    state: body.StateOrProvince,
    postal: body.PostalCode,
    latitude: shows ? body.Latitude : null,
    longitude: shows ? body.Longitude : null,
    firm: body.ListOfficeName,
    contact: body.AttributionContact,
    agent: body.ListAgentFullName,
    license: body.ListAgentStateLicense,
    shows,
    isHidden,
  };
}
const HOMES = `
  select "originatingSystemKey" as key, "standardStatus" as status, "listPrice"::float8 as price,
    "originalListPrice"::float8 as original, "closePrice"::float8 as sold, "bedroomsTotal" as beds,
    "bathroomsTotal"::float8 as baths, "livingArea"::float8 as area, "yearBuilt" as built, "propertySubType" as type,
    address, city, "stateOrProvince" as state, "postalCode" as postal, latitude, longitude, "listOfficeName" as firm,
    "publicRemarks" as remarks,
    "attributionContact" as contact, "listAgentName" as agent, "listAgentLicense" as license, "showAddress" as shows,
    "hiddenFor" @> '{FEED_RULE}' as "isHidden"
  from properties where "feedId" = $1 and "standardStatus" <> 'Delete'`;

/** Every listing by its fields, and none more. */
export async function expectHomes(one: OracleCase): Promise<void> {
  const rows = await one.platform.rows<{ key: string }>(HOMES, [one.feedId]);
  const here = Object.fromEntries(rows.map(({ key, ...home }) => [key, home]));
  const there = fromSource(one, 'Property').map(([key, body]) => [key, homeOf(body, one.isGrid)]);
  expect(here).toEqual(Object.fromEntries(there));
}

/** Every picture that may be shown is here, in its order; the others are not. */
export async function expectPictures(one: OracleCase): Promise<void> {
  const rows = await one.platform.rows<{ home: string; key: string; position: number; url: string }>(
    `select p."originatingSystemKey" as home, m.key, m.url,
       case when i.id is null then null else i.position end as position
     from feed_media m join properties p on p.id = m."propertyId" left join property_images i on i.id = m."imageId"
     where m."feedId" = $1`,
    [one.feedId],
  );
  const here = Object.fromEntries(rows.map(({ home, ...picture }) => [`${home} ${picture.key}`, picture]));
  const there = fromSource(one, 'Property').flatMap(([home, body]) => {
    const { isHidden } = homeOf(body, one.isGrid);
    const media = [...(body.Media as Body[])].sort((a, b) => Number(a.Order) - Number(b.Order));
    const isShown = (row: Body) => !isHidden && !(row.Permission as string[]).includes('Private');
    const shown = media.filter(isShown);
    return media.map((row) => [
      `${home} ${row.MediaKey}`,
      { key: row.MediaKey, url: row.MediaURL, position: isShown(row) ? shown.indexOf(row) : null },
    ]);
  });
  expect(here).toEqual(Object.fromEntries(there));
}

/** The history of prices has only what records have said, once, and as one chain. */
export async function expectHistory({ platform, feedId, feed }: OracleCase): Promise<void> {
  const rows = await platform.rows<{ key: string; event: string; at: Date; price: number; before: number }>(
    `select p."originatingSystemKey" as key, e.event, e.at, e.price::float8 as price,
       e."previousPrice"::float8 as before
     from property_price_events e join properties p on p.id = e."propertyId" where p."feedId" = $1 order by e.id`,
    [feedId],
  );
  const last = new Map<string, number>();
  const once = new Set<string>();
  for (const { key, event, at, price, before } of rows) {
    const what = `${event} of ${key} at ${at.toISOString()}: ${before} to ${price}`;
    expect(once.has(`${key} ${event} ${price}`), `${what} is there once`).toBe(false);
    once.add(`${key} ${event} ${price}`);
    const said = { price, at: at.toISOString() };
    if (event === 'PRICE_CHANGED') {
      const known = feed.pricesOf(key).map(({ value, at }) => ({ price: value, at }));
      expect(known, what).toContainEqual(said);
      if (last.has(key)) expect(before, what).toBe(last.get(key));
      last.set(key, price);
    } else if (event === 'PENDING')
      expect(feed.statusesOf(key), what).toContainEqual({ value: 'Pending', at: said.at });
    else expect(['LISTED', 'COMING_SOON', 'SOLD'], what).toContain(event);
  }
}

/** Nothing left that the feed still had: `gone` are all records that were called gone at any time. */
export async function expectNoFalseEnd(one: OracleCase): Promise<void> {
  const gone = await one.platform.rows<{ resource: (typeof RESOURCES)[number]; key: string }>(
    'select distinct resource, key from gone_log where "feedId" = $1',
    [one.feedId],
  );
  const wrong = gone.filter(({ resource, key }) => {
    const body = one.feed.bodies(resource).get(key);
    const hasLeft = one.feed.removed.has(`${resource} ${key}`);
    return !hasLeft && body !== undefined && !(one.isGrid && body.MlgCanView === false);
  });
  expect(wrong).toEqual([]);
}

/** The most in any window of that length; times in milliseconds, in order. */
export function mostInWindow(times: readonly number[], ms: number): number {
  let [first, most] = [0, 0];
  times.forEach((at, index) => {
    while ((times[first] as number) <= at - ms) first += 1;
    most = Math.max(most, index - first + 1);
  });
  return most;
}
