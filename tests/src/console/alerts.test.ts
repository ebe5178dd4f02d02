import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { saveSearch } from '../../../persistence/alerts/saved-searches.ts';
import { toCriteria } from '../../../src/search/criteria.ts';
import { ownSite } from '../../../src/site/read-site.ts';
import { searchFilters } from '../../../src/wire/listings/search.ts';
import { seedProperty, seedUser } from '../../support/database/seed.ts';
import { type ConsoleHost, openConsole, wordsOf } from '../../support/http/console-host.ts';
import { sweepOnce } from '../../support/worlds/alert-world.ts';

/** What operators see of alerts: the queue, and what became of a person's search. */
let host: ConsoleHost;
let buyer: string;
const name = 'Near the river';
beforeAll(async () => {
  host = await openConsole();
  buyer = await seedUser(host.database.pool, { name: 'Ada Buyer', email: 'ada@buyers.example' });
});
afterAll(() => host.close());

async function save(cadence: 'INSTANT' | 'DAILY' | 'NONE', least: number): Promise<string> {
  const filters = { price: { min: least } };
  const at = host.clock.now();
  const criteria = toCriteria(searchFilters.parse(filters), { at, site: ownSite() });
  const { id } = await saveSearch(host.database.pool, {
    id: randomUUID(),
    userId: buyer,
    name,
    filters,
    filtersHash: `${cadence} ${least}`,
    sort: 'NEWEST',
    cadence,
    channels: ['MAIL'],
    isNamed: true,
    criteria,
    placeId: null,
    at,
  });
  return id;
}
const sweep = () => sweepOnce(host.database.pool, { at: host.clock.now() });
const searchPage = async (id: string, listing = '') => {
  const page = await host.text(`/console/alerts/searches/${id}${listing && `?listing=${listing}`}`);
  expect(page).not.toMatch(/Ada|buyers\.example|Near the river|1000000/);
  return wordsOf(page);
};

test('a search is followed from its match to its mail, and the queue shows what waits', async () => {
  const { pool } = host.database;
  const searchId = await save('INSTANT', 1_000_000);
  const dear = await seedProperty(pool, { listPrice: 2_000_000, standardStatus: 'Active' });
  expect(wordsOf(await host.text('/console/alerts'))).toMatch(/Events that are not matched 1 /);
  await sweep();
  expect(await searchPage(searchId)).toMatch(
    new RegExp(`${dear.slice(0, 8)} NEW .* waits 2 min for other events`),
  );
  await host.clock.advance(121_000);
  expect(wordsOf(await host.text('/console/alerts'))).toMatch(/Matches that are due for an alert 1 1 s/);
  await sweep();
  expect(await searchPage(searchId)).toMatch(/its mail waits/);
  const queue = await host.text('/console/alerts');
  expect(wordsOf(queue)).toMatch(/Mails that are due 1 /);
  expect(queue).toContain(`/console/alerts/searches/${searchId}`);
  expect(await searchPage(searchId, dear)).toContain('Nothing speaks against an alert');
  await pool.query('delete from alert_mails');
  expect(await searchPage(searchId)).toContain('no mail waits');
  const person = await host.text(`/console/people/${buyer}`);
  expect(person).toContain(`/console/alerts/searches/${searchId}`);
  expect(wordsOf(await host.text('/console/alerts'))).toContain('No mail of an alert waits.');
});

test('an operator learns why there was no alert about a listing', async () => {
  const { pool } = host.database;
  const instant = await save('INSTANT', 3_000_000);
  const daily = await save('DAILY', 3_000_000);
  const none = await save('NONE', 3_000_000);
  const cheap = await seedProperty(pool, { listPrice: 5, standardStatus: 'Active' });
  expect(await searchPage(instant, cheap)).toContain('An event of the listing has not been matched yet.');
  await sweep();
  expect(await searchPage(instant, cheap)).toContain('its filters exclude it now');
  const own = await seedProperty(pool, {
    listPrice: 4_000_000,
    standardStatus: 'Active',
    ownerAgentId: buyer,
  });
  await sweep();
  expect(await searchPage(instant, own)).toContain('The person is an agent of this listing.');
  const draft = await seedProperty(pool, { listPrice: 4_000_000, standardStatus: 'Incomplete' });
  const reasons = await searchPage(instant, draft);
  expect(reasons).toContain('The listing is not public.');
  expect(reasons).toContain('Nothing has happened to the listing since');
  expect(await searchPage(daily, own)).toContain('The search has alerts by the day');
  expect(await searchPage(none, own)).toContain('The person wants no alerts of this search.');
  expect(await searchPage(none, 'nothing')).toContain('No listing has this id.');
  await pool.query('update "user" set "suspendedAt" = now() where id = $1', [buyer]);
  expect(await searchPage(instant, cheap)).toContain('The account is suspended.');
  expect((await host.get(`/console/alerts/searches/${randomUUID()}`)).status).toBe(404);
});
