import type { MailPorts } from '../../../src/mail/mail-sender.ts';
import { createMailer } from '../../../src/mail/mailer.ts';
import { ownSite } from '../../../src/site/read-site.ts';
import { createLogger } from '../../../src/telemetry/logger.ts';
import { systemTimers } from '../../../src/time.ts';
import type { ApiHost } from '../http/api-host.ts';
import { openSmtpSink } from '../http/smtp-sink.ts';
import type { SetClock } from './tour-visits.ts';

/** A mail server, and what a sender of mails needs to look at the rows every few milliseconds. */
export async function openMailPorts(
  { pool }: Pick<ApiHost, 'pool'>,
  {
    clock,
    perRecipientHour = 0,
    perHour = 0,
  }: {
    readonly clock: Pick<SetClock, 'at'>;
    readonly perRecipientHour?: number;
    readonly perHour?: number;
  },
) {
  const sink = await openSmtpSink();
  const logger = createLogger({ role: 'web', level: 'silent' });
  const mailer = createMailer({
    smtpUrl: sink.url,
    site: ownSite(),
    from: 'Proscenium <no-reply@homes.example>',
    logger,
  });
  const problems: string[] = [];
  const ports: MailPorts = {
    pool,
    mailer,
    perRecipientHour,
    perHour,
    site: { ...ownSite(), origin: 'https://homes.example' },
    clock: { now: () => clock.at },
    timers: systemTimers,
    intervalMs: 5,
    reporter: {
      report: () => {},
      alert: () => {},
      transition: () => {},
      count: () => {},
      problem: (what) => void problems.push(what),
    },
  };
  const close = async (): Promise<void> => {
    await mailer.close();
    await sink.close();
  };
  return { sink, ports, problems, close };
}
