import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { MAIL_KINDS, type MailKind } from '../../persistence/entities/values.ts';

/** Whose mails of which kind a link switches off. */
interface MailSwitch {
  readonly userId: string;
  readonly kind: MailKind;
}

/** The path of the route that switches a kind of mail off (docs/contract.md#mail). */
export const SWITCH_PATH = '/api/mail-switches';

const SIGNED = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([A-Z_]+)\.([\w-]{43})$/;

/**
 * Signed names of switches, for links in mails: whoever has the mail may switch its kind off, and nothing else. They
 * never expire, as an old mail's button must still work.
 */
export function createMailSwitches(authSecret: string) {
  const key = (): Buffer =>
    Buffer.from(hkdfSync('sha256', authSecret, '', 'proscenium mail switches v1', 32));
  const macOf = ({ userId, kind }: MailSwitch): Buffer =>
    createHmac('sha256', key()).update(`${userId}.${kind}`).digest();
  return {
    sign: (one: MailSwitch): string => `${one.userId}.${one.kind}.${macOf(one).toString('base64url')}`,
    /** Null for a text that this secret has not signed. */
    read(text: string): MailSwitch | null {
      const [, userId = '', named, mac = ''] = SIGNED.exec(text) ?? [];
      const kind = MAIL_KINDS.find((one) => one === named);
      if (kind === undefined) return null;
      const found = { userId, kind };
      return timingSafeEqual(macOf(found), Buffer.from(mac, 'base64url')) ? found : null;
    },
  };
}
/** The address at which a mail's kind is switched off. */
export const switchAddress = (
  { origin, switches }: { readonly origin: string; readonly switches: MailSwitches },
  one: MailSwitch,
): string => `${origin}${SWITCH_PATH}/${switches.sign(one)}`;

export type MailSwitches = ReturnType<typeof createMailSwitches>;
