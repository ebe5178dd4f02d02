/**
 * The one layout of every mail: the site's name, what is said, and who answers for the site. Styles stand in each
 * element, because mail programs drop others; the style sheet only adds what a dark screen and a narrow one need.
 */
import { html, raw } from 'hono/html';
import { createTranslator, type Locale } from '../../i18n/translator.ts';
import type { Site } from '../site/site.ts';

/** What mails show of the brand. */
export type MailBrand = Pick<Site, 'name' | 'legalName' | 'license' | 'address' | 'equalHousing' | 'colors'>;

/** A part of a page, escaped. */
type Markup = ReturnType<typeof html>;

const FONT = "font-family:Inter,system-ui,-apple-system,'Segoe UI',Helvetica,Arial,sans-serif";
const TEXT = '#1b1c20';
const MUTED = '#5d606a';
/** Those of the site's dark theme. */
const DARK = raw(`
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.mail-page{background:#101114 !important}
.mail-sheet{background:#191b20 !important}
.mail-sheet,.mail-sheet h1,.mail-sheet p,.mail-sheet li,.mail-brand{color:#f3f2ef !important}
.mail-sheet .mail-muted,.mail-foot p{color:#a9adb8 !important}
.mail-sheet li a,.mail-foot a{color:#a5b4fc !important}
.mail-quote{border-color:#7d818c !important}
}
@media (max-width:30em){.mail-sheet{padding:20px 16px !important}.mail-button{display:block !important}}`);

interface MailParts {
  readonly locale: Locale;
  readonly heading: string;
  readonly body: Markup;
  /** Under the sheet, before the operator's line. */
  readonly foot: Markup;
}

export async function mailPage(
  brand: MailBrand,
  { locale, heading, body, foot }: MailParts,
): Promise<string> {
  const page = await html`<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${heading}</title>
<style>${DARK}</style>
</head>
<body class="mail-page" style="margin:0;padding:24px 12px;background:${brand.colors.background};${FONT};font-size:16px;line-height:1.5">
<div role="article" aria-roledescription="email" lang="${locale}" style="max-width:560px;margin:0 auto">
<p class="mail-brand" style="margin:0 0 16px;font-family:Fraunces,Georgia,serif;font-size:20px;font-weight:600;color:${TEXT}">${brand.name}</p>
<div class="mail-sheet" style="padding:28px;border-radius:16px;background:#ffffff;color:${TEXT}">
<h1 style="margin:0 0 12px;font-family:Fraunces,Georgia,serif;font-size:22px;line-height:1.3;color:${TEXT}">${heading}</h1>
${body}
</div>
<div class="mail-foot" style="padding:16px 4px;font-size:13px">
${foot}
<p style="margin:12px 0 0;color:${MUTED}">${operatorLine(brand, locale)}</p>
</div>
</div>
</body>
</html>
`;
  return String(page);
}

/** A paragraph of the sheet. */
export const paragraph = (words: string | Markup, isMuted = false): Markup =>
  isMuted
    ? html`<p class="mail-muted" style="margin:0 0 12px;color:${MUTED}">${words}</p>`
    : html`<p style="margin:0 0 12px">${words}</p>`;

/** A link under the sheet. Its words are those before an address in plain text. */
export const footLine = (words: string, address: string): Markup =>
  html`<p style="margin:0 0 4px"><a href="${address}" style="color:${MUTED}">${words.replace(/:$/, '')}</a></p>`;

/** The one thing that the reader can do. */
export const button = ({ colors }: MailBrand, words: string, address: string): Markup =>
  html`<p style="margin:20px 0 0"><a class="mail-button" href="${address}" style="display:inline-block;padding:14px 24px;border-radius:12px;background:${colors.solid};color:${colors.onSolid};font-weight:600;text-align:center;text-decoration:none">${words}</a></p>`;

/** Who answers for the site, as under its pages. */
export function operatorLine(
  { legalName, license, address, equalHousing }: Omit<MailBrand, 'colors' | 'name'>,
  locale: Locale,
): string {
  const { t } = createTranslator(locale, 'user');
  return [
    legalName,
    license === null ? null : t('legal.license', { license }),
    address,
    equalHousing ? t('legal.equalHousing') : null,
  ]
    .filter((part) => part !== null)
    .join(' · ');
}

/** Words of a person among ours: one in another direction must not turn the sentence around. */
export const isolated = (words: string): string =>
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u200f\u202b\u202e\u2067]/.test(words)
    ? `\u2068${words}\u2069`
    : words;
