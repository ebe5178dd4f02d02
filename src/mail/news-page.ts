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
  /** What happened to several homes. */
  readonly homes?: readonly MailedHome[];
  readonly times?: readonly string[];
  /** Our own words. */
  readonly note?: string | null;
  /** What a person wrote. */
  readonly quote?: { readonly who: string; readonly words: string } | null;
  readonly open: Place;
  readonly settings: Place;
  /** Where one click ends mails of this kind; only for mails about nothing that the reader began. */
  readonly unsubscribe?: Place & {
    /** Where programs end them; the address itself where that is not a page. */
    readonly oneClick?: string;
  };
  /** Absent without an agreed time. */
  readonly calendar?: CalendarFile | null;
}
interface Place {
  readonly words: string;
  readonly address: string;
}
/** A home in a list: a link, what happened, and its price and rooms. */
export interface MailedHome extends Place {
  readonly event: string;
  readonly facts: string;
  readonly photo: MailPhoto | null;
}
export interface MailPhoto {
  readonly address: string;
  readonly words: string;
}

/** As HTML. */
export function newsPage(news: News, brand: MailBrand): Promise<string> {
  const { locale, heading, home, photo, links = [], homes = [], times = [], note, quote, open } = news;
  const { settings, unsubscribe } = news;
  const items = [
    ...links.map(({ words, address }) => html`<li><a href="${address}">${words}</a></li>`),
    ...times.map((time) => html`<li>${time}</li>`),
  ];
  const body = html`
${photo == null ? '' : photoPart(photo)}
${home === undefined ? '' : paragraph(html`<strong>${home}</strong>`)}
${items.length === 0 ? '' : html`<ul style="margin:0 0 12px;padding-left:20px">${items}</ul>`}
${homes.map(homePart)}
${note == null ? '' : paragraph(note)}
${quote == null ? '' : quotePart(quote)}
${button(brand, open.words, open.address)}`;
  const foot = html`${footLine(settings.words, settings.address)}
${unsubscribe === undefined ? '' : footLine(unsubscribe.words, unsubscribe.address)}`;
  return mailPage(brand, { locale, heading, body, foot });
}

const photoPart = ({ address, words }: MailPhoto) =>
  html`<p style="margin:0 0 16px"><img src="${address}" alt="${words}" width="504" style="display:block;width:100%;height:auto;border:0;border-radius:12px"></p>`;

const homePart = ({ words, address, event, facts, photo }: MailedHome) => html`
<div style="margin:0 0 20px">
${photo === null ? '' : html`<a href="${address}">${photoPart(photo)}</a>`}
<p style="margin:0 0 4px"><strong>${event}</strong></p>
<p style="margin:0 0 4px"><a href="${address}" style="font-weight:600">${words}</a></p>
<p class="mail-muted" style="margin:0;color:#5d606a">${facts}</p>
</div>`;

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
    homes = [],
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
    homes.map(({ words, address, event, facts }) => `${event}\n${words}\n${facts}\n${address}`).join('\n\n'),
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
