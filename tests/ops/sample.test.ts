import { beforeAll, describe, expect, test } from 'vitest';
import { operate } from '../../ops/cli/operate.ts';
import { readStreetSources } from '../../ops/dev/site/streets.ts';
import { loadSample, type SampleOutcome } from '../../ops/sample/load.ts';
import { STREETS } from '../../ops/sample/town.ts';
import { addLogEntry } from '../../persistence/images/provenance-log.ts';
import { neighborhoodStats, readNeighborhood } from '../../persistence/listings/neighborhood-stats.ts';
import { eventually } from '../support/eventually.ts';
import { useApiHost } from '../support/http/api-host.ts';
import { brokenInvariants } from '../support/platform/broken-invariants.ts';

/** The sample town, loaded once into a real database and bucket, looked at as visitors and operators do, and removed. */
const host = useApiHost({ settings: { SITE_ENABLED: 'true' } });
const BROWSER = { accept: 'text/html' };
const page = async (path: string): Promise<string> =>
  (await host.anonymous().send('GET', path, { headers: BROWSER })).text;
const load = (): Promise<SampleOutcome> =>
  loadSample({
    pool: host.pool,
    storage: { put: (key, bytes) => host.putObject(key, bytes) },
    now: () => Date.now(),
  });
const count = async (from: string): Promise<number> => {
  const [row] = await host.rows<{ n: number }>(`select count(*)::int as n from ${from}`);
  return row?.n ?? -1;
};

/** The number of rows of every table. */
async function tableCounts(): Promise<Record<string, number>> {
  const tables = await host.rows<{ name: string }>(
    `select quote_ident(table_name) as name from information_schema.tables where table_schema = 'public'
     and table_type = 'BASE TABLE'`,
  );
  const counts: Record<string, number> = {};
  for (const { name } of tables) counts[name] = await count(name);
  return counts;
}

const remove = async (args: readonly string[]) => {
  const said: string[] = [];
  const url = host.pool.options.connectionString;
  const code = await operate({
    args: ['remove-sample', ...args],
    environment: { DATABASE_OWNER_URL: url },
    screen: { out: (text) => void said.push(text), err: (text) => void said.push(text) },
    signal: new AbortController().signal,
  });
  return { code, said: said.join('\n') };
};

test('no invented street has the name of an arterial of Seattle, whatever kind of street that is', () => {
  const names = readStreetSources().arterials.map(({ properties }) => properties.name);
  const arterialsLike = (street: string) => {
    const own = new RegExp(`\\b${street.replace(/ \w+$/, '')}\\b`, 'i');
    return names.filter((name) => own.test(name));
  };
  expect(arterialsLike('Pine Street')).toContain('PINE ST');
  expect(STREETS.flatMap(arterialsLike)).toEqual([]);
});

let before: Record<string, number>;
beforeAll(async () => {
  before = await tableCounts();
  // A load that was killed: what it left is removed, and the next one is whole.
  let puts = 0;
  const dying = loadSample({
    pool: host.pool,
    storage: {
      put: async (key, bytes) => {
        puts += 1;
        if (puts > 12) throw new Error('killed');
        await host.putObject(key, bytes);
      },
    },
    now: () => Date.now(),
  });
  await expect(dying).rejects.toThrow('killed');
  expect(await count('properties')).toBeGreaterThan(0);
  expect(await load()).toBe('LOADED');
});

