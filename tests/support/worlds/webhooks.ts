import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach } from 'vitest';
import { useApiHost } from '../http/api-host.ts';
import { openWebhookReceiver, type WebhookReceiver } from '../http/webhook-receiver.ts';
import { personOn } from './push-world.ts';
import { setClock, type Visit, visit } from './tour-visits.ts';
import { openWebhookSender } from './webhook-world.ts';

/** A host whose webhooks the tests send, with receivers over real sockets that verify with the libraries of Standard Webhooks. */
export function useWebhooks() {
  const clock = setClock();
  const START = clock.at;
  const host = useApiHost({
    overrides: clock.overrides,
    settings: { PUBLIC_BASE_URL: 'http://127.0.0.1:3999' },
  });
  const cleanups: Array<() => unknown> = [];
  beforeEach(async () => {
    clock.at = START;
    await host.rows('delete from webhook_endpoints');
  });
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });

  const open = (...more: [] | [Parameters<typeof openWebhookSender>[2]]) => {
    const sender = openWebhookSender(host, clock, ...more);
    cleanups.push(sender.close);
    return sender;
  };
  const receiver = async (...options: Parameters<typeof openWebhookReceiver>): Promise<WebhookReceiver> => {
    const one = await openWebhookReceiver(...options);
    cleanups.push(one.close);
    return one;
  };
  const signedIn = async (user = {}) => personOn(host, await host.signedIn(user));
  const scene = (): Promise<Visit> => visit({ ...host, signedIn }, { city: 'Seattle' });
  const rows = () =>
    host.rows<{
      event: string;
      state: string;
      attempts: number;
      problem: string | null;
      status: number | null;
    }>('select event, state, attempts, problem, status from webhook_deliveries order by seq');
  /** The rows have the database's clock: all of them are due at the test's time. */
  const makeDue = () =>
    host.rows(
      `update webhook_deliveries set "createdAt" = $1, "nextAttemptAt" = $1 where attempts = 0 and state = 'WAITING'`,
      [new Date(clock.at)],
    );
  const ask = ({ customer, propertyId }: Visit, text = 'Is the roof new? My code is 1234.') =>
    customer.mutate('messages.open', { propertyId, messageId: randomUUID(), text });
  return { clock, host, cleanups, open, receiver, signedIn, scene, rows, makeDue, ask };
}
