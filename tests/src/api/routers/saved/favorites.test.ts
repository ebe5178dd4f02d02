import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { seedProperty } from '../../../../support/database/seed.ts';
import { eventually } from '../../../../support/eventually.ts';
import { useApiHost } from '../../../../support/http/api-host.ts';
import type { Answer, Person } from '../../../../support/http/person.ts';
import { MANUAL_EPOCH as AT } from '../../../../support/manual-time.ts';
import { setClock } from '../../../../support/worlds/tour-visits.ts';

const clock = setClock();
let agentId: string;
const host = useApiHost({ overrides: clock.overrides });
beforeAll(async () => {
  agentId = (await host.signedIn()).id;
});

const home = (columns: Record<string, unknown> = {}) =>
  seedProperty(host.pool, { ownerAgentId: agentId, ...columns });
const customer = () => host.signedIn({ role: 'customer' });
const change = (propertyId: string, columns: { price?: string; status?: string }) =>
  host.rows(
    `update properties set "listPrice" = coalesce($2, "listPrice"), "standardStatus" = coalesce($3, "standardStatus")
     where id = $1`,
    [propertyId, columns.price ?? null, columns.status ?? null],
  );
const add = (person: Person, propertyId: string) => person.mutate('favorites.add', { propertyId });
const idsOf = ({ data }: Answer): string[] =>
  data.items.map(({ propertyId }: { propertyId: string }) => propertyId);
const errorOf = ({ status, errorCode }: Answer) => [status, errorCode];

describe('saving', () => {
  test('keeps the first price and status, however often it is repeated', async () => {
    const person = await customer();
    const propertyId = await home({ listPrice: '1250000.50' });
    clock.at = AT;
    expect((await add(person, propertyId)).data).toEqual({ propertyId, favorite: true });
    await change(propertyId, { price: '999999.99', status: 'Pending' });
    clock.at = AT + 60_000;
    expect((await add(person, propertyId)).data).toEqual({ propertyId, favorite: true });
    const { data } = await person.query('favorites.list', {});
    expect(data.items).toMatchObject([
      {
        propertyId,
        listPrice: 999_999.99,
        standardStatus: 'Pending',
        address: '1 Test Lane',
        priceWhenSaved: 1_250_000.5,
        statusWhenSaved: 'Active',
        savedAt: new Date(AT).toISOString(),
      },
    ]);
  });

  test('twice at the same time saves once', async () => {
    const person = await customer();
    const propertyId = await home();
    const answers = await Promise.all([1, 2, 3, 4].map(() => add(person, propertyId)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await person.query('favorites.listIds')).data).toEqual({ propertyIds: [propertyId] });
  });

  test('removing is idempotent, and saving again starts anew', async () => {
    const person = await customer();
    const propertyId = await home({ listPrice: '100' });
    await add(person, propertyId);
    for (const _ of [1, 2]) {
      const answer = await person.mutate('favorites.remove', { propertyId });
      expect(answer.data).toEqual({ propertyId, favorite: false });
    }
    const unknown = randomUUID();
    expect((await person.mutate('favorites.remove', { propertyId: unknown })).data).toEqual({
      propertyId: unknown,
      favorite: false,
    });
    await change(propertyId, { price: '200' });
    await add(person, propertyId);
    expect((await person.query('favorites.list', {})).data.items).toMatchObject([{ priceWhenSaved: 200 }]);
  });

  test('a listing that is not public cannot be saved, and is answered like an unknown id', async () => {
    const person = await customer();
    const missing = await add(person, randomUUID());
    expect(errorOf(missing)).toEqual([404, 'NOT_FOUND']);
    for (const standardStatus of ['Incomplete', 'Delete'])
      expect((await add(person, await home({ standardStatus }))).text).toBe(missing.text);
    for (const standardStatus of ['Closed', 'Hold', 'Coming Soon'])
      expect((await add(person, await home({ standardStatus }))).status).toBe(200);
  });

  test('each person has a separate list', async () => {
    const [one, other] = [await customer(), await customer()];
    const propertyId = await home();
    await add(one, propertyId);
    expect((await other.query('favorites.listIds')).data).toEqual({ propertyIds: [] });
    await other.mutate('favorites.remove', { propertyId });
    expect((await one.query('favorites.listIds')).data).toEqual({ propertyIds: [propertyId] });
  });

  test('needs a session and an id', async () => {
    const propertyId = await home();
    for (const answer of [
      await add(host.anonymous(), propertyId),
      await host.anonymous().mutate('favorites.remove', { propertyId }),
      await host.anonymous().query('favorites.list', {}),
      await host.anonymous().query('favorites.listIds'),
    ])
      expect(errorOf(answer)).toEqual([401, 'UNAUTHORIZED']);
    expect(errorOf(await add(await customer(), 'x'))).toEqual([400, 'INVALID_INPUT']);
  });
});

