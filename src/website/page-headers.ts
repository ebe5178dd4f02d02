import { hash } from 'node:crypto';
import type { HttpHeader } from '../http/message.ts';
import type { InlineTexts } from './renderer.ts';

/** What the headers of every page depend on. */
export interface PagePolicy {
  /** Whether browsers reach the site by https. */
  readonly isSecure: boolean;
  /** Origins of the map's tiles, besides our own. */
  readonly mapOrigins: readonly string[];
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
  { isSecure, mapOrigins, reportOrigin }: PagePolicy,
  allowed: InlineSources & {
    /** The page may run WebAssembly of our own files. */
    readonly webAssembly?: boolean;
  },
): HttpHeader[] {
  const powers = allowed.webAssembly === true ? ["'wasm-unsafe-eval'"] : [];
  const policy = [
    "default-src 'none'",
    `script-src ${["'self'", ...powers, ...allowed.scripts].join(' ')}`,
    `style-src ${["'self'", ...allowed.styles].join(' ')}`,
    // Positions of sliders and sizes of pictures are attributes, which run nothing.
    "style-src-attr 'unsafe-inline'",
    `img-src ${["'self'", 'data:', 'blob:', ...mapOrigins].join(' ')}`,
    `connect-src ${["'self'", ...mapOrigins, ...(reportOrigin === null ? [] : [reportOrigin])].join(' ')}`,
    `font-src ${["'self'", ...mapOrigins].join(' ')}`,
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
