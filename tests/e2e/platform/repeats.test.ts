import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { type Person, signIn } from '../../support/platform/agent.ts';
import { createListing, roomPhoto } from '../../support/platform/listing.ts';
import { startTestPlatform, type TestPlatform } from '../../support/platform/platform.ts';

/**
 * Calls that are repeated after a lost answer: the connection broke after the commit, or the web process was
 * killed before, during or after it. A trigger blocks the storing of the answer until the test releases it.
 */
let platform: TestPlatform;
let agent: Person;
beforeAll(async () => {
  platform = await startTestPlatform({ workers: 0 });
  agent = await signIn(platform);
  await platform.rows(`
    create function wait_for_test() returns trigger language plpgsql as $$ begin
      perform pg_advisory_xact_lock_shared(8);
      return new;
    end $$`);
  await platform.rows(`
    create trigger wait_for_test before update on idempotency_keys for each row
      when (new.answer is distinct from old.answer) execute function wait_for_test()`);
}, 60_000);
afterAll(() => platform.stop());

const home = () => ({ listPrice: 250_000, address: `${randomUUID()} Street`, city: 'Springfield' });
const homesAt = (address: string) =>
  platform.rows<{ id: string }>('select id from properties where address = $1', [address]);
const rowOf = async (key: string) =>
  (
    await platform.rows<{ answer: string | null }>('select answer from idempotency_keys where key = $1', [
      key,
    ])
  )[0];

async function keyed(procedure: string, input: unknown, key: string) {
  const answer = await request(`${platform.urls[0]}/api/trpc/${procedure}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: agent.cookie, 'idempotency-key': key },
    body: JSON.stringify({ json: input }),
  });
  const text = await answer.body.text();
  const body = JSON.parse(text);
  return {
    status: answer.statusCode,
    text,
    data: body.result?.data.json,
    errorCode: body.error?.json.data.errorCode,
  };
}

/** No answer is stored until this is released. */
async function holdAnswers(): Promise<() => Promise<void>> {
  const client = await platform.pool.connect();
  await client.query('select pg_advisory_lock(8)');
  return async () => {
    // The waiting session belongs to a killed process.
    await client.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where wait_event_type = 'Lock' and wait_event = 'advisory' and datname = current_database()`);
    await client.query('select pg_advisory_unlock(8)');
    client.release();
  };
}
const somebodyWaits = () =>
  eventually(
    async () =>
      (
        await platform.rows(`select 1 from pg_stat_activity where wait_event = 'advisory'
          and datname = current_database()`)
      ).length > 0,
    { what: 'an answer that is about to be kept' },
  );

/** Kills the web process in the middle of the call, and starts another in its place. */
async function killIn(call: () => Promise<unknown>): Promise<void> {
  const letGo = await holdAnswers();
  try {
    const lost = call().then(
      () => 'answered',
      () => 'lost',
    );
    await somebodyWaits();
    await platform.roles.at(-1)?.stop('SIGKILL');
    expect(await lost).toBe('lost');
  } finally {
    await letGo();
    if (platform.roles.at(-1)?.isRunning() === false) await (await platform.startWeb({}, 0)).ready;
  }
}
const leaseIsOver = (key: string) =>
  platform.rows(`update idempotency_keys set "expiresAt" = now() - interval '1 s' where key = $1`, [key]);

test('the connection breaks after the commit: a repeat gets the first answer, and the work is done once', async () => {
  const [key, input] = [randomUUID(), home()];
  const { hostname, port } = new URL(platform.urls[0] ?? '');
  const body = JSON.stringify({ json: input });
  const socket = connect(Number(port), hostname);
  socket.write(
    `POST /api/trpc/properties.create HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n` +
      `Cookie: ${agent.cookie}\r\nIdempotency-Key: ${key}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  await eventually(async () => (await homesAt(input.address)).length === 1, { what: 'the listing' });
  socket.destroy();
  const again = await keyed('properties.create', input, key);
  const [listing] = await homesAt(input.address);
  expect(again.data).toEqual({ propertyId: listing?.id });
  expect(await homesAt(input.address)).toHaveLength(1);
});

describe('the web process is killed', () => {
  test('before the commit of work that stores its answer: nothing is stored, and a repeat does it once', async () => {
    const [key, input] = [randomUUID(), home()];
    await killIn(() => keyed('properties.create', input, key));
    expect(await homesAt(input.address)).toEqual([]);
    expect((await keyed('properties.create', input, key)).errorCode).toBe('IDEMPOTENCY_KEY_IN_FLIGHT');
    await leaseIsOver(key);
    const again = await keyed('properties.create', input, key);
    expect(await homesAt(input.address)).toEqual([{ id: again.data.propertyId }]);
    expect((await keyed('properties.create', input, key)).text).toBe(again.text);
  }, 60_000);

  test('between commit and stored answer: the work is done, and doing it again changes nothing', async () => {
    const propertyId = await createListing(agent);
    const [key, input] = [randomUUID(), { propertyId }];
    await killIn(() => keyed('favorites.add', input, key));
    const saved = () => platform.rows('select * from favorites where "propertyId" = $1', [propertyId]);
    const before = await saved();
    expect(before).toHaveLength(1);
    expect(await rowOf(key)).toEqual({ answer: null });
    expect((await keyed('favorites.add', input, key)).errorCode).toBe('IDEMPOTENCY_KEY_IN_FLIGHT');
    await leaseIsOver(key);
    const again = await keyed('favorites.add', input, key);
    expect(again.data).toEqual({ propertyId, favorite: true });
    expect(await saved()).toEqual(before);
    expect((await keyed('favorites.add', input, key)).text).toBe(again.text);
  }, 60_000);

  test('while a photo is stored: a repeat stores it once', async () => {
    const propertyId = await createListing(agent);
    const bytes = await roomPhoto();
    const key = randomUUID();
    const upload = async () => {
      const form = new FormData();
      form.set('propertyId', propertyId);
      form.set('file', new Blob([new Uint8Array(bytes)]), 'photo.jpg');
      const encoded = new Response(form);
      const answer = await request(`${platform.urls[0]}/api/property-images`, {
        method: 'POST',
        headers: {
          cookie: agent.cookie,
          'idempotency-key': key,
          'content-type': encoded.headers.get('content-type') ?? '',
        },
        body: Buffer.from(await encoded.arrayBuffer()),
      });
      return { status: answer.statusCode, text: await answer.body.text() };
    };
    const photos = () => platform.rows('select 1 from property_images where "propertyId" = $1', [propertyId]);
    await killIn(upload);
    expect(await photos()).toEqual([]);
    await leaseIsOver(key);
    const again = await upload();
    expect(again.status, again.text).toBe(201);
    expect(await upload()).toEqual(again);
    expect(await photos()).toHaveLength(1);
  }, 60_000);
});