describe('the list', () => {
  /** Six homes, two at each instant, in the order of the list: newest first, then by id. */
  const saved = async (person: Person) => {
    const homes: { propertyId: string; at: number }[] = [];
    for (let index = 0; index < 6; index += 1) {
      clock.at = AT + Math.floor(index / 2);
      const propertyId = await home();
      await add(person, propertyId);
      homes.push({ propertyId, at: clock.at });
    }
    return homes
      .toSorted((a, b) => b.at - a.at || (a.propertyId < b.propertyId ? 1 : -1))
      .map(({ propertyId }) => propertyId);
  };
  const pages = async (person: Person, limit: number, between: () => Promise<unknown> = async () => {}) => {
    const seen: string[][] = [];
    let cursor: string | null = null;
    do {
      const answer: Answer = await person.query('favorites.list', { limit, cursor });
      seen.push(idsOf(answer));
      cursor = answer.data.nextCursor;
      await between();
    } while (cursor !== null);
    return seen;
  };

  test.each([1, 2, 4, 6, 7])('in pages of %i is complete, newest first', async (limit) => {
    const person = await customer();
    const order = await saved(person);
    const seen = await pages(person, limit);
    expect(seen.flat()).toEqual(order);
    expect(seen).toHaveLength(Math.ceil(order.length / limit));
    expect((await person.query('favorites.listIds')).data).toEqual({ propertyIds: order });
  });

  test('continues at the same position when the last entry of a page is removed meanwhile', async () => {
    const person = await customer();
    const order = await saved(person);
    const gone = [order[1], order[2]];
    const seen = await pages(person, 2, async () => {
      for (const propertyId of gone) await person.mutate('favorites.remove', { propertyId });
    });
    expect(seen.flat()).toEqual([order[0], order[1], order[3], order[4], order[5]]);
  });

  test('keeps listings that are off the market, with their status, and omits hidden and deleted ones', async () => {
    const person = await customer();
    const order = await saved(person);
    const [off, hidden, deleted, erased, ...rest] = order as [string, string, string, string, ...string[]];
    await change(off, { status: 'Closed' });
    await change(hidden, { status: 'Incomplete' });
    await change(deleted, { status: 'Delete' });
    await host.rows('delete from properties where id = $1', [erased]);
    expect(await pages(person, 2)).toEqual([[off, rest[0]], [rest[1]]]);
    const { data } = await person.query('favorites.list', {});
    expect(data.items[0]).toMatchObject({ standardStatus: 'Closed', statusWhenSaved: 'Active' });
    await change(hidden, { status: 'Active' });
    expect((await pages(person, 10)).flat()).toEqual([off, hidden, ...rest]);
  });

  test('rejects an invalid cursor', async () => {
    const person = await customer();
    for (const cursor of ['x', randomUUID(), `-1_${randomUUID()}`, `1_${randomUUID()}x`])
      expect(errorOf(await person.query('favorites.list', { cursor }))).toEqual([400, 'INVALID_INPUT']);
  });
});

