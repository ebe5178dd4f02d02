import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createWebhookMailSender } from '../../../src/mail/webhook-mail-sender.ts';
import { seedOriginal, seedProperty, seedVariant } from '../../support/database/seed.ts';
import { eventually } from '../../support/eventually.ts';
import { signatureFaults, type WebhookReceiver } from '../../support/http/webhook-receiver.ts';
import { TOUR_SLOTS } from '../../support/machines/event-catalogues.ts';
import { openMailPorts } from '../../support/worlds/mail-ports.ts';
import { type Visit, visit, wire } from '../../support/worlds/tour-visits.ts';
import { changePrice, madeWebhook, operatorsWebhook } from '../../support/worlds/webhook-world.ts';
import { useWebhooks } from '../../support/worlds/webhooks.ts';

/** docs/contract.md#webhooks-out: what is sent, in which order, and to receivers in trouble. */
const HOUR = 3_600_000;
const { clock, host, cleanups, open, receiver, signedIn, scene, rows, makeDue, ask } = useWebhooks();

describe('what happens to listings', () => {
  test('arrives once, signed for both libraries, with ids and an address and nothing else', async () => {
    clock.at = Date.now();
    const hook = await receiver();
    const { send, problems } = open();
    const home = await scene();
    const { agent, customer, propertyId } = home;
    const { secret } = await madeWebhook(agent, hook.url);
    const { tourId } = (
      await home.request([{ startsAt: clock.at + 48 * HOUR, endsAt: clock.at + 49 * HOUR }], {
        note: 'With two dogs.',
      })
    ).data;
    const { startsAt } = wire({ startsAt: clock.at + 48 * HOUR, endsAt: clock.at + 49 * HOUR });
    expect((await agent.mutate('tours.confirm', { tourId, expectedVersion: 1, startsAt })).status).toBe(200);
    const { threadId } = (await ask(home)).data;
    await changePrice(host.pool, propertyId, 700_000);
    const { imageId } = await seedOriginal(host.pool, { propertyId });
    const staged = await seedVariant(host.pool, { propertyId, imageId });
    expect((await agent.mutate('ai.approveStagedVariant', { imageId: staged })).status).toBe(200);
    clock.at = Date.now() + 1_000;
    await send();
    const page = `https://homes.example/inbox/${propertyId}/${customer.id}`;
    const seen = hook.taken.map(({ type, data }) => ({ type, data }));
    expect(seen).toEqual(
      expect.arrayContaining([
        { type: 'tour.requested', data: { tourId, version: 1, propertyId, page } },
        { type: 'tour.confirmed', data: { tourId, version: 2, propertyId, page } },
        { type: 'message.received', data: { threadId, seq: 1, propertyId, page } },
        {
          type: 'listing.changed',
          data: { propertyId, page: `https://homes.example/properties/${propertyId}` },
        },
        {
          type: 'picture.approved',
          data: { stagedImageId: staged, propertyId, page: `https://homes.example/provenance/${staged}` },
        },
      ]),
    );
    expect(new Set(hook.taken.map(({ id }) => id)).size).toBe(hook.calls.length);
    for (const call of hook.taken) {
      expect(signatureFaults(call, secret)).toEqual([]);
      expect(signatureFaults({ ...call, body: `${call.body} ` }, secret)).toHaveLength(2);
      expect(call.body).not.toMatch(/Carl|dogs|roof|1234|700000/);
    }
    expect([problems, (await rows()).filter(({ state }) => state !== 'DELIVERED')]).toEqual([[], []]);
  });

  test('goes to the agents of the listing, tours to their own agent, and all of it to operators', async () => {
    const [mine, colleagues, others, operators] = [
      await receiver(),
      await receiver(),
      await receiver(),
      await receiver(),
    ];
    const { send } = open();
    const home = await scene();
    await madeWebhook(home.agent, mine.url);
    await madeWebhook(home.colleague, colleagues.url);
    await madeWebhook(await signedIn(), others.url);
    await operatorsWebhook(host, operators.url);
    await home.request([TOUR_SLOTS.first]);
    await ask(home);
    await makeDue();
    await send();
    const types = (one: WebhookReceiver) => one.taken.map(({ type }) => type);
    expect([types(mine), types(colleagues), types(others), types(operators)]).toEqual([
      ['tour.requested', 'message.received'],
      ['message.received'],
      [],
      ['tour.requested', 'message.received'],
    ]);
  });

  test('is noted for chosen events only, never for drafts, the sample or a held message', async () => {
    const hook = await receiver();
    const home = await scene();
    await madeWebhook(home.agent, hook.url, ['listing.changed', 'message.received']);
    await operatorsWebhook(host, hook.url);
    await home.request([TOUR_SLOTS.first]);
    const draft = await seedProperty(host.pool, {
      ownerAgentId: home.agent.id,
      standardStatus: 'Incomplete',
    });
    const sample = await seedProperty(host.pool, {
      ownerAgentId: home.agent.id,
      originatingSystemName: 'Sample',
      originatingSystemKey: '1',
    });
    for (const id of [draft, sample]) await changePrice(host.pool, id, 1_000);
    await home.customer.mutate('tours.request', { propertyId: sample, slots: [wire(TOUR_SLOTS.second)] });
    await home.customer.mutate('messages.open', {
      propertyId: sample,
      messageId: randomUUID(),
      text: 'Hello',
    });
    expect((await rows()).map(({ event }) => event)).toEqual(['tour.requested']);
    const { threadId } = (await ask(home)).data;
    await home.agent.mutate('messages.block', { threadId, isBlocked: true });
    await home.customer.mutate('messages.send', { threadId, messageId: randomUUID(), text: 'Held' });
    expect((await rows()).filter(({ event }) => event === 'message.received')).toHaveLength(2);
  });

  test('is dropped when its agent left the listing before it was sent', async () => {
    const hook = await receiver();
    const { send } = open();
    const home = await scene();
    await madeWebhook(home.colleague, hook.url);
    await ask(home);
    await makeDue();
    await home.agent.mutate('properties.unassignAgent', {
      propertyId: home.propertyId,
      agentId: home.colleague.id,
    });
    await send();
    expect([hook.calls, (await rows()).map(({ state }) => state)]).toEqual([[], ['DROPPED']]);
  });

  test('changes of a listing that no request has begun with are one delivery; a change during a request is another', async () => {
    const hook = await receiver();
    const { send } = open();
    const { agent, propertyId } = await scene();
    await madeWebhook(agent, hook.url, ['listing.changed']);
    for (const price of [1, 2, 3]) await changePrice(host.pool, propertyId, price);
    expect(await rows()).toHaveLength(1);
    await makeDue();
    hook.state.answer = async () => {
      hook.state.answer = () => ({ status: 200 });
      await changePrice(host.pool, propertyId, 4);
      await makeDue();
      return { status: 200 };
    };
    await send(() => hook.taken.length === 2);
    expect((await rows()).map(({ state }) => state)).toEqual(['DELIVERED', 'DELIVERED']);
  });

  test('a change that is rolled back notes nothing', async () => {
    const { agent, propertyId } = await scene();
    await madeWebhook(agent, 'https://hooks.example.com/1');
    const client = await host.pool.connect();
    await client.query('begin');
    await client.query('update properties set "listPrice" = 5 where id = $1', [propertyId]);
    await client.query('rollback');
    client.release();
    expect(await rows()).toEqual([]);
  });
});

