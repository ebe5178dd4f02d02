/**
 * Times of a feed as text: one that stores microseconds may answer milliseconds, so a time is never turned into a number
 * and back before it is sent.
 */

/** Comparable text of a time: UTC with nine digits. Null for what is no time. */
export function timeOf(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > 40) return null;
  const ms = Date.parse(value);
  if (Number.isNaN(ms) || !/^\d{4}-\d\d-\d\dT/.test(value)) return null;
  const digits = /\.(\d+)/.exec(value)?.[1] ?? '';
  return `${new Date(ms).toISOString().slice(0, 20)}${digits.padEnd(9, '0').slice(0, 9)}Z`;
}

/** As it is sent: no more digits than it has. */
export function timeLiteral(time: string): string {
  return time.replace(/(\.\d{3}\d*?)0*Z$/, '$1Z');
}

/** The beginning of the time's millisecond, moved by so many milliseconds. */
export function movedTime(time: string, ms: number): string {
  const base = Date.parse(`${time.slice(0, 23)}Z`);
  return timeOf(new Date(base + ms).toISOString()) as string;
}

/** The later one. */
export function later(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return one > other ? one : other;
}
