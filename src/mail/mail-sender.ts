import type { Pool } from 'pg';
import type { DueMails } from '../../persistence/listings/due-mails.ts';
import type { Clock, Reporter, Timers } from '../../supervisors/ports.ts';
import { createSweeper, type Sweeper } from '../../supervisors/sweepers/sweeper.ts';
import type { Mailer } from './mailer.ts';

export interface MailPorts {
  readonly pool: Pool;
  readonly mailer: Pick<Mailer, 'sendNews'>;
  /** The origin of the site. */
  readonly origin: string;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly reporter: Reporter;
  /** Milliseconds. */
  readonly intervalMs: number;
}

interface Mails<M> extends DueMails<M> {
  readonly name: string;
  /** Such as `a mail about a tour`, for problems. */
  readonly what: string;
  /** Sends the mail if the recipient is to be notified and wants mails. */
  settle(ports: MailPorts, mail: M): Promise<void>;
}

/** At most so many mails between two looks at the clock. */
const PAGE = 20;
/** Spread over two days. */
const MOST_ATTEMPTS = 14;

/**
 * Sends the mails of one table (docs/contract.md#mail). A mail is sent at least once: a sender that dies after sending
 * and before removing the row leaves it to be sent again, with the same Message-ID.
 */
export function createMailSender<M extends object>(
  ports: MailPorts,
  { name, what, take, remove, settle }: Mails<M>,
): Sweeper {
  const { pool, clock, reporter } = ports;
  return createSweeper({
    ...ports,
    name,
    async sweep(draining) {
      for (;;) {
        const mails = await take(pool, { at: clock.now(), limit: PAGE });
        for (const mail of mails) {
          if (draining.aborted) return;
          try {
            await settle(ports, mail);
            await remove(pool, mail);
          } catch (error) {
            const isLast = mail.attempts >= MOST_ATTEMPTS;
            reporter.problem(`${what} ${isLast ? 'is given up' : 'was not sent yet'}`, error, { ...mail });
            if (isLast) await remove(pool, mail);
          }
        }
        if (mails.length < PAGE) return;
      }
    },
  });
}
