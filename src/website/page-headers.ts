import { hash } from 'node:crypto';
import type { HttpHeader } from '../http/message.ts';

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

const INLINE_SCRIPT = /<script(?![^>]*\s(?:src|type="application\/))[^>]*>([\s\S]*?)<\/script>/g;

const INLINE_STYLE = /<style[^>]*>([\s\S]*?)<\/style>/g;

/**
 * The hashes of the inline scripts and styles of a document, in order; what comes twice is named once. The style, the
 * same text in all documents and most of what would be hashed, is hashed once.
 */
export function createInlineHashes(): (html: string) => InlineSources {
  let style = { text: '', source: hashSource('') };
  const styleSource = (text: string): string => {
    if (style.text !== text) style = { text, source: hashSource(text) };
    return style.source;
  };
  const sources = (html: string, pattern: RegExp, sourceOf: (text: string) => string) => [
    ...new Set([...html.matchAll(pattern)].map(([, text = '']) => sourceOf(text))),
  ];
  return (html) => ({
    scripts: sources(html, INLINE_SCRIPT, hashSource),
    styles: sources(html, INLINE_STYLE, styleSource),
  });
}

/** The CSP source that allows one inline text. */
const hashSource = (text: string): string => `'sha256-${hash('sha256', text, 'base64')}'`;
