import { html } from 'hono/html';
import type { Locale } from '../../i18n/translator.ts';
import type { CalendarFile } from '../wire/tour-calendar.ts';

/** What a mail about changes says, in the order in which it is read. */
export interface News {
  readonly subject: string;
  readonly locale: Locale;
  readonly heading: string;
  /** What it is about, such as the address of a home. */
  readonly home?: string;
  readonly links?: readonly Place[];
  readonly times?: readonly string[];
  readonly note?: string | null;
  readonly open: Place;
  readonly settings: Place;
  /** Absent without an agreed time. */
  readonly calendar?: CalendarFile | null;
}
interface Place {
  readonly words: string;
  readonly address: string;
}

/** As HTML without pictures. */
export function newsPage({
  locale,
  heading,
  home,
  links = [],
  times = [],
  note,
  open,
  settings,
}: News): string {
  const items = [
    ...links.map(({ words, address }) => html`<li><a href="${address}">${words}</a></li>`),
    ...times.map((time) => html`<li>${time}</li>`),
  ];
  const quote = html`<blockquote style="margin:1em 0;padding-left:1em;border-left:3px solid">${note}</blockquote>`;
  const page = html`<!doctype html>
<html lang="${locale}">
<head><meta charset="utf-8"><title>${heading}</title></head>
<body style="font-family:sans-serif;max-width:34em;margin:2em auto;padding:0 1em">
<h1 style="font-size:1.3em">${heading}</h1>
${home === undefined ? '' : html`<p style="font-weight:bold">${home}</p>`}
${items.length === 0 ? '' : html`<ul>${items}</ul>`}
${note == null ? '' : quote}
<p><a href="${open.address}">${open.words}</a></p>
<p style="font-size:.9em">${settings.words} <a href="${settings.address}">${settings.address}</a></p>
</body>
</html>
`;
  return String(page);
}

/** As plain text. */
export function newsText({ heading, home = '', links = [], times = [], note, open, settings }: News): string {
  const text = [
    heading,
    home,
    links.map(({ words, address }) => `- ${words}\n  ${address}`).join('\n'),
    times.map((time) => `- ${time}`).join('\n'),
    note ?? '',
    `${open.words}: ${open.address}`,
    `${settings.words} ${settings.address}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
  return `${text}\n`;
}
