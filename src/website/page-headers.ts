import { hash } from 'node:crypto';
import type { HttpHeader } from '../http/message.ts';
import type { InlineTexts } from './renderer.ts';

/** What the headers of every page depend on. */
export interface PagePolicy {
  /** Whether browsers reach the site by https. */
  readonly isSecure: boolean;
  /** Where the map's style and all that it names come from; null for our own. */
  readonly styleOrigin: string | null;
  /** Where the map's PMTiles file is; null for none. */
  readonly tilesOrigin: string | null;
  /** Where pages report their errors to; null when they do not. */
  readonly reportOrigin: string | null;
}

/** Sources of inline scripts and styles, such as `'nonce-…'` or `'sha256-…'`. */
export interface InlineSources {
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
}

/**
 * The headers of a careful site, without caching: what a page may load and run, who may frame it (no one), what it
 * tells other sites, and which powers of the browser it may use.
 */
export function pageHeaders(
  { isSecure, styleOrigin, tilesOrigin, reportOrigin }: PagePolicy,
  allowed: InlineSources & {
    /** The page may run WebAssembly of our own files. */
    readonly webAssembly?: boolean;
  },
): HttpHeader[] {
  const powers = allowed.webAssembly === true ? ["'wasm-unsafe-eval'"] : [];
  /** A directive for our own origin, and for others as far as there are any. */
  const fromSelf = (directive: string, ...others: readonly (string | null)[]): string =>
    [directive, "'self'", ...others.filter((other) => other !== null)].join(' ');
  const policy = [
    "default-src 'none'",
    fromSelf('script-src', ...powers, ...allowed.scripts),
    fromSelf('style-src', ...allowed.styles),
    // Positions of sliders and sizes of pictures are attributes, which run nothing.
    "style-src-attr 'unsafe-inline'",
    fromSelf('img-src', 'data:', 'blob:', styleOrigin),
    fromSelf('connect-src', styleOrigin, tilesOrigin, reportOrigin),
    fromSelf('font-src', styleOrigin),
    "worker-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  return [
    ['content-security-policy', policy],
    ['x-frame-options', 'DENY'],
    ['referrer-policy', 'strict-origin-when-cross-origin'],
    ['cross-origin-opener-policy', 'same-origin'],
    ['permissions-policy', 'camera=(self), geolocation=(self), microphone=(), payment=(), usb=()'],
    ...(isSecure ? [HSTS] : []),
  ];
}

const HSTS: HttpHeader = ['strict-transport-security', 'max-age=31536000; includeSubDomains'];

/**
 * The hashes of those known scripts and styles that stand in a document. They were made when the site was built, so a
 * script that has got into a document in another way is not among them, and no browser runs it.
 */
export function createInlineSources({ scripts, styles }: InlineTexts): (html: string) => InlineSources {
  const hashed = (texts: readonly string[]) =>
    texts.map((text) => ({ source: hashSource(text), isIn: (html: string) => html.includes(`>${text}</`) }));
  const known = { scripts: hashed(scripts), styles: hashed(styles) };
  const sourcesIn = (html: string, texts: (typeof known)['scripts']): string[] =>
    texts.filter(({ isIn }) => isIn(html)).map(({ source }) => source);
  return (html) => ({ scripts: sourcesIn(html, known.scripts), styles: sourcesIn(html, known.styles) });
}

/** The CSP source that allows one inline text. */
const hashSource = (text: string): string => `'sha256-${hash('sha256', text, 'base64')}'`;
