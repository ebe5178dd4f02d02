import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { inTransaction } from '../../../persistence/actors/postgres-actor-store.ts';
import { writeAlert } from '../../../persistence/alerts/alert-writes.ts';
import { createPushClient } from '../../../src/push/push-client.ts';
import { createPushSender, type PushSenderPorts } from '../../../src/push/push-sender.ts';
import { ownSite } from '../../../src/site/read-site.ts';
import { systemTimers } from '../../../src/time.ts';
import { eventually } from '../eventually.ts';
import { type ApiHost, sessionCookie } from '../http/api-host.ts';
import { createPerson, type Person } from '../http/person.ts';
import { type PushedBrowser, type PushService, VAPID } from '../http/push-service.ts';
import type { SetClock } from './tour-visits.ts';

/** Cookies of a host without https have no prefix. */
const onLoopback = (cookie: string): string => cookie.replace('__Host-', '');

export const personOn = (host: ApiHost, { id, cookie }: Person): Person =>
  createPerson(host.url, { id, cookie: onLoopback(cookie) });

/** Another device of the person, signed in. */
export const deviceOf = async (host: ApiHost, { id }: Person): Promise<Person> => {
  const cookie = onLoopback(await sessionCookie(host.pool, id, host.config.authSecret));
  return createPerson(host.url, { id, cookie });
};

/** Turns notices on in a browser of the person. */
export async function subscribed(person: Person, service: PushService): Promise<PushedBrowser> {
  const browser = service.browser();
  const { status, text } = await person.mutate('push.subscribe', browser.subscription);
  if (status !== 200) throw new Error(text);
  return browser;
}

/** What sends the notices of a host, with the problems that it has named. */
export function openPushSender(
  host: Pick<ApiHost, 'pool' | 'rows'>,
  clock: Pick<SetClock, 'at'>,
  more: Partial<PushSenderPorts> = {},
) {
  const problems: string[] = [];
  const client = createPushClient({ vapid: VAPID, allowsLoopback: true, answerMs: 1_000 });
  const ports: PushSenderPorts = {
    pool: host.pool,
    push: { client, serverKey: VAPID.publicKey },
    site: { ...ownSite(), origin: 'https://homes.example' },
    units: ownSite(),
    clock: { now: () => clock.at },
    timers: systemTimers,
    intervalMs: 5,
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
  const due = async () => {
    const sql = 'select from push_notices where "nextAttemptAt" <= $1';
    return (await host.rows(sql, [new Date(clock.at)])).length;
  };
  return {
    problems,
    close: client.close,
    /** Sends until nothing is due. What was begun is finished. */
    async send(isDone: () => boolean | Promise<boolean> = async () => (await due()) === 0) {
      const sender = createPushSender(ports);
      await sender.start();
      await eventually(isDone, { what: 'the notices to be sent' });
      await sender.stop(AbortSignal.timeout(10_000));
    },
  };
}

/** What a notice about a search of this name says in English. */
export const alertLine = (name: string): string => `2 homes with news: ${name}`;

/** An alert of two homes about a saved search, which is made or gets this name. */
export async function giveAlert(
  pool: Pool,
  {
    userId,
    searchId,
    name,
    propertyId,
    at,
  }: { userId: string; searchId: string; name: string; propertyId: string; at: number },
): Promise<void> {
  await inTransaction(pool, async (client) => {
    await client.query(
      `insert into saved_searches (id, "userId", name, filters, "filtersHash", sort, cadence, channels, "createdAt",
         "seenSeq", "runSeq", "nextRunAt")
       values ($1, $2, $3, '{}', $4, 'RELEVANCE', 'INSTANT', '{PUSH}', now(), 0, 0, '2099-01-01')
       on conflict (id) do update set name = excluded.name`,
      [searchId, userId, name, searchId],
    );
    const items = [{ propertyId, kinds: ['NEW' as const], eventId: 1, openHouseIds: [] }];
    await writeAlert(client, {
      alertId: randomUUID(),
      userId,
      searchId,
      items,
      more: 1,
      channels: ['PUSH'],
      at,
    });
  });
}