describe('a loaded sample', () => {
  test('is a town: homes in several states, pictures in every final state, tours, prices that changed', async () => {
    expect(await count('properties')).toBe(120);
    const states = await host.rows<{ status: string; n: number }>(
      `select "standardStatus" as status, count(*)::int as n from properties group by 1`,
    );
    const ofStatus = Object.fromEntries(states.map(({ status, n }) => [status, n]));
    expect(ofStatus.Closed).toBe(10);
    expect(ofStatus.Pending).toBe(10);
    expect(ofStatus.Active).toBeGreaterThan(80);
    for (const status of ['SUCCESS', 'FAILED', 'CANCELED'])
      expect([status, await count(`ai_jobs where status = '${status}'`)]).not.toEqual([status, 0]);
    for (const state of [
      `"reviewStatus" = 'PENDING_REVIEW'`,
      `"reviewStatus" = 'APPROVED' and "withdrawnAt" is null`,
      `"withdrawnAt" is not null`,
    ])
      expect([state, await count(`property_images where ${state}`)]).not.toEqual([state, 0]);
    expect(await count(`property_image_review_events where kind = 'REJECTED'`)).toBeGreaterThan(0);
    expect(await count(`property_images where "imageOf" = 'Front of Structure'`)).toBeGreaterThan(100);
    expect(await count(`property_images where coalesce("imageOf", "roomType"::text) is null`)).toBe(0);
    expect(await count(`property_price_events where event = 'PRICE_CHANGED'`)).toBe(20);
    const tours = await host.rows<{ status: string }>('select distinct status::text from tours order by 1');
    expect(tours.map(({ status }) => status)).toEqual([
      'COMPLETED',
      'CONFIRMED',
      'DECLINED',
      'REQUESTED',
      'RESCHEDULE_PROPOSED',
    ]);
    expect(
      await count(
        `open_houses where "startsAt" > now() and extract(isodow from "startsAt" at time zone 'UTC') = 6`,
      ),
    ).toBe(await count('open_houses'));
    expect(await count('open_houses')).toBeGreaterThan(8);
    expect(await count(`ai_jobs where status not in ('SUCCESS', 'FAILED', 'CANCELED')`)).toBe(0);
  });

  test('keeps every invariant, and each object that a row names is in the bucket', async () => {
    expect(await brokenInvariants(host.pool)).toEqual([]);
    const named = await host.rows<{ key: string }>(
      `select unnest(array["objectKey", "paddedInputKey"]) as key from property_images`,
    );
    const stored = new Set(await host.objectKeys());
    expect(named.filter(({ key }) => key !== null && !stored.has(key))).toEqual([]);
  });

  test('becomes no fingerprint, figure, count, mail or entry of the log of records', async () => {
    for (const table of [
      'staged_fingerprints',
      'agent_job_counts',
      'platform_job_counts',
      'growth_counts',
      'tour_mails',
      'offer_mails',
      'picture_mails',
      'sign_in_mails',
      `photo_checks where verdict is distinct from 'PHOTO'`,
      `property_images where "isStyled" and "providerModel" is distinct from 'sample'`,
    ])
      expect([table, await count(table)]).toEqual([table, 0]);
    // The host has made yesterday's entry when it started, before the sample was there.
    await host.rows(`alter table provenance_log disable trigger user; delete from provenance_log;
      alter table provenance_log enable trigger user`);
    before.provenance_log = 0;
    let offered = -1;
    const seen = addLogEntry(host.pool, [], (records) => {
      offered = records.length;
      throw new Error('no entry is wanted');
    });
    await expect(seen).rejects.toThrow('no entry is wanted');
    expect(await count('provenance_records')).toBeGreaterThan(0);
    expect(offered).toBe(0);
    const [home] = await host.rows<{ id: string }>('select id from properties limit 1');
    const neighborhood = await readNeighborhood(host.pool, home?.id ?? '');
    if (neighborhood === null) throw new Error('no neighborhood');
    const stats = await neighborhoodStats(host.pool, { of: neighborhood, at: Date.now() });
    expect(stats.total).toBe(0);
  });

  test('says on every page, in the language of the page, that it is one', async () => {
    const [home] = await host.rows<{ id: string }>(
      `select "propertyId" as id from property_images where "reviewStatus" = 'APPROVED' and "withdrawnAt" is null limit 1`,
    );
    await eventually(async () => (await page('/menu')).includes('Sample data'), {
      what: 'a page that says so',
    });
    for (const path of ['/search', `/properties/${home?.id}`, '/privacy', '/sign-in', '/menu', '/studio'])
      expect([path, (await page(path)).includes('Sample data')]).toEqual([path, true]);
    expect(await page('/es/search')).toContain('Datos de muestra');
    expect(await page(`/properties/${home?.id}`)).toContain('AI · Virtually staged');
  });

  test('has its own streets, each with homes', async () => {
    const addresses = await host.rows<{ address: string }>('select address from properties');
    expect(new Set(addresses.map(({ address }) => address)).size).toBe(120);
    const streets = addresses.map(({ address }) => STREETS.find((street) => address.endsWith(street)));
    expect([...new Set(streets)].toSorted()).toEqual([...STREETS]);
  });

  test('is loaded once, and not where listings are', async () => {
    expect(await load()).toBe('ALREADY_THERE');
    await host.rows(`delete from sample_town`);
    expect(await load()).toBe('HAS_LISTINGS');
    await host.rows(`insert into sample_town (state) values ('LOADED')`);
  });
});

test('it is removed whole by one command, and does not come back', async () => {
  expect(await remove([])).toMatchObject({ code: 1 });
  expect(await count('properties')).toBe(120);
  expect(await remove(['--yes'])).toEqual({
    code: 0,
    said: 'Removed: 120 homes and 7 people. A worker deletes their files.',
  });
  const after = await tableCounts();
  const grown = Object.keys(after).filter((table) => after[table] !== before[table]);
  // What the search forgets, what the maps count again, what the feed looks at and drops, what proxies and the bucket are
  // to delete.
  expect(grown.toSorted()).toEqual([
    'cache_purges',
    'listing_changes',
    'listing_region_changes',
    'sample_town',
    'search_cell_changes',
    'search_tombstones',
    'storage_deletion_outbox',
  ]);
  const doomed = new Set(
    (await host.rows<{ key: string }>(`select "objectKey" as key from storage_deletion_outbox`)).map(
      ({ key }) => key,
    ),
  );
  expect((await host.objectKeys()).filter((key) => !doomed.has(key))).toEqual([]);
  expect(await brokenInvariants(host.pool)).toEqual([]);
  expect(await load()).toBe('REMOVED_BEFORE');
  expect(await remove(['--yes'])).toEqual({ code: 0, said: 'There is no sample town.' });
  await eventually(async () => !(await page('/menu')).includes('Sample data'), {
    what: 'a page that does not',
  });
});
