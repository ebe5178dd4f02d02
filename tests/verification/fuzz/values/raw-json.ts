/**
 * JSON text that `JSON.stringify` cannot write: numbers beyond every range, thousands of nested brackets,
 * repeated keys. A raw piece is a marked string inside an ordinary value and is inserted when the text is
 * made, so that generators and mutations work on ordinary values.
 */
const MARK = '\u{f0000}raw:';
const MARKED = new RegExp(`"${MARK}([A-Za-z0-9+/=]*)"`, 'gu');

/** Stands for `text`, verbatim, in the JSON text of whatever it is part of. */
export function rawJson(text: string): string {
  return `${MARK}${Buffer.from(text, 'utf8').toString('base64')}`;
}

/** True for a text that a producer can write: writing JSON is recursive, so the nesting is bounded. */
export function isWritable(text: string): boolean {
  try {
    JSON.stringify(JSON.parse(text));
    return true;
  } catch {
    return false;
  }
}

/** The JSON text of a value; empty for `undefined`. */
export function toJsonText(value: unknown): string {
  const text = JSON.stringify(value) ?? '';
  return text.replace(MARKED, (_, encoded: string) => Buffer.from(encoded, 'base64').toString('utf8'));
}
