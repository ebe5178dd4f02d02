import {
  type PictureMail,
  pictureMails,
  pictureWithdrawnByReports,
} from '../../persistence/listings/picture-mails.ts';
import type { Sweeper } from '../../supervisors/sweepers/sweeper.ts';
import { type ComposedMail, createMailSender, type MailPorts } from './mail-sender.ts';
import { type MailSwitches, switchAddress } from './mail-switches.ts';
import { readerOf } from './mailed-site.ts';
import { renderPictureMail } from './picture-mail.ts';

/** Mails the owner of a listing that reports have withdrawn one of its pictures (docs/contract.md#mail). */
export function createPictureMailSender(ports: MailPorts & { readonly switches: MailSwitches }): Sweeper {
  const { switches } = ports;
  const compose = async (
    { pool, site }: MailPorts,
    { imageId, seq }: PictureMail,
  ): Promise<ComposedMail | null> => {
    const picture = await pictureWithdrawnByReports(pool, imageId);
    const reader = picture === null ? null : await readerOf({ pool, site }, picture.ownerAgentId);
    if (!picture || !reader || reader.mutedMails.includes(KIND)) return null;
    const { ownerAgentId: userId } = picture;
    const unsubscribe = switchAddress({ ...site, switches }, { userId, kind: KIND });
    return {
      countedFor: userId,
      to: reader.email,
      id: `${imageId}.${seq}.withdrawn`,
      news: renderPictureMail({ picture, locale: reader.locale, site, unsubscribe }),
    };
  };
  return createMailSender(ports, {
    ...pictureMails,
    name: 'picture-mails',
    what: 'a mail about a picture',
    compose,
  });
}

const KIND = 'PICTURE_WITHDRAWN';
