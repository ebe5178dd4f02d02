import { beforeAll, describe, expect, test } from 'vitest';
import {
  seedOpenHouse,
  seedOriginal,
  seedProperty,
  seedUser,
  seedVariant,
} from '../../support/database/seed.ts';
import { useApiHost } from '../../support/http/api-host.ts';
import { type FeedClient, numberAll, openFeedClient } from '../../support/reso/feed-client.ts';

/** RESO Web API Core 2.0.0 and 2.1.0, and EntityEvent, scenario by scenario (docs/feeds.md#conformance). */
const host = useApiHost();
let client: FeedClient;
let draft: string;

interface Row {
  // biome-ignore lint/suspicious/noExplicitAny: fields of any type.
  [field: string]: any;
}
const HOMES = 12;
const STATUSES = ['Active', 'Pending', 'Closed', 'Coming Soon'];

beforeAll(async () => {
  const agent = await seedUser(host.pool, {
    name: "Flann O'Brien",
    officeName: 'North Office',
    phone: '+1 206 555 0100',
  });
  for (let index = 0; index < HOMES; index += 1) {
    const propertyId = await seedProperty(host.pool, {
      ownerAgentId: agent,
      standardStatus: STATUSES[index % STATUSES.length],
      propertyType: 'Residential',
      address: `${index} Elm Street`,
      bedroomsTotal: index % 5,
      listPrice: `${(index + 1) * 100_000}.50`,
      livingArea: index === 3 ? null : `${900 + index}.25`,
      publicRemarks: index % 2 === 0 ? "An agent's home" : null,
      features: index % 3 === 0 ? [] : ['HIGH_CEILINGS', ...(index % 2 === 0 ? ['PANTRY'] : [])],
      listedAt: new Date(Date.UTC(2026, 0, 1 + index)),
      stateOrProvince: 'WA',
    });
    const original = await seedOriginal(host.pool, { propertyId });
    if (index % 2 === 0) await seedVariant(host.pool, original, { reviewStatus: 'APPROVED' });
    if (index % 4 === 0) await seedOpenHouse(host.pool, { propertyId });
  }
  draft = await seedProperty(host.pool, { standardStatus: 'Incomplete' });
  await numberAll(host);
  client = await openFeedClient(host);
});

const rows = async (options: Record<string, string>, resource = 'Property'): Promise<Row[]> => {
  const { status, data, text } = await client.query(resource, options);
  if (status !== 200) throw new Error(text);
  return data.value;
};
const all = () => rows({ $top: '1000' });

