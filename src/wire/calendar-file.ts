import { siteName } from '../../i18n/translator.ts';

/** Octets of a content line without its line break (RFC 5545 section 3.1). */
const LINE_OCTETS = 75;

export interface CalendarFile {
  /** What a calendar does with the entry (RFC 5546). */
  readonly method: 'PUBLISH' | 'CANCEL';
  readonly text: string;
}

export interface CalendarEntry {
  /** Stays with the entry, so that a calendar replaces it. */
  readonly id: string;
  readonly version: number;
  readonly changedAt: number;
  readonly isCanceled: boolean;
  readonly startsAt: number;
  readonly endsAt: number;
  readonly summary: string;
  readonly location: string;
  readonly url: string;
  /** Mail addresses; a published entry has none. */
  readonly attendees: readonly string[];
}

/**
 * An entry as a calendar file (RFC 5545), in UTC.
 * @param product what makes it, in English: a name for machines
 */
export function calendarFile(entry: CalendarEntry, product: string): CalendarFile {
  const { host, hostname } = new URL(entry.url);
  const method = entry.isCanceled ? 'CANCEL' : 'PUBLISH';
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-//${escaped(siteName())}//${product}//EN`,
    `METHOD:${method}`,
    'BEGIN:VEVENT',
    `UID:${entry.id}@${host}`,
    `DTSTAMP:${utc(entry.changedAt)}`,
    `SEQUENCE:${entry.version}`,
    `STATUS:${entry.isCanceled ? 'CANCELLED' : 'CONFIRMED'}`,
    `DTSTART:${utc(entry.startsAt)}`,
    `DTEND:${utc(entry.endsAt)}`,
    `SUMMARY:${escaped(entry.summary)}`,
    `LOCATION:${escaped(entry.location)}`,
    `URL:${entry.url}`,
    `ORGANIZER:mailto:no-reply@${hostname}`,
    ...entry.attendees.map((address) => `ATTENDEE:mailto:${address}`),
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  return { method, text: lines.map((line) => `${folded(line)}\r\n`).join('') };
}

/** `20260115T120000Z` */
function utc(instant: number): string {
  return new Date(instant).toISOString().replace(/[-:]|\.\d{3}/g, '');
}

function escaped(text: string): string {
  return text.replace(/[\\;,]/g, '\\$&').replace(/\r\n|\r|\n/g, '\\n');
}

/** Never splits a character. */
function folded(line: string): string {
  const pieces: string[] = [];
  let piece = '';
  for (const character of line) {
    if (Buffer.byteLength(piece + character) > LINE_OCTETS) {
      pieces.push(piece);
      // The space at the start of a continuation line counts.
      piece = ' ';
    }
    piece += character;
  }
  return [...pieces, piece].join('\r\n');
}
