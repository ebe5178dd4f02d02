import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seedOriginal, seedProperty } from '../../support/database/seed.ts';
import { type Replicated, startReplicated, whileReplayIsPaused } from '../../support/database/standby.ts';
import { eventually } from '../../support/eventually.ts';
import { type ApiHost, sessionCookie, startApiHost } from '../../support/http/api-host.ts';
import { createPerson, type Person } from '../../support/http/person.ts';
import { type Gate, openGate } from '../../support/platform/gates.ts';

/** Two API hosts that read from one streaming standby, through a gate, and write to its primary. */
let servers: Replicated;
let link: Gate;
let replica: pg.Pool;
let hosts: ApiHost[] = [];
let writing: ApiHost;
let reading: ApiHost;
let agent: Person;
let propertyId: string;

const PLACE = { city: 'Standby', latitude: 47.6, longitude: -122.3 };
const AROUND = { bbox: [-123, 47, -122, 48], zoom: 16 };

beforeAll(async () => {
  servers = await startReplicated();
  const { primary, standby } = servers;
  link = await openGate(standby.url);
  replica = new pg.Pool({ connectionString: standby.url, max: 2 });
  replica.on('error', () => {});
  const database = { url: primary.url, drop: async () => {} };
  const settings = { SEARCH_DATABASE_URLS: link.through(standby.url), SITE_ENABLED: 'true' };
  hosts = [await startApiHost({ database, settings }), await startApiHost({ database, settings })];
  [writing, reading] = hosts as [ApiHost, ApiHost];
  agent = await writing.signedIn();
  propertyId = await seedProperty(writing.pool, { ownerAgentId: agent.id, ...PLACE });
  await seedOriginal(writing.pool, { propertyId });
  await seedProperty(writing.pool, { ownerAgentId: agent.id, ...PLACE });
}, 90_000);
afterAll(async () => {
  for (const host of hosts) await host.stop();
  await replica?.end();
  await link?.close();
  await servers?.stop();
}, 60_000);

/** The same person at another host. */
const at = (host: ApiHost, { id, cookie }: Person) => createPerson(host.url, { id, cookie });
const visitor = () => reading.anonymous();

/** What hosts ran on a server since an instant of its clock, without heartbeats and looks at its clock. */
const RUN = `
  select query from pg_stat_activity where application_name like 'proscenium-web%' and query_start > $1
    and query not like '%standby_heartbeat%' and query not like 'SELECT extract(epoch FROM clock_timestamp())%'`;

/** How many statements the work ran on each server. Both are on one machine, with one clock. */
async function runBy(work: () => Promise<unknown>): Promise<{ standby: number; primary: number }> {
  const { rows } = await replica.query('select clock_timestamp() as now');
  await work();
  const since = [rows[0].now];
  const [there, here] = [await replica.query(RUN, since), await writing.pool.query(RUN, since)];
  return { standby: there.rows.length, primary: here.rows.length };
}
const readsFromStandby = (work: () => Promise<unknown>) =>
  eventually(
    async () => {
      const { standby: there, primary: here } = await runBy(work);
      return there > 0 && here === 0;
    },
    { what: 'an answer by the standby alone' },
  );

const whilePaused = (work: () => Promise<void>) => whileReplayIsPaused(replica, work);
const statusOnStandby = async () =>
  (await replica.query('select "standardStatus" as status from properties where id = $1', [propertyId]))
    .rows[0].status;
const lastWrites = async () =>
  (
    await writing.rows<{ at: string | null }>(
      'select "lastWriteLsn" as at from session where "userId" = $1',
      [agent.id],
    )
  ).map(({ at: position }) => position);

const counted = async (host: ApiHost) => (await fetch(`${host.opsUrl}/metrics`)).text();

describe('what the public may see is read from the standby', () => {
  const calls: [string, () => object][] = [
    ['search.list', () => ({})],
    ['search.map', () => AROUND],
    ['search.placeNames', () => AROUND],
    ['search.suggestLocations', () => ({ text: 'Standby' })],
    ['search.featureCounts', () => ({})],
    ['home.getFeatured', () => ({})],
    ['home.getNearby', () => ({ latitude: 47.6, longitude: -122.3 })],
    ['home.getPlaces', () => ({})],
    ['properties.getDetail', () => ({ propertyId })],
    ['properties.getPriceHistory', () => ({ propertyId })],
    ['properties.getNeighborhoodStats', () => ({ propertyId })],
    ['properties.getAgentCard', () => ({ propertyId })],
    ['properties.listSimilar', () => ({ propertyId })],
  ];
  test.each(calls)('%s', async (procedure, input) => {
    await readsFromStandby(async () => {
      const answer = await visitor().query(procedure, input());
      expect(answer.status, answer.text).toBe(200);
    });
  });

  test('pages and sitemaps', async () => {
    await readsFromStandby(async () => {
      const section = propertyId.slice(0, 2);
      expect((await visitor().send('GET', `/sitemaps/${section}.xml`)).text).toContain(propertyId);
    });
    // Each look is another address, because a page is kept for seconds.
    let look = 0;
    await readsFromStandby(async () => {
      look += 1;
      const page = await visitor().send('GET', `/search?sort=NEWEST&look=${look}`, {
        headers: { accept: 'text/html' },
      });
      expect(page.status).toBe(200);
    });
  });
});

