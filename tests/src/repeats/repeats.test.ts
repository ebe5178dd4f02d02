import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { useApiHost } from '../../support/http/api-host.ts';
import type { Answer, Person } from '../../support/http/person.ts';
import { corners } from '../../support/pictures/photo-fixtures.ts';

/** Calls with an `Idempotency-Key`, from the client's side. */
let owner: Person;
const host = useApiHost();
beforeAll(async () => {
  owner = await host.signedIn();
});

const keyed = (person: Person, procedure: string, input: unknown, key: string): Promise<Answer> =>
  person.send('POST', `/api/trpc/${procedure}`, {
    body: JSON.stringify({ json: input }),
    headers: { 'idempotency-key': key },
  });
const home = (address = `${randomUUID()} Street`) => ({ listPrice: 250_000, address, city: 'Springfield' });
const homesAt = (address: string) => host.rows('select id from properties where address = $1', [address]);
const said = ({ status, text }: Answer) => ({ status, text });

describe('a repeat', () => {
  test('is answered byte for byte the same, and the work is done once', async () => {
    const [key, input] = [randomUUID(), home()];
    const first = await keyed(owner, 'properties.create', input, key);
    expect(first.status, first.text).toBe(200);
    const second = await keyed(owner, 'properties.create', input, key);
    expect(said(second)).toEqual(said(first));
    expect(await homesAt(input.address)).toEqual([{ id: first.data.propertyId }]);
  });

  test('may have its fields in another order', async () => {
    const [key, input] = [randomUUID(), home()];
    const first = await keyed(owner, 'properties.create', input, key);
    const turned = Object.fromEntries(Object.entries(input).toReversed());
    expect(said(await keyed(owner, 'properties.create', turned, key))).toEqual(said(first));
  });

  test('without a key is a separate call', async () => {
    const input = home();
    await owner.mutate('properties.create', input);
    await owner.mutate('properties.create', input);
    expect(await homesAt(input.address)).toHaveLength(2);
  });

  test('with another input is rejected', async () => {
    const [key, other] = [randomUUID(), home()];
    await keyed(owner, 'properties.create', home(), key);
    const answer = await keyed(owner, 'properties.create', other, key);
    expect([answer.status, answer.errorCode]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    expect(await homesAt(other.address)).toEqual([]);
  });

  test('by another person, or of another procedure, is a separate call', async () => {
    const [key, input] = [randomUUID(), home()];
    const another = await host.signedIn();
    const [mine, theirs] = [
      await keyed(owner, 'properties.create', input, key),
      await keyed(another, 'properties.create', input, key),
    ];
    expect(theirs.data.propertyId).not.toBe(mine.data.propertyId);
    const { propertyId } = mine.data;
    expect((await keyed(owner, 'favorites.add', { propertyId }, key)).data).toEqual({
      propertyId,
      favorite: true,
    });
    expect((await keyed(owner, 'properties.update', { propertyId, city: 'Oslo' }, key)).status).toBe(200);
  });

  test('of an error gets the same error, even if the call would succeed by now', async () => {
    const { propertyId } = await host.listing(owner);
    const [key, input] = [randomUUID(), { propertyId, agentId: randomUUID() }];
    const refused = await keyed(owner, 'properties.offerAssignment', input, key);
    expect([refused.status, refused.errorCode]).toEqual([400, 'INVALID_INPUT']);
    expect(refused.body.error.json.data.fields).toEqual({ agentId: ['This is not an agent.'] });
    await host.rows(`insert into "user" (id, email, name, role) values ($1, $2, 'A', 'agent')`, [
      input.agentId,
      `${input.agentId}@example.com`,
    ]);
    expect(said(await keyed(owner, 'properties.offerAssignment', input, key))).toEqual(said(refused));
    expect((await keyed(owner, 'properties.offerAssignment', input, randomUUID())).status).toBe(200);
  });

  test('of an internal error is executed again', async () => {
    const [key, input] = [randomUUID(), home()];
    await host.rows(`
      create or replace function fail() returns trigger language plpgsql as $$ begin raise 'broken'; end $$;
      create or replace trigger fail before insert on properties for each row
        when (new.address = '${input.address}') execute function fail()`);
    expect((await keyed(owner, 'properties.create', input, key)).status).toBe(500);
    await host.rows('drop trigger fail on properties');
    expect((await keyed(owner, 'properties.create', input, key)).status).toBe(200);
    expect(await homesAt(input.address)).toHaveLength(1);
  });

  test('while the first is under way gets IDEMPOTENCY_KEY_IN_FLIGHT', async () => {
    const { propertyId } = await host.listing(owner);
    const [key, input] = [randomUUID(), { propertyId, city: 'Bergen' }];
    const client = await host.pool.connect();
    try {
      await client.query('begin');
      await client.query('select from properties where id = $1 for update', [propertyId]);
      const first = keyed(owner, 'properties.update', input, key);
      await expect
        .poll(() => host.rows('select key from idempotency_keys where key = $1', [key]))
        .toHaveLength(1);
      const second = await keyed(owner, 'properties.update', input, key);
      expect([second.status, second.errorCode]).toEqual([409, 'IDEMPOTENCY_KEY_IN_FLIGHT']);
      expect(second.headers.get('retry-after')).toBe('1');
      await client.query('commit');
      expect((await first).status).toBe(200);
      expect(said(await keyed(owner, 'properties.update', input, key))).toEqual(said(await first));
    } finally {
      await client.query('rollback');
      client.release();
    }
  });

  test('at the same moment creates nothing twice', async () => {
    const [key, input] = [randomUUID(), home()];
    const all = await Promise.all(
      Array.from({ length: 8 }, () => keyed(owner, 'properties.create', input, key)),
    );
    const codes = new Set(all.map(({ status, errorCode }) => errorCode ?? status));
    expect([...codes].filter((code) => ![200, 'IDEMPOTENCY_KEY_IN_FLIGHT'].includes(code))).toEqual([]);
    expect(all.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    expect(await homesAt(input.address)).toHaveLength(1);
  });
});

describe('the permission is checked before a stored answer is sent', () => {
  test('to an agent who was unassigned, and is assigned again', async () => {
    const { propertyId } = await host.listing(owner);
    const assistant = await host.signedIn();
    const assign = (sql: string) => host.rows(sql, [propertyId, assistant.id]);
    await assign('insert into property_agents values ($1, $2)');
    const [key, input] = [randomUUID(), { propertyId, city: 'Moss' }];
    const first = await keyed(assistant, 'properties.update', input, key);
    expect(first.status).toBe(200);
    await assign('delete from property_agents where "propertyId" = $1 and "agentId" = $2');
    const refused = await keyed(assistant, 'properties.update', input, key);
    expect([refused.status, refused.errorCode]).toEqual([404, 'NOT_FOUND']);
    await assign('insert into property_agents values ($1, $2)');
    expect(said(await keyed(assistant, 'properties.update', input, key))).toEqual(said(first));
  });

  test('to a person who is signed out, and to an agent who is a customer now', async () => {
    const person = await host.signedIn();
    const [key, input] = [randomUUID(), home()];
    expect((await keyed(person, 'properties.create', input, key)).status).toBe(200);
    await host.rows(`update "user" set role = 'customer' where id = $1`, [person.id]);
    expect((await keyed(person, 'properties.create', input, key)).errorCode).toBe('AGENT_REQUIRED');
    await host.rows('delete from session where "userId" = $1', [person.id]);
    expect((await keyed(person, 'properties.create', input, key)).errorCode).toBe('UNAUTHORIZED');
  });

  test('to an outsider: a foreign listing and an unknown one get the same answer, also for the repeat', async () => {
    const { propertyId } = await host.listing(owner);
    const outsider = await host.signedIn();
    const ask = async (id: string) => {
      const input = { propertyId: id, city: 'X' };
      const key = randomUUID();
      return [
        await keyed(outsider, 'properties.update', input, key),
        await keyed(outsider, 'properties.update', input, key),
      ].map(({ status, text, headers }) => ({
        status,
        text,
        headers: [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name)),
      }));
    };
    expect(await ask(propertyId)).toEqual(await ask(randomUUID()));
  });
});

describe('the key', () => {
  test.each([
    ['is empty', ''],
    ['is too long', 'k'.repeat(256)],
    ['holds a tab', 'a\tb'],
  ])('%s: rejected', async (_, key) => {
    const input = home();
    const answer = await keyed(owner, 'properties.create', input, key);
    expect([answer.status, answer.errorCode]).toEqual([400, 'INVALID_INPUT']);
    expect(await homesAt(input.address)).toEqual([]);
  });

  test('may have 255 characters, including spaces and punctuation', async () => {
    const key = `a b~!"'${randomUUID().padEnd(248, 'k')}`;
    expect(key).toHaveLength(255);
    expect((await keyed(owner, 'properties.create', home(), key)).status).toBe(200);
  });

  test('is ignored by account procedures and queries', async () => {
    const headers = { 'idempotency-key': '' };
    expect((await owner.send('GET', '/api/trpc/users.getMe', { headers })).status).toBe(200);
    const body = JSON.stringify({ json: { code: '000000' } });
    const ended = await owner.send('POST', '/api/trpc/users.confirmDeletion', { headers, body });
    expect(ended.errorCode).toBe('CODE_INVALID');
    expect(await host.rows(`select 1 from idempotency_keys where operation like 'users.confirm%'`)).toEqual(
      [],
    );
  });
});

describe('a photo', () => {
  const send = async (person: Person, key: string, fields: Record<string, string>, bytes: Buffer) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    form.set('file', new Blob([new Uint8Array(bytes)]), 'photo.jpg');
    return person.send('POST', '/api/property-images', { body: form, headers: { 'idempotency-key': key } });
  };

  test('that is sent again is stored once, with any multipart boundary', async () => {
    const { propertyId } = await host.listing(owner);
    const photo = await corners().jpeg().toBuffer();
    const key = randomUUID();
    const first = await send(owner, key, { propertyId }, photo);
    expect(first.status, first.text).toBe(201);
    const again = await send(owner, key, { propertyId }, photo);
    expect(said(again)).toEqual(said(first));
    expect(again.headers.get('cache-control')).toBe(first.headers.get('cache-control'));
    expect(
      await host.rows('select 1 from property_images where "propertyId" = $1', [propertyId]),
    ).toHaveLength(2);
    const other = await corners().png().toBuffer();
    expect((await send(owner, key, { propertyId }, other)).errorCode).toBe('IDEMPOTENCY_KEY_REUSED');
    const room = await send(owner, key, { propertyId, roomType: 'OFFICE' }, photo);
    expect(room.errorCode).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  test('that was deleted stays deleted when the upload is repeated', async () => {
    const { imageId } = await host.listing(owner);
    const headers = { 'idempotency-key': randomUUID() };
    const first = await owner.send('DELETE', `/api/property-images/${imageId}`, { headers });
    expect(first.status).toBe(200);
    const again = await owner.send('DELETE', `/api/property-images/${imageId}`, { headers });
    expect(said(again)).toEqual(said(first));
    const unkeyed = await owner.send('DELETE', `/api/property-images/${imageId}`);
    expect(unkeyed.status).toBe(404);
  });
});

test('deleting an account deletes its stored answers', async () => {
  const person = await host.signedIn();
  await keyed(person, 'users.updateProfile', { name: 'Ada' }, randomUUID());
  const kept = () => host.rows('select 1 from idempotency_keys where "userId" = $1', [person.id]);
  expect(await kept()).toHaveLength(1);
  const { deleteAccount } = await import('../../../persistence/accounts/account-deletion.ts');
  await host.rows(
    `insert into account_codes ("userId", purpose, "codeHash", "expiresAt")
     values ($1, 'deletion', 'x', now() + interval '1 hour')`,
    [person.id],
  );
  expect(await deleteAccount(host.pool, { userId: person.id, codeHash: 'x', at: 0 })).toBe('deleted');
  expect(await kept()).toEqual([]);
});
