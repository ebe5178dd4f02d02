import { html } from 'hono/html';
import type { Html } from './layout.ts';

const SHORT_ID = 8;

/** Enough of a uuid to distinguish a few; other names stay as they are. */
export function shortId(id: string): string {
  return /^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(id) ? id.slice(0, SHORT_ID) : id;
}

/** A short id that links to a page or list of actors. */
export const idLink = (address: string, id: string): Html =>
  html`<a class="mono" href="/console/actors/${address}">${shortId(id)}</a>`;

/** `worker:<node>` with a short node; people and roles as the journal names them. */
export function shortActor(by: string): string {
  const [role = '', ...name] = by.split(':');
  return name.length === 0 ? role : `${role}:${shortId(name.join(':'))}`;
}

/** `1,234`. */
export const grouped = (count: number): string => count.toLocaleString('en-US');

/** `3 jobs`, `1 job`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${grouped(count)} ${count === 1 ? one : many}`;