describe('the frame', () => {
  test('metadata-validation: CSDL 4.0 with a key for each type, lookups as annotated strings', async () => {
    for (const path of ['/$metadata', '/$metadata?$format=application/xml']) {
      const { status, headers, text } = await client.get(path);
      expect(status).toBe(200);
      expect(headers.get('content-type')).toMatch(/^application\/xml/);
      expect(headers.get('odata-version')).toBe('4.01');
      expect(text).toContain('<edmx:Edmx Version="4.0"');
      expect(text.match(/<EntityType /g)).toHaveLength(7);
      expect(text.match(/<Key>/g)).toHaveLength(7);
      expect(text).toContain('<Annotation Term="RESO.OData.Metadata.LookupName" String="StandardStatus"/>');
      expect(text).not.toMatch(/EnumType|IsFlags/);
    }
  });

  test.each(['', '/'])('service-document: GET {root}%s', async (path) => {
    const { status, data } = await client.get(path);
    expect(status).toBe(200);
    expect(data['@odata.context']).toBe('https://api.example.com/reso/odata/$metadata');
    expect(data['@odata.nextLink']).toBeUndefined();
    expect(data.value).toContainEqual({ name: 'Property', kind: 'EntitySet', url: 'Property' });
    expect(data.value).toHaveLength(7);
  });

  test('fetch-by-key: the record with its context', async () => {
    const [first] = await all();
    const { status, data } = await client.get(`/Property('${first?.ListingKey}')`);
    expect(status).toBe(200);
    expect(data).toEqual({
      '@odata.context': 'https://api.example.com/reso/odata/$metadata#Property/$entity',
      ...first,
    });
  });

  test('select: the key and one field', async () => {
    const [first] = await rows({ $select: 'ListingKey,ListPrice', $top: '1' });
    expect(Object.keys(first ?? {})).toEqual(['ListingKey', 'ListPrice']);
  });

  test('top and skip: other keys', async () => {
    const keys = async (options: Record<string, string>) =>
      (await rows({ $select: 'ListingKey', $top: '5', ...options })).map(({ ListingKey }) => ListingKey);
    const first = await keys({});
    const second = await keys({ $skip: '5' });
    expect([...first, ...second]).toHaveLength(10);
    expect(new Set([...first, ...second]).size).toBe(10);
  });

  test('count: all that fit, whatever the page', async () => {
    const { data } = await client.query('Property', { $count: 'true', $top: '2' });
    expect(data['@odata.count']).toBe(HOMES);
    expect(
      (await client.query('Property', { $count: 'true', $filter: 'BedroomsTotal eq 1' })).data[
        '@odata.count'
      ],
    ).toBe(3);
    expect((await client.get('/Property/$count')).text).toBe(String(HOMES));
  });

  test.each([
    ['response-code-400', "/Property?$filter=INVALIDFIELD%20eq%20'bad'", 400],
    ['response-code-404', '/ResourceNotFound', 404],
    ['a key that is not there', "/Property('00000000-0000-0000-0000-000000000000')", 404],
    ['a key that is none', "/Property('it''s')", 404],
    ['an option that is not known', '/Property?$apply=aggregate', 400],
    ['a number out of range', `/Property?$filter=BedroomsTotal%20eq%20${'9'.repeat(31)}`, 400],
    ['a link that was changed', '/Property?$skiptoken=WyJ4Il0', 400],
  ])('%s: %s is %i', async (_name, path, expected) => {
    const { status, data, headers } = await client.get(path);
    expect(status).toBe(expected);
    expect(headers.get('odata-version')).toBe('4.01');
    expect(data.error).toMatchObject({ code: expect.any(String), message: expect.any(String) });
  });

  test('a draft is 404, and a version that is not served 400', async () => {
    expect((await client.get(`/Property('${draft}')`)).status).toBe(404);
    expect((await client.get('/Property', { 'OData-Version': '5.0' })).status).toBe(400);
    expect((await client.get('/Property?$top=1', { 'OData-MaxVersion': '4.0' })).status).toBe(200);
  });
});