describe('the order of the list', () => {
  test('is that of saving, of prices, or of what has changed since; pages of each are complete', async () => {
    const person = await customer();
    const homes: string[] = [];
    for (const [index, price] of ['300', '100.50', '300', '200'].entries()) {
      clock.at = AT + index;
      const propertyId = await home({ listPrice: price });
      await add(person, propertyId);
      homes.push(propertyId);
    }
    const [a, b, c, d] = homes as [string, string, string, string];
    await change(b, { price: '150.25' });
    await change(a, { status: 'Pending' });
    const inPages = async (sort: string, limit: number) => {
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const answer: Answer = await person.query('favorites.list', { sort, limit, cursor });
        seen.push(...idsOf(answer));
        cursor = answer.data.nextCursor;
      } while (cursor !== null);
      return seen;
    };
    for (const limit of [1, 2, 3, 50])
      expect([
        await inPages('SAVED', limit),
        await inPages('PRICE_UP', limit),
        await inPages('PRICE_DOWN', limit),
        await inPages('CHANGED', limit),
      ]).toEqual([
        [d, c, b, a],
        [b, d, c, a],
        [c, a, d, b],
        [b, a, d, c],
      ]);
  });
});

describe('a note', () => {
  test('is kept with the saved home, changed and removed, and is gone with it', async () => {
    const [person, other] = [await customer(), await customer()];
    const propertyId = await home();
    for (const one of [person, other]) await add(one, propertyId);
    const set = (note: unknown) => person.mutate('favorites.setNote', { propertyId, note });
    expect((await set('  Ask about the roof.\nAnd the fee. ')).data.note).toBe(
      'Ask about the roof.\nAnd the fee.',
    );
    const noteOf = async (one: Person) => (await one.query('favorites.list', {})).data.items[0].note;
    expect([await noteOf(person), await noteOf(other)]).toEqual(['Ask about the roof.\nAnd the fee.', null]);
    expect((await set('x'.repeat(500))).status).toBe(200);
    for (const note of ['x'.repeat(501), '', ' ', 'a\u0000b']) expect((await set(note)).status).toBe(400);
    await set(null);
    expect(await noteOf(person)).toBeNull();
    await set('Again.');
    await person.mutate('favorites.remove', { propertyId });
    await add(person, propertyId);
    expect(await noteOf(person)).toBeNull();
  });

  test('of a home that is not saved, or has no public page, is answered like one of an unknown home', async () => {
    const person = await customer();
    const set = (propertyId: string) => person.mutate('favorites.setNote', { propertyId, note: 'x' });
    const missing = await set(randomUUID());
    expect(errorOf(missing)).toEqual([404, 'NOT_FOUND']);
    expect((await set(await home())).text).toBe(missing.text);
    const hidden = await home();
    await add(person, hidden);
    await change(hidden, { status: 'Incomplete' });
    expect((await set(hidden)).text).toBe(missing.text);
  });
});

