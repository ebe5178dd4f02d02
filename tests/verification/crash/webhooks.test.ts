import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { useApiHost } from '../../support/http/api-host.ts';
import { openWebhookReceiver, type WebhookReceiver } from '../../support/http/webhook-receiver.ts';
import { personOn } from '../../support/worlds/push-world.ts';
import { setClock, visit } from '../../support/worlds/tour-visits.ts';
import { madeWebhook, openWebhookSender } from '../../support/worlds/webhook-world.ts';
import { NAMED_POINTS, WEB_POINTS } from './named-points.ts';
import { openPostgresGate, type PostgresGate } from './outages/postgres-gate.ts';

/**
 * What sends webhooks loses its database at each of its commits, before it and after it, as when its web is killed there.
 * The next sender continues: each message arrives at least once, in order, with the same id when it arrives twice.
 */
const TEST_MS = 60_000;
const clock = setClock();
const host = useApiHost({
  overrides: clock.overrides,
  settings: { PUBLIC_BASE_URL: 'http://127.0.0.1:3999' },
});
let gate: PostgresGate;
let hook: WebhookReceiver;
beforeAll(async () => {
  gate = await openPostgresGate(host.config.databaseUrl);
  hook = await openWebhookReceiver();
});
afterAll(async () => {
  await hook.close();
  await gate.close();
});
beforeEach(async () => {
  await host.rows('delete from webhook_endpoints');
  hook.calls.splice(0);
  hook.taken.splice(0);
});

const STEPS = [
  { step: 'begins a turn', words: 'attempts = d.attempts + 1' },
  { step: 'ends a turn', words: '"tookMs" = $6' },
] as const;

describe.each(WEB_POINTS)('a sender that is cut off %s', (point) => {
  test.each(STEPS)(
    `while it $step (${NAMED_POINTS[point].meaning}): each message at least once, in order`,
    async ({ words }) => {
      const signedIn = async (user = {}) => personOn(host, await host.signedIn(user));
      const { agent, customer, propertyId } = await visit({ ...host, signedIn }, { city: 'Seattle' });
      await madeWebhook(agent, hook.url, ['message.received']);
      const write = (text: string) =>
        customer.mutate('messages.open', { propertyId, messageId: randomUUID(), text });
      for (const text of ['One', 'Two', 'Three']) expect((await write(text)).status).toBe(200);
      await host.rows('update webhook_deliveries set "nextAttemptAt" = $1', [new Date(clock.at)]);
      const doomed = new pg.Pool({ connectionString: gate.url, max: 2 });
      doomed.on('error', () => {});
      const cut = gate.cutAt(point, words);
      const first = openWebhookSender(host, clock, { pool: doomed, intervalMs: 3_600_000 });
      const running = first.start();
      await cut;
      await running.stop();
      await first.close();
      await doomed.end();
      const next = openWebhookSender(host, clock);
      await next.send(async () => (await waiting()) === 0 || (await busy()) === 1);
      // The turn that was cut off runs out.
      clock.at += 60_000;
      await next.send(async () => (await waiting()) === 0);
      await next.close();
      const ids = [...new Set(hook.calls.map(({ id }) => id))];
      const firsts = ids.map((id) => hook.calls.find((call) => call.id === id)?.data.seq);
      expect(firsts).toEqual([1, 2, 3]);
      expect(hook.calls.map(({ data }) => data.seq)).toEqual(
        hook.calls.map(({ data }) => data.seq).toSorted(),
      );
      expect(hook.calls.length).toBeLessThanOrEqual(4);
      expect(hook.state.most).toBe(1);
    },
    TEST_MS,
  );
});

const count = async (sql: string): Promise<number> => (await host.rows(sql, [new Date(clock.at)])).length;
const waiting = () =>
  count(`select from webhook_deliveries where state = 'WAITING' and $1::timestamptz is not null`);
const busy = () => count('select from webhook_endpoints where "busyUntil" > $1');