describe('what is private, and what decides, is read from the primary', () => {
  const UNKNOWN = '00000000-0000-4000-8000-000000000000';
  test.each<[string, () => Promise<unknown>]>([
    ['whether a picture is public', () => visitor().send('GET', `/api/images/${UNKNOWN}`)],
    ['where a picture comes from', () => visitor().query('provenance.get', { stagedImageId: UNKNOWN })],
    ['an agent’s view of a listing', () => at(reading, agent).query('properties.getDetail', { propertyId })],
    ['saved homes', () => at(reading, agent).query('favorites.list', {})],
  ])('%s', async (_, work) => {
    await readsFromStandby(() => visitor().query('search.list', {}));
    const { standby: there, primary: here } = await runBy(work);
    expect(there).toBe(0);
    expect(here).toBeGreaterThan(0);
  });
});

test('an agent sees an edit at once, at every host, while the standby does not have it', async () => {
  await readsFromStandby(() => visitor().query('search.list', {}));
  await whilePaused(async () => {
    const changed = await agent.mutate('properties.setStatus', { propertyId, standardStatus: 'Pending' });
    expect(changed.status, changed.text).toBe(200);
    expect(await statusOnStandby()).toBe('Active');
    const there = at(reading, agent);
    // Another device of the same person.
    const cookie = await sessionCookie(writing.pool, agent.id, writing.config.authSecret);
    for (const person of [agent, there, at(reading, { ...agent, cookie })])
      for (const procedure of ['search.list', 'home.getFeatured']) {
        const { items } = (await person.query(procedure, {})).data;
        const found = items.find((item: { propertyId: string }) => item.propertyId === propertyId);
        expect(found.standardStatus, procedure).toBe('Pending');
      }
    // Others see it when the standby is too far behind.
    await eventually(
      async () =>
        (await visitor().query('properties.getDetail', { propertyId })).data.standardStatus === 'Pending',
      { what: 'the primary’s answer' },
    );
    expect(await statusOnStandby()).toBe('Active');
  });
  await eventually(async () => (await statusOnStandby()) === 'Pending', { what: 'the replay' });
  await readsFromStandby(() => visitor().query('search.list', {}));
  await eventually(
    async () => {
      await agent.mutate('favorites.add', { propertyId });
      await at(reading, agent).query('search.list', {});
      const ownWrites = /proscenium_public_reads_total{[^}]*to="primary_own_write"[^}]*} [1-9]/;
      return ownWrites.test(await counted(reading));
    },
    { what: 'a read that the primary answered for its writer' },
  );
});

test('a listing that was withdrawn is gone for everyone when the bound is reached', async () => {
  const withdrawn = await seedProperty(writing.pool, { ownerAgentId: agent.id, city: 'Gone' });
  const isListed = async () =>
    (await visitor().query('search.list', {})).data.items.some(
      (item: { propertyId: string }) => item.propertyId === withdrawn,
    );
  await eventually(isListed, { what: 'the listing' });
  await whilePaused(async () => {
    await agent.mutate('properties.setStatus', { propertyId: withdrawn, standardStatus: 'Withdrawn' });
    await eventually(async () => !(await isListed()), { what: 'a list without the listing' });
    expect(
      (await replica.query('select from search_listings where "propertyId" = $1', [withdrawn])).rowCount,
    ).toBe(1);
  });
});

test('only changes are noted with the session', async () => {
  await writing.pool.query('update session set "lastWriteLsn" = null where "userId" = $1', [agent.id]);
  await agent.query('search.list', {});
  // A query with a long input comes by POST.
  expect((await agent.mutate('search.list', {})).status).toBe(200);
  expect(new Set(await lastWrites())).toEqual(new Set([null]));
  await agent.mutate('favorites.add', { propertyId });
  expect((await lastWrites()).filter((one) => one !== null)).toHaveLength(1);
});

test('a standby that is away harms no one, and is read again when it is back', async () => {
  await readsFromStandby(() => visitor().query('search.list', {}));
  link.shut();
  for (let call = 0; call < 20; call += 1)
    expect((await visitor().query('search.list', {})).status).toBe(200);
  expect((await fetch(`${reading.opsUrl}/readyz`)).status).toBe(200);
  expect(await counted(reading)).toMatch(/proscenium_standby_lag_seconds{[^}]*} \+Inf/);
  link.open();
  await readsFromStandby(() => visitor().query('search.list', {}));
});

test('without the setting nothing beats and nothing is noted', async () => {
  const host = await startApiHost();
  try {
    const person = await host.signedIn();
    const listing = await host.listing(person);
    await person.mutate('favorites.add', { propertyId: listing.propertyId });
    expect((await host.anonymous().query('search.list', {})).data.total).toBe(1);
    expect(await host.rows('select server, beat::int from standby_heartbeat')).toEqual([
      { server: '', beat: 0 },
    ]);
    expect(await host.rows('select "lastWriteLsn" as at from session')).toEqual([{ at: null }]);
  } finally {
    await host.stop();
  }
});