describe('order and fairness', () => {
  const written = async (home: Visit, texts: readonly string[]) => {
    const { threadId } = (await ask(home, texts[0])).data;
    for (const text of texts.slice(1))
      await home.customer.mutate('messages.send', { threadId, messageId: randomUUID(), text });
    await makeDue();
  };

  test('deliveries about one listing keep their order through failures, and another listing does not wait', async () => {
    const hook = await receiver();
    const { send } = open();
    const home = await scene();
    const other = await visit({ ...host, signedIn }, { city: 'Tacoma' }, home.agent);
    await madeWebhook(home.agent, hook.url, ['message.received']);
    await written(home, ['One', 'Two', 'Three']);
    await ask(other, 'Elsewhere');
    await makeDue();
    let refusals = 2;
    hook.state.answer = ({ data }) => {
      if (data.propertyId !== home.propertyId || refusals === 0) return { status: 200 };
      refusals -= 1;
      return { status: 500 };
    };
    await send();
    expect(hook.taken.map(({ data }) => data.propertyId)).toEqual([other.propertyId]);
    for (let time = 0; time < 2; time += 1) {
      clock.at += 30_000;
      await send();
    }
    const ofHome = (calls: WebhookReceiver['calls']) =>
      calls.filter(({ data }) => data.propertyId === home.propertyId).map(({ data }) => data.seq);
    expect([ofHome(hook.calls), ofHome(hook.taken)]).toEqual([
      [1, 1, 1, 2, 3],
      [1, 2, 3],
    ]);
    expect(hook.state.most).toBe(1);
  });

  test('two senders race: each delivery is sent once, one at a time, in order', async () => {
    const hook = await receiver();
    const senders = [open(), open(), open()];
    const home = await scene();
    await madeWebhook(home.agent, hook.url, ['message.received']);
    await written(
      home,
      Array.from({ length: 12 }, (_, index) => `Message ${index}`),
    );
    const running = senders.map((sender) => sender.start());
    await eventually(() => hook.taken.length >= 12, { what: 'all to arrive' });
    for (const one of running) await one.stop();
    expect(hook.taken.map(({ data }) => data.seq)).toEqual(
      Array.from({ length: 12 }, (_, index) => index + 1),
    );
    expect([hook.calls.length, hook.state.most]).toEqual([12, 1]);
  });

  test('an endpoint with a backlog that never answers does not hold up another', async () => {
    const [silent, hook] = [await receiver(), await receiver()];
    const { send } = open();
    const home = await scene();
    await madeWebhook(home.agent, silent.url, ['message.received']);
    await operatorsWebhook(host, hook.url, ['message.received']);
    silent.state.answer = () => 'silence';
    await written(home, ['One', 'Two', 'Three']);
    await send(() => hook.taken.length === 3);
    expect(silent.calls.length).toBe(1);
    const [first] = await host.rows<{ problem: string }>(
      `select problem from webhook_deliveries where attempts = 1 and state = 'WAITING'`,
    );
    expect(first?.problem).toBe('TIMEOUT');
  });
});