type Check = (row: Row) => boolean;
const instantOf = (text: string | null) => (text === null ? Number.NaN : Date.parse(text));
const T = '2026-01-05T00:00:00Z';
const D = '2026-01-05';
/** Name, filter, and what the test's own code finds. */
const FILTERS: [name: string, filter: string, holds: Check][] = [
  [
    'filter-int-and',
    'BedroomsTotal gt 1 and BedroomsTotal lt 4',
    (r) => r.BedroomsTotal > 1 && r.BedroomsTotal < 4,
  ],
  [
    'filter-int-or',
    'BedroomsTotal gt 3 or BedroomsTotal lt 1',
    (r) => r.BedroomsTotal > 3 || r.BedroomsTotal < 1,
  ],
  ['filter-int-not', 'not(BedroomsTotal le -1)', () => true],
  ['filter-int-eq', 'BedroomsTotal eq 2', (r) => r.BedroomsTotal === 2],
  ['filter-int-ne', 'BedroomsTotal ne 2', (r) => r.BedroomsTotal !== 2],
  ['filter-int-gt', 'BedroomsTotal gt 2', (r) => r.BedroomsTotal > 2],
  ['filter-int-ge', 'BedroomsTotal ge 2', (r) => r.BedroomsTotal >= 2],
  ['filter-int-lt', 'BedroomsTotal lt 2', (r) => r.BedroomsTotal < 2],
  ['filter-int-le', 'BedroomsTotal le 2', (r) => r.BedroomsTotal <= 2],
  ['filter-decimal-ne', 'ListPrice ne 300000.5', (r) => r.ListPrice !== 300_000.5],
  ['filter-decimal-gt', 'ListPrice gt 300000.50', (r) => r.ListPrice > 300_000.5],
  ['filter-decimal-ge', 'ListPrice ge 300000.50', (r) => r.ListPrice >= 300_000.5],
  ['filter-decimal-lt', 'ListPrice lt 300000.50', (r) => r.ListPrice < 300_000.5],
  ['filter-decimal-le', 'ListPrice le 300000.50', (r) => r.ListPrice <= 300_000.5],
  ['filter-date-eq', `ListingContractDate eq ${D}`, (r) => r.ListingContractDate === D],
  ['filter-date-ne', `ListingContractDate ne ${D}`, (r) => r.ListingContractDate !== D],
  ['filter-date-gt', `ListingContractDate gt ${D}`, (r) => r.ListingContractDate > D],
  ['filter-date-ge', `ListingContractDate ge ${D}`, (r) => r.ListingContractDate >= D],
  ['filter-date-lt', `ListingContractDate lt ${D}`, (r) => r.ListingContractDate < D],
  ['filter-date-le', `ListingContractDate le ${D}`, (r) => r.ListingContractDate <= D],
  ['filter-datetime-gt', `OnMarketTimestamp gt ${T}`, (r) => instantOf(r.OnMarketTimestamp) > instantOf(T)],
  ['filter-datetime-ge', `OnMarketTimestamp ge ${T}`, (r) => instantOf(r.OnMarketTimestamp) >= instantOf(T)],
  ['filter-datetime-ne', `OnMarketTimestamp ne ${T}`, (r) => instantOf(r.OnMarketTimestamp) !== instantOf(T)],
  ['filter-datetime-lt', `OnMarketTimestamp lt ${T}`, (r) => instantOf(r.OnMarketTimestamp) < instantOf(T)],
  ['filter-datetime-le', `OnMarketTimestamp le ${T}`, (r) => instantOf(r.OnMarketTimestamp) <= instantOf(T)],
  ['filter-datetime-lt-now', 'ModificationTimestamp lt now()', () => true],
  ['filter-datetime-le-now', 'ModificationTimestamp le now()', () => true],
  ['filter-datetime-ne-now', 'ModificationTimestamp ne now()', () => true],
  ['filter-enum-single-has', "StandardStatus has 'Active'", (r) => r.StandardStatus === 'Active'],
  ['filter-enum-single-eq', "StandardStatus eq 'Active'", (r) => r.StandardStatus === 'Active'],
  ['filter-enum-single-ne', "StandardStatus ne 'Active'", (r) => r.StandardStatus !== 'Active'],
  ['filter-enum-multi-has', "InteriorFeatures has 'Pantry'", (r) => r.InteriorFeatures.includes('Pantry')],
  [
    'filter-enum-multi-has-and',
    "InteriorFeatures has 'Pantry' and InteriorFeatures has 'High Ceilings'",
    (r) => r.InteriorFeatures.includes('Pantry') && r.InteriorFeatures.includes('High Ceilings'),
  ],
  [
    'filter-coll-enum-any',
    "InteriorFeatures/any(x:x eq 'Pantry')",
    (r) => r.InteriorFeatures.includes('Pantry'),
  ],
  [
    'filter-coll-enum-all',
    "InteriorFeatures/all(x:x eq 'High Ceilings' or x eq 'Bar')",
    (r) => r.InteriorFeatures.every((value: string) => value === 'High Ceilings' || value === 'Bar'),
  ],
  [
    'filter-string-enum-single-eq',
    "StandardStatus eq 'Coming Soon'",
    (r) => r.StandardStatus === 'Coming Soon',
  ],
  [
    'filter-string-enum-single-ne',
    "StandardStatus ne 'Coming Soon'",
    (r) => r.StandardStatus !== 'Coming Soon',
  ],
  [
    'filter-string-enum-multi-any',
    "InteriorFeatures/any(f:f eq 'High Ceilings')",
    (r) => r.InteriorFeatures.length > 0,
  ],
  [
    'filter-string-enum-multi-all',
    "InteriorFeatures/all(f:f ne 'Pantry')",
    (r) => !r.InteriorFeatures.includes('Pantry'),
  ],
  [
    'filter-string-enum-single-in',
    "StandardStatus in ('Active','Pending','Hold')",
    (r) => ['Active', 'Pending'].includes(r.StandardStatus),
  ],
  ['filter-string-contains', "contains(PublicRemarks,'agent''s')", (r) => r.PublicRemarks !== null],
  ['filter-string-startswith', "startswith(UnparsedAddress,'1')", (r) => r.UnparsedAddress.startsWith('1')],
  [
    'filter-string-endswith',
    "endswith(UnparsedAddress,'1 Elm Street')",
    (r) => r.UnparsedAddress.endsWith('1 Elm Street'),
  ],
  ['a null equals nothing', 'LivingArea lt 5000', (r) => r.LivingArea !== null],
  ['not of a null', 'not (LivingArea lt 5000)', (r) => r.LivingArea === null],
  ['null', 'PublicRemarks eq null', (r) => r.PublicRemarks === null],
  ['quotes', "ListAgentFullName eq 'Flann O''Brien'", () => true],
  ['a flag', 'FireplaceYN eq true', (r) => r.FireplaceYN === true],
  ['an empty list', 'InteriorFeatures/any()', (r) => r.InteriorFeatures.length > 0],
];

