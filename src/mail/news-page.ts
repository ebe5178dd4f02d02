import { html } from 'hono/html';
import type { Locale } from '../../i18n/translator.ts';
import type { CalendarFile } from '../wire/calendar-file.ts';
import { button, footLine, type MailBrand, mailPage, operatorLine, paragraph } from './mail-layout.ts';

/** What a mail about changes says, in the order in which it is read. */
export interface News {
  readonly subject: string;
  readonly locale: Locale;
  readonly heading: string;
  /** What it is about, such as the address of a home. */
  readonly home?: string;
  /** A photo of the home that everyone may see. */
  readonly photo?: MailPhoto | null;
  readonly links?: readonly Place[];
  readonly times?: readonly string[];
  /** Our own words. */
  readonly note?: string | null;
  /** What a person wrote. */
  readonly quote?: { readonly who: string; readonly words: string } | null;
  readonly open: Place;
  readonly settings: Place;
  /** Where one click ends mails of this kind; only for mails about nothing that the reader began. */
  readonly unsubscribe?: Place;
  /** Absent without an agreed time. */
  readonly calendar?: CalendarFile | null;
}
interface Place {
  readonly words: string;
  readonly address: string;
}
export interface MailPhoto {
  readonly address: string;
  readonly words: string;
}

/** As HTML. */
export function newsPage(
  { locale, heading, home, photo, links = [], times = [], note, quote, open, settings, unsubscribe }: News,
  brand: MailBrand,
): Promise<string> {
  const items = [
    ...links.map(({ words, address }) => html`<li><a href="${address}">${words}</a></li>`),
    ...times.map((time) => html`<li>${time}</li>`),
  ];
  const body = html`
${photo == null ? '' : html`<p style="margin:0 0 16px"><img src="${photo.address}" alt="${photo.words}" width="504" style="display:block;width:100%;height:auto;border:0;border-radius:12px"></p>`}
${home === undefined ? '' : paragraph(html`<strong>${home}</strong>`)}
${items.length === 0 ? '' : html`<ul style="margin:0 0 12px;padding-left:20px">${items}</ul>`}
${note == null ? '' : paragraph(note)}
${quote == null ? '' : quotePart(quote)}
${button(brand, open.words, open.address)}`;
  const foot = html`${footLine(settings.words, settings.address)}
${unsubscribe === undefined ? '' : footLine(unsubscribe.words, unsubscribe.address)}`;
  return mailPage(brand, { locale, heading, body, foot });
}

const quotePart = ({ who, words }: NonNullable<News['quote']>) => html`
<p class="mail-muted" style="margin:0 0 4px;color:#5d606a"><bdi>${who}</bdi></p>
<blockquote class="mail-quote" dir="auto" style="margin:0 0 12px;padding:0 0 0 14px;border-left:3px solid #dedbd4;white-space:pre-line;overflow-wrap:anywhere">${words}</blockquote>`;

/** As plain text. */
export function newsText(news: News, brand: MailBrand): string {
  const {
    locale,
    heading,
    home = '',
    links = [],
    times = [],
    note,
    quote,
    open,
    settings,
    unsubscribe,
  } = news;
  const text = [
    heading,
    home,
    links.map(({ words, address }) => `- ${words}\n  ${address}`).join('\n'),
    times.map((time) => `- ${time}`).join('\n'),
    note ?? '',
    quote == null ? '' : `${quote.who}:\n${quote.words}`,
    `${open.words}: ${open.address}`,
    `${settings.words} ${settings.address}`,
    unsubscribe === undefined ? '' : `${unsubscribe.words} ${unsubscribe.address}`,
    operatorLine(brand, locale),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
  return `${text}\n`;
}
