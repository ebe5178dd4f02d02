import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { createAlertMailSender } from '../../../src/mail/alerts/alert-mail-sender.ts';
import { createAlertTokens } from '../../../src/mail/alerts/alert-tokens.ts';
import { ownSite } from '../../../src/site/read-site.ts';
import { sweepAlerts } from '../../../src/worker/alert-turns.ts';
import { eventually } from '../eventually.ts';
import type { ApiHost } from '../http/api-host.ts';
import type { Person } from '../http/person.ts';
import { sharedStack } from '../platform/stack.ts';
import { openMailPorts } from './mail-ports.ts';
import type { SetClock } from './tour-visits.ts';

/** One sweep of the worker that finds out what is to be said to whom. Problems fail it. */
export function sweepOnce(
  pool: Pool,
  { at, prolong = async () => true }: { at: number; prolong?: () => Promise<boolean> },
): Promise<void> {
  const problems: unknown[] = [];
  const parts = {
    clock: { now: () => at },
    chance: { id: randomUUID, jitter: () => 0 },
    config: { site: ownSite() },
    database: { pool },
    reporter: {
      report: () => {},
      alert: () => {},
      transition: () => {},
      count: () => {},
      problem: (_what: string, error: unknown) => void problems.push(error),
    },
  };
  return sweepAlerts(parts, { prolong }, new AbortController().signal).then(() => {
    if (problems.length > 0) throw new AggregateError(problems, 'an alert could not be made');
  });
}

/** The worker's sweep and the sender of web, with a mail server. */
export async function openAlerts(
  host: ApiHost,
  clock: SetClock,
  { perRecipientHour = 0, perHour = 0 }: { perRecipientHour?: number; perHour?: number } = {},
) {
  const { sink, ports, close, problems } = await openMailPorts(host, { clock, perRecipientHour, perHour });
  const tokens = createAlertTokens(sharedStack().secrets.authSecret);
  const send = async () => {
    const sender = createAlertMailSender({ ...ports, tokens, units: ownSite() });
    await sender.start();
    await eventually(
      async () =>
        (
          await host.rows('select from alert_mails where "nextAttemptAt" <= $1 or attempts > 0', [
            new Date(clock.at),
          ])
        ).length === 0,
      { what: 'the alerts are sent' },
    );
    await sender.stop(AbortSignal.timeout(5_000));
  };
  const sweep = () => sweepOnce(host.pool, { at: clock.at });
  return {
    sink,
    problems,
    tokens,
    close,
    sweep,
    send,
    /** A sweep now, and one after a while, with what it sends. */
    async after(ms: number) {
      await sweep();
      clock.at += ms;
      await sweep();
      await send();
    },
    mailsTo: ({ id }: Pick<Person, 'id'>) =>
      sink.mails.filter(({ to }) => to === `${id}@example.com`).map(({ email }) => email),
  };
}
export type Alerts = Awaited<ReturnType<typeof openAlerts>>;