describe('filters', () => {
  test.each(FILTERS)('%s: %s', async (_name, $filter, holds) => {
    const every = await all();
    expect(every).toHaveLength(HOMES);
    const expected = every.filter(holds).map(({ ListingKey }) => ListingKey);
    expect((await rows({ $filter, $top: '1000' })).map(({ ListingKey }) => ListingKey)).toEqual(expected);
  });

  test.each(['asc', 'desc'])('orderby-timestamp-%s, also with -filter-int-gt', async (way) => {
    const filters: Record<string, string>[] = [{}, { $filter: 'BedroomsTotal gt 1' }];
    for (const filter of filters) {
      const times = (await rows({ $orderby: `ModificationTimestamp ${way}`, ...filter })).map((row) =>
        Date.parse(row.ModificationTimestamp),
      );
      expect(times.length).toBeGreaterThan(5);
      expect(times).toEqual(times.toSorted((a, b) => (way === 'asc' ? a - b : b - a)));
      expect(new Set(times).size).toBe(times.length);
    }
  });
});

async function walk(
  first: string,
  headers: Record<string, string> = {},
): Promise<{ pages: number; found: Row[] }> {
  const found: Row[] = [];
  let pages = 0;
  for (let path: string | undefined = first; path !== undefined; pages += 1) {
    if (pages > 50) throw new Error('the links never end');
    const { status, data, text } = await client.get(path, headers);
    if (status !== 200) throw new Error(text);
    found.push(...data.value);
    path = data['@odata.nextLink'];
  }
  return { pages, found };
}

describe('2.1.0', () => {
  test('lookup-resource-validation: values served are listed, count and rows agree', async () => {
    const { found } = await walk('/Lookup?$count=true', { Prefer: 'odata.maxpagesize=100' });
    const { data } = await client.query('Lookup', { $count: 'true', $top: '1' });
    expect(data['@odata.count']).toBe(found.length);
    expect(new Set(found.map(({ LookupKey }) => LookupKey)).size).toBe(found.length);
    const listed = new Set(found.map(({ LookupName, LookupValue }) => `${LookupName} ${LookupValue}`));
    const metadata = (await client.get('/$metadata')).text;
    for (const [resource, sample] of [
      ['Property', await all()],
      ['Media', await rows({}, 'Media')],
      ['OpenHouse', await rows({}, 'OpenHouse')],
      ['Member', await rows({}, 'Member')],
    ] as const) {
      const [type = ''] =
        new RegExp(`<EntityType Name="${resource}">.*?</EntityType>`, 's').exec(metadata) ?? [];
      for (const [, field = '', lookup] of type.matchAll(/Name="(\w+)"[^\n]*String="(\w+)"/g))
        for (const row of sample)
          for (const value of [row[field]].flat())
            if (value !== null) expect(listed).toContain(`${lookup} ${value}`);
    }
    const statuses = await rows({ $filter: "LookupName eq 'StandardStatus'" }, 'Lookup');
    expect(statuses.map(({ LookupValue }) => LookupValue)).toContain('Active Under Contract');
    const [status] = statuses;
    const one = await client.get(`/Lookup('${encodeURIComponent(status?.LookupKey)}')`);
    expect(one.data).toMatchObject(status ?? {});
  });

  test('server-driven-paging: $top=1 has no link, others end', async () => {
    expect((await client.get('/Property?$top=1')).data['@odata.nextLink']).toBeUndefined();
    expect((await walk('/Property?$top=2')).found).toHaveLength(2);
    const { headers } = await client.get('/Property', { Prefer: 'odata.maxpagesize=5' });
    expect(headers.get('preference-applied')).toBe('odata.maxpagesize=5');
    for (const order of ['', '&$orderby=LivingArea%20desc', '&$orderby=PublicRemarks,BedroomsTotal%20desc']) {
      const { pages, found } = await walk(`/Property?$select=ListingKey${order}`, {
        Prefer: 'odata.maxpagesize=5',
      });
      expect(pages).toBe(3);
      expect(new Set(found.map(({ ListingKey }) => ListingKey)).size).toBe(HOMES);
    }
    expect((await walk('/Property?$top=7', { Prefer: 'odata.maxpagesize=3' })).found).toHaveLength(7);
  });

  test('expand: each collection and record, valid by the metadata', async () => {
    const { data } = await client.get('/Property?$expand=Media,OpenHouse,ListAgent,ListOffice&$top=5');
    const metadata = (await client.get('/$metadata')).text;
    const declared = (resource: string) => {
      const [type = ''] =
        new RegExp(`<EntityType Name="${resource}">.*?</EntityType>`, 's').exec(metadata) ?? [];
      return new Set([...type.matchAll(/Property Name="(\w+)"/g)].map(([, name]) => name));
    };
    for (const home of data.value) {
      expect(Object.keys(home).filter((name) => !declared('Property').has(name))).toEqual([]);
      expect(home.Media.length).toBeGreaterThan(0);
      expect(home.ListAgent).toMatchObject({ MemberKey: home.ListAgentKey, MemberFullName: "Flann O'Brien" });
      expect(home.ListOffice).toMatchObject({ OfficeKey: home.ListOfficeKey, OfficeName: 'North Office' });
      for (const [name, items] of [
        ['Media', home.Media],
        ['OpenHouse', home.OpenHouse],
      ])
        for (const item of items) {
          expect(Object.keys(item).filter((field) => !declared(name).has(field))).toEqual([]);
          expect(item.ResourceRecordKey ?? item.ListingKey).toBe(home.ListingKey);
        }
    }
    expect((await client.get('/Property?$expand=Unknown')).status).toBe(400);
  });

  test('omit-values=nulls leaves nulls out, also of what is expanded', async () => {
    const { data, headers } = await client.get('/Property?$expand=Media&$top=3', {
      Prefer: 'omit-values=nulls',
    });
    expect(headers.get('preference-applied')).toBe('omit-values=nulls');
    expect(JSON.stringify(data)).not.toContain('null');
  });
});

