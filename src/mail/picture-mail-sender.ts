import { mailReader } from '../../persistence/listings/due-mails.ts';
import {
  type PictureMail,
  pictureMails,
  pictureWithdrawnByReports,
} from '../../persistence/listings/picture-mails.ts';
import type { Sweeper } from '../../supervisors/sweepers/sweeper.ts';
import { createMailSender, type MailPorts } from './mail-sender.ts';
import { renderPictureMail } from './picture-mail.ts';

/** Mails the owner of a listing that reports have withdrawn one of its pictures (docs/contract.md#mail). */
export const createPictureMailSender = (ports: MailPorts): Sweeper =>
  createMailSender(ports, { ...pictureMails, name: 'picture-mails', what: 'a mail about a picture', settle });

async function settle({ pool, mailer, origin }: MailPorts, { imageId, seq }: PictureMail): Promise<void> {
  const picture = await pictureWithdrawnByReports(pool, imageId);
  const reader = picture === null ? null : await mailReader(pool, picture.ownerAgentId);
  if (!picture || !reader || reader.mutedMails.includes('PICTURE_WITHDRAWN')) return;
  const { locale, email } = reader;
  await mailer.sendNews({
    to: email,
    id: `${imageId}.${seq}.withdrawn`,
    ...renderPictureMail({ picture, locale, origin }),
  });
}
