import { describe, expect, test } from 'vitest';
import { operate } from '../../../ops/cli/operate.ts';
import { readWebhookBacklog } from '../../../persistence/webhooks/sending.ts';
import { signatureFaults } from '../../support/http/webhook-receiver.ts';
import { madeWebhook, operatorsWebhook } from '../../support/worlds/webhook-world.ts';
import { useWebhooks } from '../../support/worlds/webhooks.ts';

/** docs/contract.md#webhooks-out: secrets, and who has webhooks. */
const HOUR = 3_600_000;
const { clock, host, open, receiver, signedIn, scene, rows, makeDue, ask } = useWebhooks();

describe('secrets', () => {
  test('are shown once, sealed in the row; after a rotation both sign for a day, then only the new one', async () => {
    clock.at = Date.now();
    const hook = await receiver();
    const { send } = open();
    const { agent } = await scene();
    const { webhookId, secret } = await madeWebhook(agent, hook.url);
    const test1 = async () => {
      await agent.mutate('webhooks.sendTest', { webhookId });
      await send();
      return hook.taken.at(-1);
    };
    const before = await test1();
    const rotated = (await agent.mutate('webhooks.rotateSecret', { webhookId })).data;
    const during = await test1();
    await host.rows(`update webhook_endpoints set "formerUntil" = $1`, [new Date(clock.at)]);
    const after = await test1();
    const verdicts = [before, during, after].map((call) =>
      [secret, rotated.secret].map((one) => call !== undefined && signatureFaults(call, one).length === 0),
    );
    expect(verdicts).toEqual([
      [true, false],
      [true, true],
      [false, true],
    ]);
    expect(new Date(rotated.formerSecretUntil).getTime()).toBe(clock.at + 24 * HOUR);
    const list = (await agent.query('webhooks.list')).text;
    const stored = JSON.stringify(await host.rows('select * from webhook_endpoints'));
    for (const one of [secret, rotated.secret])
      for (const text of [list, stored]) expect(text).not.toContain(one.slice(6));
  });

  test('of another AUTH_SECRET turn the endpoint off with a mail, and a rotation mends it', async () => {
    const hook = await receiver();
    const { send } = open();
    const { agent } = await scene();
    const { webhookId } = await madeWebhook(agent, hook.url);
    await host.rows('update webhook_endpoints set secret = $1', [Buffer.alloc(80, 1).toString('base64url')]);
    await agent.mutate('webhooks.sendTest', { webhookId });
    await send();
    expect((await agent.query('webhooks.list')).data.items[0].offReason).toBe('SECRET_LOST');
    await agent.mutate('webhooks.rotateSecret', { webhookId });
    await agent.mutate('webhooks.update', { webhookId, isOn: true });
    await agent.mutate('webhooks.sendTest', { webhookId });
    await send();
    expect(hook.taken.map(({ type }) => type)).toEqual(['webhook.test']);
  });
});

describe('owners', () => {
  test('have five, each address once, and see no one else’s', async () => {
    const [agent, other] = [await signedIn(), await signedIn()];
    const made = await Promise.all(
      Array.from({ length: 7 }, (_, index) =>
        agent.mutate('webhooks.create', {
          url: `https://hooks.example.com/${index}`,
          events: ['tour.requested'],
        }),
      ),
    );
    expect(made.map(({ status, errorCode }) => errorCode ?? status).toSorted()).toEqual([
      ...Array.from({ length: 5 }, () => 200),
      'TOO_MANY_WEBHOOKS',
      'TOO_MANY_WEBHOOKS',
    ]);
    const { items } = (await agent.query('webhooks.list')).data;
    const [first, second] = items;
    expect(
      (await agent.mutate('webhooks.update', { webhookId: first.webhookId, url: second.url })).errorCode,
    ).toBe('WEBHOOK_EXISTS');
    expect((await other.query('webhooks.list')).data.items).toEqual([]);
    for (const [call, input] of [
      ['webhooks.update', { isOn: false }],
      ['webhooks.rotateSecret', {}],
      ['webhooks.sendTest', {}],
    ] as const)
      expect((await other.mutate(call, { webhookId: first.webhookId, ...input })).errorCode).toBe(
        'NOT_FOUND',
      );
    await other.mutate('webhooks.remove', { webhookId: first.webhookId });
    expect((await agent.query('webhooks.list')).data.items).toHaveLength(5);
    await agent.mutate('webhooks.remove', { webhookId: first.webhookId });
    expect((await agent.query('webhooks.list')).data.items).toHaveLength(4);
  });

  test('request thirty tests and repeats in an hour', async () => {
    const agent = await signedIn();
    const { webhookId } = await madeWebhook(agent, 'https://hooks.example.com/1');
    const answers: (string | number)[] = [];
    for (let time = 0; time < 31; time += 1) {
      const { status, errorCode } = await agent.mutate('webhooks.sendTest', { webhookId });
      answers.push(errorCode ?? status);
    }
    expect(answers.filter((one) => one === 200).length).toBe(30);
    expect(answers.at(-1)).toBe('RATE_LIMITED');
  });

  test('who are suspended or delete their account get nothing from that moment', async () => {
    const hook = await receiver();
    const { send } = open();
    const home = await scene();
    await madeWebhook(home.agent, hook.url);
    await madeWebhook(home.colleague, hook.url);
    await ask(home);
    await makeDue();
    await host.rows('update "user" set "suspendedAt" = now() where id = $1', [home.agent.id]);
    await host.rows(`delete from webhook_endpoints where "userId" = $1`, [home.colleague.id]);
    await send();
    expect(hook.calls).toEqual([]);
    expect((await rows()).map(({ state }) => state)).toEqual(['DROPPED']);
    const turnedOn = host.rows(
      `update webhook_endpoints set state = 'ACTIVE', "offReason" = null, "offAt" = null`,
    );
    await expect(turnedOn).rejects.toThrow(/suspended/);
  });
});

