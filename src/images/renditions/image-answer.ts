import { createHash } from 'node:crypto';
import type { VisibleImage } from '../../../persistence/images/image-visibility.ts';
import { FOR_EVERY_SITE, PICTURE_CACHING, surrogateKeys } from '../../http/complete-answer.ts';
import type { HttpHeader, HttpResponse } from '../../http/message.ts';
import type { RenditionPlan } from '../decoding/rendition-plan.ts';

/**
 * How long caches may serve a public photo without revalidation. The photo at an address never changes, so it is never
 * stale (`immutable`). But it can be deleted, or its listing withdrawn, and most caches are not notified. A day limits
 * how long they still serve it, and saves nearly all repeated requests.
 */
const PUBLIC_SECONDS = 86_400;
export const PUBLIC_CACHING = `public, max-age=${PUBLIC_SECONDS}, immutable`;

/** No cache may store it: neither a shared one nor that of a browser that another person uses next. */
const PRIVATE_CACHING = 'private, no-store';

const STORED = 'stored';

export interface Shown {
  image: VisibleImage;
  /** The rendition; null for the stored picture itself. */
  plan: Pick<RenditionPlan, 'variant' | 'mark'> | null;
  /** The Accept header was used. */
  negotiated: boolean;
  /** Who may cache the answer; not derived from the image, so that an agent's answer never becomes public. */
  audience: 'everybody' | 'agents';
}

/** A tag as If-None-Match is compared with it: the same picture made in the same way has the same tag. */
export function entityTag({ image, plan }: Pick<Shown, 'image' | 'plan'>): string {
  const named = `${image.imageId}|${image.checksum ?? image.objectKey}|${plan?.variant ?? STORED}`;
  return `"${createHash('sha256').update(named).digest('base64url').slice(0, 27)}"`;
}

/** Caching headers; private answers have no tag, since no cache may store them. */
export function cachingHeaders(shown: Shown): HttpHeader[] {
  if (shown.audience === 'agents') return [['cache-control', PRIVATE_CACHING]];
  const vary: HttpHeader[] = shown.negotiated ? [['vary', 'Accept']] : [];
  // Equal tags stand for equal bytes, but a signature is different each time it is made: its copy has a weak tag.
  const weak = shown.plan?.mark?.isSigned ? 'W/' : '';
  const { isStyled, propertyId } = shown.image;
  const caching: HttpHeader[] = isStyled ? PICTURE_CACHING : [['cache-control', PUBLIC_CACHING]];
  const tag: HttpHeader = ['etag', `${weak}${entityTag(shown)}`];
  return [FOR_EVERY_SITE, ...caching, tag, ...surrogateKeys([propertyId]), ...vary];
}

export function notModified(shown: Shown): HttpResponse {
  return { status: 304, headers: cachingHeaders(shown), body: null };
}

const SHOWN_FORMATS: ReadonlySet<string> = new Set(['jpeg', 'png', 'webp', 'avif']);

/** Headers about the bytes. An unknown format gets a type that no browser shows as a page. */
export const contentHeaders = (format: string): HttpHeader[] => [
  ['content-type', SHOWN_FORMATS.has(format) ? `image/${format}` : 'application/octet-stream'],
  // Without a name: a page that offers the file names it.
  ['content-disposition', 'inline'],
];