describe('receivers in trouble', () => {
  const one = async (url: string) => {
    const home = await scene();
    const made = await madeWebhook(home.agent, url, ['message.received']);
    await ask(home);
    await makeDue();
    return { ...made, home };
  };

  test('one that is killed gets what it missed when it is back, with the same id', async () => {
    const hook = await receiver();
    const { send } = open();
    await one(hook.url);
    hook.state.answer = () => 'cut';
    await send();
    await hook.kill();
    clock.at += 60_000;
    await send();
    expect((await rows()).map(({ attempts, problem }) => [attempts, problem])).toEqual([[2, 'UNREACHABLE']]);
    await hook.revive();
    hook.state.answer = () => ({ status: 200 });
    clock.at += 10 * 60_000;
    await send();
    const [first, ...more] = hook.calls;
    expect([more.map(({ id }) => id), hook.taken.map(({ id }) => id)]).toEqual([[first?.id], [first?.id]]);
  });

  test.each([
    ['seconds', () => '7200'],
    ['a date', () => new Date(clock.at + 2 * HOUR).toUTCString()],
  ])('429 with Retry-After in %s is obeyed, for all that waits', async (_form, retryAfter) => {
    const hook = await receiver();
    const { send } = open();
    const { home } = await one(hook.url);
    clock.at = Math.ceil(clock.at / 1_000) * 1_000;
    hook.state.answer = () => ({ status: 429, headers: { 'retry-after': retryAfter() } });
    await send();
    hook.state.answer = () => ({ status: 200 });
    const other = await visit({ ...host, signedIn }, { city: 'Tacoma' }, home.agent);
    await ask(other);
    await makeDue();
    clock.at += 2 * HOUR - 1;
    await send();
    expect(hook.calls.length).toBe(1);
    clock.at += 1;
    await send();
    expect(hook.taken.length).toBe(2);
  });

  test.each([301, 302, 307, 308])('a redirect with %i is not followed', async (status) => {
    const [hook, other] = [await receiver(), await receiver()];
    const { send } = open();
    await one(hook.url);
    hook.state.answer = () => ({ status, headers: { location: other.url } });
    await send();
    expect([other.calls, (await rows()).map(({ state, problem }) => [state, problem])]).toEqual([
      [],
      [['WAITING', 'REDIRECT']],
    ]);
  });

  test('a certificate that no authority has signed is refused', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'webhook-tls-'));
    cleanups.push(() => rmSync(folder, { recursive: true }));
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:P-256',
        '-nodes',
        '-days',
        '2',
        '-subj',
        '/CN=localhost',
        '-addext',
        'subjectAltName=IP:127.0.0.1',
        '-keyout',
        key,
        '-out',
        cert,
      ],
      { stdio: 'ignore' },
    );
    const hook = await receiver({
      tls: { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') },
    });
    const { send } = open();
    await one(hook.url);
    await send();
    expect([hook.calls, (await rows()).map(({ problem }) => problem)]).toEqual([[], ['CERTIFICATE']]);
  });

  test.each([
    'https://10.1.2.3/',
    'https://[fd00::1]/',
    'https://[::ffff:169.254.169.254]/',
    'https://printer.local/',
  ])('the private address %s is refused when it is named, and when it stands in a row', async (url) => {
    const hook = await receiver();
    const { send } = open();
    const { webhookId, home } = await one(hook.url);
    const named = await home.agent.mutate('webhooks.update', { webhookId, url });
    expect(named.errorCode).toBe('WEBHOOK_ADDRESS_REFUSED');
    await host.rows('update webhook_endpoints set url = $1', [url]);
    await send();
    expect((await rows()).map(({ problem }) => problem)).toEqual(['ADDRESS_REFUSED']);
  });

  test('nothing that answers 410 is called again, and its agent gets a mail', async () => {
    const hook = await receiver();
    const { send } = open();
    const { webhookId, home } = await one(hook.url);
    hook.state.answer = () => ({ status: 410 });
    await send();
    expect((await home.agent.query('webhooks.list')).data.items).toMatchObject([
      { webhookId, state: 'OFF', offReason: 'GONE' },
    ]);
    await ask(home, 'Again');
    clock.at += HOUR;
    await send();
    expect([hook.calls.length, (await rows()).length]).toEqual([1, 1]);
    expect(await mailsTo(home.agent.id)).toEqual([`Your webhook to ${new URL(hook.url).host} is off`]);
  });

  test('one that fails for 72 hours is off with a mail, not an hour before; turned on, it can get everything again', async () => {
    const hook = await receiver();
    const { send } = open();
    const { webhookId, home } = await one(hook.url);
    const begin = clock.at;
    hook.state.answer = () => ({ status: 500 });
    const state = async () => (await home.agent.query('webhooks.list')).data.items[0];
    while (clock.at < begin + 72 * HOUR) {
      await send();
      expect((await state()).state).toBe('ACTIVE');
      const [next] = await host.rows<{ at: Date }>('select "nextAttemptAt" as at from webhook_deliveries');
      expect(next?.at.getTime()).toBeGreaterThan(clock.at);
      clock.at = next?.at.getTime() ?? Number.POSITIVE_INFINITY;
    }
    expect(clock.at).toBe(begin + 72 * HOUR);
    const tries = hook.calls.length;
    expect(tries).toBeLessThan(25);
    await send();
    expect([hook.calls.length, await state()]).toMatchObject([
      tries + 1,
      { state: 'OFF', offReason: 'FAILING' },
    ]);
    expect(await mailsTo(home.agent.id)).toHaveLength(1);
    hook.state.answer = () => ({ status: 200 });
    const { deliveryId } = (await home.agent.query('webhooks.listDeliveries', { webhookId })).data.items[0];
    expect((await home.agent.mutate('webhooks.resend', { deliveryId })).errorCode).toBe('WEBHOOK_OFF');
    await home.agent.mutate('webhooks.update', { webhookId, isOn: true });
    expect((await home.agent.mutate('webhooks.resend', { deliveryId })).status).toBe(200);
    await send();
    expect(hook.taken.map(({ id }) => id)).toEqual([deliveryId]);
  });

  test('a delivery that alone fails for 72 hours is given up, and the endpoint stays on', async () => {
    const hook = await receiver();
    const { send } = open();
    const { home } = await one(hook.url);
    hook.state.answer = ({ data }) => ({ status: data.propertyId === home.propertyId ? 500 : 200 });
    await send();
    clock.at += 71 * HOUR;
    await ask(await visit({ ...host, signedIn }, {}, home.agent));
    await makeDue();
    await send();
    clock.at += HOUR;
    await send();
    expect((await rows()).map(({ state }) => state).toSorted()).toEqual(['DELIVERED', 'FAILED']);
    expect((await home.agent.query('webhooks.list')).data.items[0].state).toBe('ACTIVE');
  });

  test('an endpoint that takes less than happens is off', async () => {
    const hook = await receiver();
    const { send } = open();
    const { webhookId, home } = await one(hook.url);
    await host.rows(
      `insert into webhook_deliveries ("endpointId", "propertyId", event, "subjectId", "createdAt", "nextAttemptAt")
       select $1, $2, 'listing.changed', $2, $3, $3 from generate_series(1, 10000)`,
      [webhookId, home.propertyId, new Date(clock.at)],
    );
    await send();
    expect((await home.agent.query('webhooks.list')).data.items[0]).toMatchObject({
      offReason: 'TOO_MUCH_WAITS',
      waiting: 0,
    });
    expect(hook.calls).toEqual([]);
  });
});

async function mailsTo(userId: string): Promise<string[]> {
  const { sink, ports, close } = await openMailPorts(host, { clock });
  const sender = createWebhookMailSender(ports);
  await sender.start();
  await eventually(async () => (await host.rows('select from webhook_mails')).length === 0, {
    what: 'the mails',
  });
  await sender.stop(AbortSignal.timeout(5_000));
  await close();
  return sink.mails
    .filter(({ to }) => to === `${userId}@example.com`)
    .map(({ email }) => String(email.subject));
}
