import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { systemTimers } from '../../../src/time.ts';
import { createWebhookClient } from '../../../src/webhooks/webhook-client.ts';
import { createWebhookSecrets } from '../../../src/webhooks/webhook-secrets.ts';
import { createWebhookSender, type WebhookSenderPorts } from '../../../src/webhooks/webhook-sender.ts';
import { eventually } from '../eventually.ts';
import type { ApiHost } from '../http/api-host.ts';
import type { Person } from '../http/person.ts';
import type { SetClock } from './tour-visits.ts';

/** What sends the webhooks of a host, with the problems that it has named and what followed from its calls. */
export function openWebhookSender(
  host: Pick<ApiHost, 'pool' | 'rows' | 'config'>,
  clock: Pick<SetClock, 'at'>,
  more: Partial<WebhookSenderPorts> = {},
) {
  const problems: string[] = [];
  const outcomes: string[] = [];
  const client = createWebhookClient({ allowsLoopback: true, answerMs: 1_000 });
  const ports: WebhookSenderPorts = {
    pool: host.pool,
    client,
    secrets: createWebhookSecrets(host.config.authSecret),
    origin: 'https://homes.example',
    clock: { now: () => clock.at },
    timers: systemTimers,
    intervalMs: 5,
    count: (outcome) => void outcomes.push(outcome),
    reporter: {
      report: () => {},
      alert: () => {},
      transition: () => {},
      count: () => {},
      problem: (what, error) =>
        void problems.push(`${what}: ${error instanceof Error ? error.message : String(error)}`),
    },
    ...more,
  };
  const isIdle = async () => (await dueDeliveries(host, clock.at)) === 0;
  const start = () => {
    const sender = createWebhookSender(ports);
    const running = sender.start();
    return { stop: () => running.then(() => sender.stop(AbortSignal.timeout(10_000))) };
  };
  return {
    problems,
    outcomes,
    close: client.close,
    start,
    /** Sends until nothing is due, or until the condition holds. What was begun is finished. */
    async send(isDone: () => boolean | Promise<boolean> = isIdle) {
      const running = start();
      await eventually(isDone, { what: 'the webhooks to be sent' });
      await running.stop();
    },
  };
}

/** Deliveries that could be sent now. */
async function dueDeliveries({ rows }: Pick<ApiHost, 'rows'>, at: number): Promise<number> {
  const due = await rows(
    `select from webhook_deliveries d join webhook_endpoints e on e.id = d."endpointId"
     where d.state = 'WAITING' and e.state = 'ACTIVE' and (e."busyUntil" > $1
       or d."nextAttemptAt" <= $1 and e."nextAttemptAt" <= $1 and not exists (
         select from webhook_deliveries earlier where earlier."endpointId" = e.id and earlier.state = 'WAITING'
           and earlier.seq < d.seq and earlier."propertyId" is not distinct from d."propertyId"))`,
    [new Date(at)],
  );
  return due.length;
}

export const ALL_EVENTS = [
  'listing.changed',
  'message.received',
  'picture.approved',
  'tour.confirmed',
  'tour.requested',
];

/** An endpoint of the agent. */
export async function madeWebhook(
  person: Person,
  url: string,
  events: readonly string[] = ALL_EVENTS,
): Promise<{ webhookId: string; secret: string }> {
  const { status, data, text } = await person.mutate('webhooks.create', { url, events });
  if (status !== 200) throw new Error(text);
  return { webhookId: data.webhook.webhookId, secret: data.secret };
}

/** An endpoint of the operators, whose secret is sealed as theirs is. */
export async function operatorsWebhook(
  { pool, config }: Pick<ApiHost, 'pool' | 'config'>,
  url: string,
  events: readonly string[] = ALL_EVENTS,
): Promise<{ webhookId: string; secret: string }> {
  const [webhookId, secrets] = [randomUUID(), createWebhookSecrets(config.authSecret)];
  const secret = secrets.make();
  await pool.query(
    `insert into webhook_endpoints (id, url, events, secret, "createdAt") values ($1, $2, $3, $4, now())`,
    [webhookId, url, events, secrets.seal(secret, webhookId)],
  );
  return { webhookId, secret };
}

/** Changes the price, as the API does. */
export const changePrice = (pool: Pool, propertyId: string, price: number) =>
  pool.query('update properties set "listPrice" = $2 where id = $1', [propertyId, price]);
