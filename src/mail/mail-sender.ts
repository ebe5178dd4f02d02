import type { Pool } from 'pg';
import {
  type DigestLine,
  giveBackMail,
  type HeldMail,
  holdForDigest,
  takeMailOfHour,
} from '../../persistence/accounts/mail-hours.ts';
import { countMailOfAll, nextHour } from '../../persistence/accounts/mail-totals.ts';
import { inTransaction } from '../../persistence/actors/postgres-actor-store.ts';
import type { DueMails } from '../../persistence/mails/due-mails.ts';
import type { Clock, Reporter, Timers } from '../../supervisors/ports.ts';
import { createSweeper, type Sweeper } from '../../supervisors/sweepers/sweeper.ts';
import type { MailedSite } from './mailed-site.ts';
import type { Mailer, NewsMail } from './mailer.ts';
import type { News } from './news-page.ts';

export interface MailPorts {
  readonly pool: Pool;
  readonly mailer: Pick<Mailer, 'sendNews'>;
  readonly site: MailedSite;
  /** Mails of one person in an hour; what comes after is one digest. 0 means no limit. */
  readonly perRecipientHour: number;
  /** Mails of the installation in an hour, beyond which alerts wait. 0 means no limit. */
  readonly perHour: number;
  /** Told whether alerts wait for the next hour, with each alert. */
  onWait?(waits: boolean): void;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly reporter: Reporter;
  /** Milliseconds. */
  readonly intervalMs: number;
}

/** A mail as it is sent. */
export interface ComposedMail extends NewsMail {
  /** Whose mails of the hour it counts among; null for a mail that is not counted and never waits. */
  readonly countedFor: string | null;
  /** It waits for the next hour while the installation has sent as many mails as it may. */
  readonly mayWait?: boolean;
  /** Few of these are sent in an hour, whatever the limit of all mails. */
  readonly isAboutMessages?: boolean;
}

interface Mails<M> extends DueMails<M> {
  readonly name: string;
  /** Such as `a mail about a tour`, for problems. */
  readonly what: string;
  /** Null when the recipient is not to be notified, or does not want mails. */
  compose(ports: MailPorts, mail: M): Promise<ComposedMail | null>;
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
  { name, what, take, remove, putOff, compose }: Mails<M>,
): Sweeper {
  const { pool, clock, reporter } = ports;
  const settle = async (mail: M): Promise<void> => {
    const composed = await compose(ports, mail);
    if (composed !== null && !(await mayGo(ports, composed)))
      return putOff(pool, mail, nextHour(clock.now()));
    const held = composed === null ? null : await send(ports, composed);
    if (held === null) return remove(pool, mail);
    await inTransaction(pool, async (client) => {
      await holdForDigest(client, held);
      await remove(client, mail);
    });
  };
  return createSweeper({
    ...ports,
    name,
    async sweep(draining) {
      for (;;) {
        const mails = await take(pool, { at: clock.now(), limit: PAGE });
        for (const mail of mails) {
          if (draining.aborted) return;
          try {
            await settle(mail);
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

/** False for a mail that waits, because the installation has sent as many in this hour as it may. */
async function mayGo(
  { pool, clock, perHour, onWait }: MailPorts,
  { mayWait = false }: ComposedMail,
): Promise<boolean> {
  if (perHour === 0) return true;
  const goes = await countMailOfAll(pool, { at: clock.now(), limit: mayWait ? perHour : null });
  if (mayWait) onWait?.(!goes);
  return goes;
}

/** @returns what belongs in the digest of the hour, because the person's mails are used up; null for a mail that was sent */
async function send(
  { pool, mailer, clock, perRecipientHour: limit }: MailPorts,
  { countedFor: userId, isAboutMessages = false, ...mail }: ComposedMail,
): Promise<HeldMail | null> {
  const at = clock.now();
  const isCounted = userId !== null && (limit > 0 || isAboutMessages);
  const counted = isCounted ? { userId, at, isAboutMessages } : null;
  if (counted !== null && !(await takeMailOfHour(pool, { ...counted, limit: limit === 0 ? null : limit })))
    return { userId: counted.userId, at, line: lineOf(mail.news) };
  try {
    await mailer.sendNews(mail);
    return null;
  } catch (error) {
    if (counted !== null) await giveBackMail(pool, counted);
    throw error;
  }
}

const lineOf = ({ heading, home, open }: News): DigestLine => ({
  words: home === undefined ? heading : `${home}: ${heading}`,
  address: open.address,
});
