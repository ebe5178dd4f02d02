import { html } from 'hono/html';
import type { Html } from './layout.ts';

/** Formats of times for operators: instants in UTC, spans in their two largest units. */
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `14 s`, `3 min 20 s`, `2 h 5 min`, `4 d 1 h`. */
export function span(ms: number): string {
  const whole = Math.max(0, Math.round(ms));
  if (whole < SECOND) return `${whole} ms`;
  if (whole < MINUTE) return `${Math.round(whole / SECOND)} s`;
  if (whole < HOUR) return two(whole, [MINUTE, 'min'], [SECOND, 's']);
  return whole < DAY ? two(whole, [HOUR, 'h'], [MINUTE, 'min']) : two(whole, [DAY, 'd'], [HOUR, 'h']);
}

function two(ms: number, [large, largeName]: [number, string], [small, smallName]: [number, string]): string {
  const rest = Math.floor((ms % large) / small);
  return `${Math.floor(ms / large)} ${largeName}${rest > 0 ? ` ${rest} ${smallName}` : ''}`;
}

/** `12:03:20` on the day of `at`, otherwise with its date. */
export function clockTime(instant: number, at: number): string {
  const iso = new Date(instant).toISOString();
  return sameDay(instant, at) ? iso.slice(11, 19) : `${iso.slice(0, 10)} ${iso.slice(11, 19)}`;
}

const sameDay = (one: number, other: number): boolean => Math.floor(one / DAY) === Math.floor(other / DAY);

/** `12:03:20 (in 14 s)` or `12:03:20 (14 s ago)`. */
export function clockTimeAndSpan(instant: number, at: number): string {
  const ahead = instant - at;
  return `${clockTime(instant, at)} (${ahead >= 0 ? `in ${span(ahead)}` : `${span(-ahead)} ago`})`;
}

/** An instant with its milliseconds in a tooltip, or a dash. */
export function timeTag(instant: number | null): Html | string {
  if (instant === null) return '–';
  const iso = new Date(instant).toISOString();
  return html`<time datetime="${iso}" title="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 19)}</time>`;
}