describe('a shared list', () => {
  const share = async (person: Person, withNotes = false) => {
    const answer = await person.mutate('favorites.share', { name: 'Our homes', withNotes });
    return { ...answer, secret: answer.data.url.split('/').at(-1) as string };
  };
  const look = (secret: string) => host.anonymous().query('favorites.getShared', { secret });
  const saved = async (note: string | null = null) => {
    const person = await customer();
    const propertyId = await home();
    await add(person, propertyId);
    await person.mutate('favorites.setNote', { propertyId, note });
    return { person, propertyId };
  };

  test('shows the homes that are saved now to anyone with the address, and nothing about the person', async () => {
    const { person, propertyId } = await saved('Too loud?');
    const { data, secret, headers } = await share(person);
    expect(data).toMatchObject({ name: 'Our homes', withNotes: false });
    expect(data.url).toBe(`${host.config.publicBaseUrl}/shared/${secret}`);
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
    expect(headers.get('cache-control')).toContain('no-store');
    const first = await look(secret);
    expect(first.headers.get('cache-control')).toContain('no-store');
    expect(first.data).toMatchObject({ name: 'Our homes', items: [{ propertyId, note: null }] });
    for (const secretOfOthers of ['Too loud?', person.id, 'priceWhenSaved', 'savedAt'])
      expect(first.text).not.toContain(secretOfOthers);
    const second = await home();
    await add(person, second);
    expect(idsOf(await look(secret)).toSorted()).toEqual([propertyId, second].toSorted());
    await change(second, { status: 'Incomplete' });
    expect(idsOf(await look(secret))).toEqual([propertyId]);
    const stored = await host.rows<{ text: string }>('select l::text as text from shared_lists l', []);
    expect(stored.some(({ text }) => text.includes(secret))).toBe(false);
  });

  test('comes in pages whose cursors do not say when a home was saved', async () => {
    const person = await customer();
    const homes: string[] = [];
    for (let index = 0; index < 3; index += 1) {
      clock.at = AT + index;
      homes.unshift(await home());
      await add(person, homes[0] as string);
    }
    const { secret } = await share(person);
    const page = (cursor: string | null) =>
      host.anonymous().query('favorites.getShared', { secret, limit: 1, cursor });
    const [first, second, third] = homes as [string, string, string];
    expect((await page(null)).data).toMatchObject({ items: [{ propertyId: first }], nextCursor: first });
    expect((await page(first)).data).toMatchObject({ items: [{ propertyId: second }], nextCursor: second });
    expect((await page(second)).data).toMatchObject({ items: [{ propertyId: third }], nextCursor: null });
    expect(errorOf(await page(`${AT}_${first}`))).toEqual([400, 'INVALID_INPUT']);
    // A home that is saved but not public is answered like one that was never saved.
    await change(first, { status: 'Incomplete' });
    const unknown = await page(randomUUID());
    expect(unknown.data).toMatchObject({ items: [], nextCursor: null });
    expect((await page(first)).text).toBe(unknown.text);
  });

  test('is read on the connections for the public, so its work is limited like that of a search', async () => {
    const { person } = await saved();
    const { secret } = await share(person);
    const writer = await host.pool.connect();
    try {
      await writer.query('BEGIN; LOCK TABLE shared_lists IN ACCESS EXCLUSIVE MODE');
      const looking = look(secret);
      const waiting = await eventually(
        async () =>
          (
            await host.rows<{ name: string }>(
              `select application_name as name from pg_stat_activity
               where wait_event_type = 'Lock' and datname = current_database()`,
            )
          )[0],
        { what: 'the question waits' },
      );
      expect(waiting.name).toContain('-web-public-');
      await writer.query('ROLLBACK');
      expect((await looking).status).toBe(200);
    } finally {
      writer.release(true);
    }
  });

  test('has the notes only when the person says so', async () => {
    const { person } = await saved('Too loud?');
    const { secret } = await share(person, true);
    expect((await look(secret)).data.items).toMatchObject([{ note: 'Too loud?' }]);
    expect((await person.query('favorites.getSharing')).data.sharing).toMatchObject({ withNotes: true });
  });

  test('ends at once: when it is ended, shared anew, and while the person is suspended', async () => {
    const { person } = await saved();
    const missing = await look('x'.repeat(43));
    expect(errorOf(missing)).toEqual([404, 'NOT_FOUND']);
    const first = await share(person);
    const second = await share(person);
    expect((await look(first.secret)).text).toBe(missing.text);
    const suspend = (at: string | null) =>
      host.rows('update "user" set "suspendedAt" = $2 where id = $1', [person.id, at]);
    await suspend('2026-01-01');
    expect((await look(second.secret)).text).toBe(missing.text);
    await suspend(null);
    expect((await look(second.secret)).status).toBe(200);
    for (const _ of [1, 2])
      expect((await person.mutate('favorites.unshare', {})).data).toEqual({ shared: false });
    expect((await look(second.secret)).text).toBe(missing.text);
    expect((await person.query('favorites.getSharing')).data).toEqual({ sharing: null });
  });

  test('refuses names that look like links, and secrets of another form', async () => {
    const person = await customer();
    for (const name of ['', ' ', 'https://example.com', '\u202eabc', 'x'.repeat(101)])
      expect((await person.mutate('favorites.share', { name, withNotes: false })).status).toBe(400);
    expect(errorOf(await look('short'))).toEqual([400, 'INVALID_INPUT']);
  });
});
