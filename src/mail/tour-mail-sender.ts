import { type TourMail, tourMails } from '../../persistence/listings/tour-mails.ts';
import { tourOfSide } from '../../persistence/listings/tour-queries.ts';
import type { Sweeper } from '../../supervisors/sweepers/sweeper.ts';
import { type ComposedMail, createMailSender, type MailPorts } from './mail-sender.ts';
import { readerOf } from './mailed-site.ts';
import { newsOf, renderTourMail } from './tour-mail.ts';

/** Mails the other side of a tour what has changed (docs/contract.md#mail). */
export const createTourMailSender = (ports: MailPorts): Sweeper =>
  createMailSender(ports, { ...tourMails, name: 'tour-mails', what: 'a mail about a tour', compose });

async function compose(
  { pool, site }: MailPorts,
  { tourId, seq, side }: TourMail,
): Promise<ComposedMail | null> {
  const tour = await tourOfSide(pool, { tourId, side });
  const entry = tour?.history.find((one) => one.seq === seq);
  const news = entry === undefined ? null : newsOf(entry, side);
  const userId = side === 'customer' ? tour?.details.customerId : tour?.context.agentId;
  if (!tour || !entry || !news || userId == null) return null;
  const reader = await readerOf({ pool, site }, userId);
  if (!reader || reader.mutedMails.includes(news.kind)) return null;
  const { locale, email } = reader;
  return {
    countedFor: userId,
    to: email,
    id: `${tourId}.${seq}.${side}`,
    news: renderTourMail({ tour, entry, news, locale, reader: email, site }),
  };
}
