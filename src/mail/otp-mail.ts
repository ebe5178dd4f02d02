import { html } from 'hono/html';
import { createTranslator, type Locale } from '../../i18n/translator.ts';
import { type MailBrand, mailPage, operatorLine, paragraph } from './mail-layout.ts';

export interface OtpMail {
  to: string;
  /** Six digits. Never logged, never in the subject: relays write subjects into their own logs. */
  code: string;
  locale: Locale;
  /** Selects the text; the layout is the same. */
  purpose: 'sign-in' | 'deletion' | 'export' | 'verification';
  expiresInMinutes: number;
  /** Networks from which others requested codes for the address. */
  networks?: readonly string[];
}

export interface RenderedMail {
  subject: string;
  text: string;
  html: string;
}

/** More would hide the code. */
const MOST_NETWORKS = 5;

/** Keys in the catalogs. */
const WORDS = {
  'sign-in': {
    subject: 'mail.otp.subject',
    heading: 'mail.otp.heading',
    intro: 'mail.otp.intro',
    ignore: 'mail.otp.ignore',
  },
  deletion: {
    subject: 'mail.deletion.subject',
    heading: 'mail.deletion.heading',
    intro: 'mail.deletion.intro',
    ignore: 'mail.deletion.ignore',
  },
  export: {
    subject: 'mail.export.subject',
    heading: 'mail.export.heading',
    intro: 'mail.export.intro',
    ignore: 'mail.export.ignore',
  },
  verification: {
    subject: 'mail.verification.subject',
    heading: 'mail.verification.heading',
    intro: 'mail.verification.intro',
    ignore: 'mail.verification.ignore',
  },
} as const;

/**
 * The mail with a code in the reader's language, as plain text and as HTML without pictures or links
 * (docs/contract.md#mail).
 */
export async function renderOtpMail(
  { code, locale, purpose, expiresInMinutes, networks = [] }: OtpMail,
  brand: MailBrand,
): Promise<RenderedMail> {
  const { t } = createTranslator(locale, 'user');
  const words = WORDS[purpose];
  const [heading, intro, ignore] = [t(words.heading), t(words.intro), t(words.ignore)];
  const expiry = t('mail.otp.expiry', { count: expiresInMinutes });
  const others =
    networks.length === 0
      ? ''
      : t('mail.otp.others', { networks: networks.slice(0, MOST_NETWORKS).join(', ') });
  const page = await mailPage(brand, {
    locale,
    heading,
    body: html`${paragraph(intro)}
<p style="margin:0 0 12px;font-size:32px;font-weight:700;letter-spacing:.2em">${code}</p>
${paragraph(expiry)}
${paragraph(ignore, true)}
${others === '' ? '' : paragraph(others, true)}`,
    foot: html``,
  });
  const text = `${heading}\n\n${intro}\n\n    ${code}\n\n${expiry}\n\n${ignore}\n${others === '' ? '' : `\n${others}\n`}\n${operatorLine(brand, locale)}\n`;
  return { subject: t(words.subject), text, html: page };
}
