import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedOriginal, seedProperty, seedUser } from '../../support/database/seed.ts';
import { seedThread } from '../../support/database/seed-messages.ts';
import { type ConsoleHost, openConsole, wordsOf } from '../../support/http/console-host.ts';

/** The pages of a person and of a listing, from a mail address to the end of the abuse. */
let host: ConsoleHost;
let personId: string;
let propertyId: string;
beforeAll(async () => {
  host = await openConsole();
  personId = await seedUser(host.database.pool, { name: 'Eve Example', email: 'eve@abuse.example' });
  propertyId = await seedProperty(host.database.pool, {
    ownerAgentId: personId,
    address: '13 Secret Street',
  });
  await seedOriginal(host.database.pool, { propertyId });
});
afterAll(() => host.close());

const find = (who: string) =>
  host.get('/console/people', { method: 'POST', body: new URLSearchParams({ who }) });

test('a person is found by id and by mail address, which no page repeats', async () => {
  for (const who of [personId, ' Eve@Abuse.example ']) {
    const answer = await find(who);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `/console/people/${personId}`]);
  }
  const unknown = await find('stranger@abuse.example');
  expect([unknown.status, (await unknown.text()).includes('stranger@')]).toEqual([404, false]);
  const page = await host.text(`/console/people/${personId}`);
  expect(wordsOf(page)).toMatch(/ACTIVE .* Role Agent .* Sessions 0 Listings 1 /);
  expect(page).toContain(`/console/listings/${propertyId}`);
  expect(page).not.toMatch(/Eve|abuse\.example|Secret/);
  expect((await host.get(`/console/actors/search?q=${personId}`)).headers.get('location')).toBe(
    `/console/people/${personId}`,
  );
});

/** Follows the link or the form that has the focus. */
const focused = (page: string) => /<a class="button" href="([^"]+)" autofocus/.exec(page)?.[1] ?? '';
async function act(address: string): Promise<string> {
  const form = await host.text(address.replaceAll('&amp;', '&'));
  expect(form).toMatch(/<textarea[^>]* autofocus/);
  const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(form)?.[1] ?? '';
  const answer = await host.get(address.split('?')[0] ?? '', {
    method: 'POST',
    body: new URLSearchParams({ id: field('id'), version: field('version'), reason: 'spam' }),
  });
  expect(answer.status).toBe(200);
  return answer.text();
}

test('what an operator came for has the focus: suspend, then restore', async () => {
  const address = `/console/people/${personId}`;
  const suspend = focused(await host.text(address));
  expect(suspend).toBe(`/console/actions/suspend-account?id=${personId}`);
  expect(await act(suspend)).toContain(`href="${address}"`);
  const page = await host.text(address);
  expect(wordsOf(page)).toMatch(/SUSPENDED .* suspend-account by operator: spam .* owner suspended/);
  await act(focused(page));
  expect(wordsOf(await host.text(address))).toMatch(/ACTIVE .* restore-account by operator: spam/);
});

test('a listing shows state, owner and counts, and is taken down and restored', async () => {
  const address = `/console/listings/${propertyId}`;
  const page = await host.text(address);
  expect(wordsOf(page)).toMatch(/SHOWN .* Status Active Hidden no Photos 1 Staged pictures 0 /);
  expect(page).toContain(`/console/people/${personId}`);
  expect(page).not.toContain('Secret');
  await act(focused(page));
  const down = await host.text(address);
  expect(wordsOf(down)).toMatch(/TAKEN_DOWN .* take-down-listing by operator: spam/);
  await act(focused(down));
  expect(wordsOf(await host.text(address))).toMatch(/SHOWN/);
});

test('photos that look like staged pictures wait for an operator, who accepts or refuses them', async () => {
  const { pool } = host.database;
  const { imageId } = await seedOriginal(pool, { propertyId });
  const nothing = await host.text('/console/photos');
  expect(wordsOf(nothing)).toContain('None.');
  await pool.query(
    `update photo_checks set verdict = 'STAGED_PICTURE', "nearestId" = $1, "likeStaged" = 0.97, "likePhoto" = 0.41,
       "isOlder" = true where "imageId" = $1`,
    [imageId],
  );
  expect(wordsOf(await host.text('/console'))).toContain('1 photo like a staged picture');
  const page = await host.text('/console/photos');
  expect(wordsOf(page)).toMatch(/SUSPECT .* 0\.97 0\.41/);
  await act(`/console/actions/refuse-photo?id=${imageId}`);
  expect(wordsOf(await host.text('/console/photos'))).toContain('None.');
  expect(wordsOf(await host.text(`/console/photos/${imageId}`))).toContain('STAGED_PICTURE, by operator');
  expect(wordsOf(await host.text(`/console/listings/${propertyId}`))).toContain(
    'refuse-photo by operator: spam',
  );
});

test('reported messages are listed with those of the other side, without addresses', async () => {
  const { pool } = host.database;
  expect(wordsOf(await host.text('/console/messages'))).toContain('None.');
  const customerId = await seedUser(pool, { role: 'customer' });
  const text = 'Pay me at rude@example.com, or else.';
  const threadId = await seedThread(pool, { propertyId, customerId, text });
  await pool.query(
    `insert into message_reports (id, "threadId", "reporterId", seq, note, "createdAt")
     values (gen_random_uuid(), $1, $2, 1, 'This is a threat.', now())`,
    [threadId, personId],
  );
  expect(wordsOf(await host.text('/console'))).toContain('1 report of messages in the last 7 days');
  const page = await host.text('/console/messages');
  expect(wordsOf(page)).toMatch(/agent .* This is a threat\. .* Pay me at \[e-mail\], or else\./);
  for (const id of [personId, customerId]) expect(page).toContain(`/console/people/${id}`);
});

test.each([
  '/console/photos/x',
  '/console/people/x',
  '/console/listings/x',
  `/console/people/00000000-0000-4000-8000-000000000000`,
])('%s does not exist', async (address) => {
  expect((await host.get(address)).status).toBe(404);
});