describe('EntityEvent', () => {
  const events = (options: Record<string, string> = {}) => rows({ $top: '1000', ...options }, 'EntityEvent');

  test('metadata-valid, event-structure, sequence-monotonic', async () => {
    const { text } = await client.get('/$metadata');
    expect(text).toContain('<Property Name="EntityEventSequence" Type="Edm.Int64" Nullable="false"/>');
    const found = await events();
    const numbers = found.map(({ EntityEventSequence }) => EntityEventSequence);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(new Set(numbers).size).toBe(numbers.length);
    for (const event of found)
      expect(event).toEqual({
        EntityEventSequence: expect.any(Number),
        ResourceName: expect.any(String),
        ResourceRecordKey: expect.any(String),
        ResourceRecordUrl: `https://api.example.com/reso/odata/${event.ResourceName}('${event.ResourceRecordKey}')`,
      });
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('read-only-enforced: %s is refused', async (method) => {
    const response = await fetch(`${host.url}/reso/odata/EntityEvent`, {
      method,
      headers: { authorization: `Bearer ${client.token}` },
    });
    expect(response.status).toBe(405);
    expect(response.headers.get('odata-version')).toBe('4.01');
  });

  test('query-filter, query-orderby-top-skip, query-count', async () => {
    const found = await events();
    const middle = found[10]?.EntityEventSequence;
    expect(await events({ $filter: `EntityEventSequence gt ${middle}` })).toEqual(found.slice(11));
    expect(await events({ $filter: 'EntityEventSequence ge 0' })).toEqual(found);
    expect(await events({ $orderby: 'EntityEventSequence desc', $top: '3', $skip: '2' })).toEqual(
      found.toReversed().slice(2, 5),
    );
    const { data } = await client.query('EntityEvent', { $count: 'true' });
    expect(data['@odata.count']).toBe(found.length);
    expect((await client.get(`/EntityEvent(${middle})`)).data.EntityEventSequence).toBe(middle);
  });

  test('incremental-sync: what changes is the only news, and each record is 200 or gone', async () => {
    const last = (await events()).at(-1)?.EntityEventSequence;
    const [home] = await rows({ $filter: "StandardStatus eq 'Active'" });
    await host.rows('update properties set "listPrice" = 1 where id = $1', [home?.ListingKey]);
    await host.rows(`update properties set "standardStatus" = 'Delete' where id = $1`, [draft]);
    await numberAll(host);
    const news = await events({ $filter: `EntityEventSequence gt ${last}` });
    expect(news.map(({ ResourceName, ResourceRecordKey }) => [ResourceName, ResourceRecordKey])).toEqual([
      ['Property', home?.ListingKey],
    ]);
    for (const { ResourceRecordUrl } of await events())
      expect((await client.get(ResourceRecordUrl)).status).toBe(200);
  });
});
