import {
  type PictureMail,
  pictureMails,
  pictureWithdrawnByReports,
} from '../../persistence/listings/picture-mails.ts';
import type { Sweeper } from '../../supervisors/sweepers/sweeper.ts';
import { type ComposedMail, createMailSender, type MailPorts } from './mail-sender.ts';
import { readerOf } from './mailed-site.ts';
import { renderPictureMail } from './picture-mail.ts';

/** Mails the owner of a listing that reports have withdrawn one of its pictures (docs/contract.md#mail). */
export const createPictureMailSender = (ports: MailPorts): Sweeper =>
  createMailSender(ports, {
    ...pictureMails,
    name: 'picture-mails',
    what: 'a mail about a picture',
    compose,
  });

async function compose(
  { pool, site }: MailPorts,
  { imageId, seq }: PictureMail,
): Promise<ComposedMail | null> {
  const picture = await pictureWithdrawnByReports(pool, imageId);
  const reader = picture === null ? null : await readerOf({ pool, site }, picture.ownerAgentId);
  if (!picture || !reader || reader.mutedMails.includes('PICTURE_WITHDRAWN')) return null;
  return {
    countedFor: picture.ownerAgentId,
    to: reader.email,
    id: `${imageId}.${seq}.withdrawn`,
    news: renderPictureMail({ picture, locale: reader.locale, site }),
  };
}
