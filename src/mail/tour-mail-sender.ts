import type { Pool } from 'pg';
import {
  mailReader,
  removeTourMail,
  type TourMail,
  takeTourMails,
} from '../../persistence/listings/tour-mails.ts';
import { tourOfSide } from '../../persistence/listings/tour-queries.ts';
import type { Clock, Reporter, Timers } from '../../supervisors/ports.ts';
import { createSweeper, type Sweeper } from '../../supervisors/sweepers/sweeper.ts';
import type { Mailer } from './mailer.ts';
import { newsOf, renderTourMail } from './tour-mail.ts';

export interface TourMailPorts {
  readonly pool: Pool;
  readonly mailer: Pick<Mailer, 'sendTourMail'>;
  /** The origin of the site. */
  readonly origin: string;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly reporter: Reporter;
  /** Milliseconds. */
  readonly intervalMs: number;
}

/** At most so many mails between two looks at the clock. */
const PAGE = 20;
/** Spread over two days. */
const MOST_ATTEMPTS = 14;

/**
 * Mails the other side of a tour what has changed (docs/contract.md#mail). A mail is sent at least once: a sender that
 * dies after sending and before removing the row leaves it to be sent again, with the same Message-ID.
 */
export function createTourMailSender(ports: TourMailPorts): Sweeper {
  const { pool, clock, reporter } = ports;
  return createSweeper({
    ...ports,
    name: 'tour-mails',
    async sweep(draining) {
      for (;;) {
        const mails = await takeTourMails(pool, { at: clock.now(), limit: PAGE });
        for (const mail of mails) {
          if (draining.aborted) return;
          try {
            await settle(ports, mail);
          } catch (error) {
            const { tourId, seq, side, attempts } = mail;
            const isLast = attempts >= MOST_ATTEMPTS;
            const what = isLast ? 'a mail about a tour is given up' : 'a mail about a tour was not sent yet';
            reporter.problem(what, error, { tourId, seq, side, attempts });
            if (isLast) await removeTourMail(pool, mail);
          }
        }
        if (mails.length < PAGE) return;
      }
    },
  });
}

/** Sends the mail if its side is to be told and wants to be, and removes its row. */
async function settle(ports: TourMailPorts, mail: TourMail): Promise<void> {
  const { pool, mailer, origin } = ports;
  const { tourId, seq, side } = mail;
  const tour = await tourOfSide(pool, { tourId, side });
  const entry = tour?.history.find((one) => one.seq === seq);
  const news = entry === undefined ? null : newsOf(entry, side);
  const userId = side === 'customer' ? tour?.details.customerId : tour?.context.agentId;
  const reader = news === null || userId == null ? null : await mailReader(pool, userId);
  if (tour && entry && news && reader && !reader.mutedMails.includes(news.kind)) {
    const { locale, email } = reader;
    await mailer.sendTourMail({
      to: email,
      id: `${tourId}.${seq}.${side}`,
      ...renderTourMail({ tour, entry, news, locale, origin }),
    });
  }
  await removeTourMail(pool, mail);
}