describe('operators', () => {
  const ops = async (...args: string[]) => {
    const [out, err]: [string[], string[]] = [[], []];
    const code = await operate({
      args: ['webhooks', ...args],
      environment: {
        DATABASE_URL: host.config.databaseUrl,
        AUTH_SECRET: host.config.authSecret,
        PUBLIC_BASE_URL: host.config.publicBaseUrl,
      },
      signal: new AbortController().signal,
      screen: { out: (text) => void out.push(text), err: (text) => void err.push(text) },
    });
    return { code, out: out.join('\n'), err: err.join('\n') };
  };

  test('make webhooks by command, see what was sent, rotate, turn off and remove', async () => {
    clock.at = Date.now();
    const hook = await receiver();
    const { send } = open();
    expect((await ops('add', 'https://10.0.0.1/')).code).toBe(1);
    const added = await ops('add', hook.url, '--events', 'message.received');
    expect(added.code).toBe(0);
    const [webhookId = '', secret = ''] = added.out.split('  ');
    expect((await ops('add', hook.url)).code).toBe(1);
    await ask(await scene());
    clock.at = Date.now() + 1_000;
    await send();
    const [call] = hook.taken;
    expect(call && signatureFaults(call, secret)).toEqual([]);
    expect((await ops('deliveries', webhookId)).out).toContain(`${call?.id}  message.received  DELIVERED`);
    expect((await ops('resend', call?.id ?? '')).code).toBe(0);
    expect((await ops('rotate', webhookId)).out).toMatch(/^whsec_/);
    expect((await ops('off', webhookId)).code).toBe(0);
    expect((await ops('list')).out).toContain(`${hook.url}  message.received  OWNER`);
    expect((await ops('remove', webhookId)).code).toBe(0);
    expect((await ops('remove', webhookId)).code).toBe(1);
    expect((await ops('list')).out).toBe('The operators have no webhooks.');
    expect((await ops('shake')).code).toBe(2);
  });

  test('are not those of agents: a command does not reach an agent’s webhook', async () => {
    const agent = await signedIn();
    const { webhookId } = await madeWebhook(agent, 'https://hooks.example.com/1');
    for (const command of ['off', 'rotate', 'remove']) expect((await ops(command, webhookId)).code).toBe(1);
    expect((await agent.query('webhooks.list')).data.items).toMatchObject([{ webhookId, state: 'ACTIVE' }]);
  });

  test('have a gauge for what was turned off by its answers, and one for a turn that does not come', async () => {
    const { webhookId } = await operatorsWebhook(host, 'https://hooks.example.com/1');
    await ask(await scene());
    await makeDue();
    expect(await readWebhookBacklog(host.pool, clock.at + 400_000)).toEqual({
      turnSeconds: 400,
      operatorsOff: 0,
    });
    await host.rows(
      `update webhook_endpoints set state = 'OFF', "offReason" = 'FAILING', "offAt" = now() where id = $1`,
      [webhookId],
    );
    expect(await readWebhookBacklog(host.pool, clock.at + 400_000)).toEqual({
      turnSeconds: 0,
      operatorsOff: 1,
    });
  });
});
