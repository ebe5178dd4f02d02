import { html } from 'hono/html';
import { createTranslator, type Locale } from '../../i18n/translator.ts';

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
export function renderOtpMail({
  code,
  locale,
  purpose,
  expiresInMinutes,
  networks = [],
}: OtpMail): RenderedMail {
  const { t } = createTranslator(locale, 'user');
  const words = WORDS[purpose];
  const [heading, intro, ignore] = [t(words.heading), t(words.intro), t(words.ignore)];
  const expiry = t('mail.otp.expiry', { count: expiresInMinutes });
  const others =
    networks.length === 0
      ? ''
      : t('mail.otp.others', { networks: networks.slice(0, MOST_NETWORKS).join(', ') });
  const page = html`<!doctype html>
<html lang="${locale}">
<head><meta charset="utf-8"><title>${heading}</title></head>
<body style="font-family:sans-serif;max-width:30em;margin:2em auto;padding:0 1em">
<h1 style="font-size:1.3em">${heading}</h1>
<p>${intro}</p>
<p style="font-size:2em;letter-spacing:.2em;font-weight:bold">${code}</p>
<p>${expiry}</p>
<p style="color:#555">${ignore}</p>
${others === '' ? '' : html`<p style="color:#555">${others}</p>`}
</body>
</html>
`;
  const text = `${heading}\n\n${intro}\n\n    ${code}\n\n${expiry}\n\n${ignore}\n${others === '' ? '' : `\n${others}\n`}`;
  return { subject: t(words.subject), text, html: String(page) };
}
