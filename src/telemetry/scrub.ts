const REDACTED = '[redacted]';

/** A shorter secret would blank out ordinary words; it is caught by its field name only. */
const MIN_SECRET_LENGTH = 6;

/** Endings of field names whose values are never shown: `accessToken`, `set-cookie`, `otp`, `signingSecret`. */
const SECRET_NAME =
  '(?:authorization|cookies?|tokens?|secrets?|passwords?|passwd|otps?|signatures?|dsn|api[-_]?keys?|credentials?)';
const SECRET_FIELD = new RegExp(`${SECRET_NAME}$`, 'i');
const URL_FIELD = /(?:^|[a-z0-9_-])(?:ur[li]s?|href|location)$/i;

/**
 * Text that must not leave the process in any field. No pattern consumes a quote or a backslash, so a JSON line
 * stays JSON.
 */
const PATTERNS: ReadonlyArray<[pattern: RegExp, replacement: string]> = [
  // Fields that no formatter processes, such as the bindings of a child logger.
  [new RegExp(`("[\\w.-]*${SECRET_NAME}":)"(?:[^"\\\\]|\\\\.)*"`, 'gi'), `$1"${REDACTED}"`],
  [/data:[\w.+/-]+;base64,[A-Za-z0-9+/=_-]+/g, `data:${REDACTED}`],
  [/(\/\/)[^\s"\\/@]+@/g, `$1${REDACTED}@`],
  [/(https?:\/\/(?:[\w-]+\.)*replicate\.delivery\/)[^\s"\\]*/gi, `$1${REDACTED}`],
  [
    /([?&](?:x-amz-(?:signature|credential|security-token)|signature|sig|token|access_token|secret|key|awsaccesskeyid)=)[^&\s"\\#]+/gi,
    `$1${REDACTED}`,
  ],
  [/\b(x-amz-(?:signature|credential|security-token)["\\:=\s]+)[^&\s"\\]+/gi, `$1${REDACTED}`],
  [/\bwhsec_[A-Za-z0-9+/=_-]+/g, `whsec_${REDACTED}`],
  [/\br8_[A-Za-z0-9_-]+/g, `r8_${REDACTED}`],
  [/\b(bearer|basic)\s+[^\s"\\,;]{6,}/gi, `$1 ${REDACTED}`],
  [/((?:__Secure-|__Host-)?(?:better-auth|proscenium)\.[\w.-]*=)[^;\s"\\]+/g, `$1${REDACTED}`],
  [/\bv1[a]?,[A-Za-z0-9+/]{40,}=*/g, `v1,${REDACTED}`],
];

function escapedForms(secret: string): string[] {
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)];
}

/**
 * Returns a function that removes secrets from one finished line of text: the given values in plain, JSON and URL
 * spelling, and everything that looks like a token, signature, session cookie or embedded picture
 * (docs/contract.md#secrets: what logs must not contain).
 */
export function createScrubber(secrets: readonly string[]): (line: string) => string {
  const known = secrets.filter((secret) => secret.length >= MIN_SECRET_LENGTH).flatMap(escapedForms);
  // Longest first, so that a secret that contains another is removed completely.
  const values = [...new Set(known)].toSorted((a, b) => b.length - a.length);
  return (line) => {
    let text = line;
    for (const value of values) text = text.replaceAll(value, REDACTED);
    for (const [pattern, replacement] of PATTERNS) text = text.replace(pattern, replacement);
    return text;
  };
}

/** Origin of an absolute URL, path of a relative one; queries and paths of absolute URLs may contain a signature. */
function shortUrl(value: string): string {
  if (URL.canParse(value)) {
    const { origin, pathname, search, hash } = new URL(value);
    // An origin alone is an address without anything secret.
    return pathname === '/' && search === '' && hash === '' ? origin : `${origin}/${REDACTED}`;
  }
  return value.split(/[?#]/)[0] ?? '';
}

function redactField(name: string, value: unknown, depth: number): unknown {
  if (value === null || value === undefined) return value;
  if (SECRET_FIELD.test(name) && typeof value !== 'boolean') return REDACTED;
  if (URL_FIELD.test(name) && typeof value === 'string') return shortUrl(value);
  return redact(value, depth);
}

/** Maximum depth of a logged object; deeper values are shown as `[deep]`, which also ends cycles. */
const MAX_DEPTH = 6;

/** A copy of a value fit for a log: secret fields blanked by name, bytes counted instead of shown, errors reduced. */
export function redact(value: unknown, depth = 0): unknown {
  if (value instanceof Error) return describeError(value, { withStack: false });
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
  if (typeof value === 'bigint') return value.toString();
  if (value === null || typeof value !== 'object' || value instanceof Date) return value;
  if (depth >= MAX_DEPTH) return '[deep]';
  if (value instanceof URL) return shortUrl(value.href);
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
  const entries = value instanceof Headers || value instanceof Map ? [...value] : Object.entries(value);
  return Object.fromEntries(
    entries.map(([name, item]) => [name, redactField(String(name), item, depth + 1)]),
  );
}

export interface DescribedError {
  type: string;
  message: string;
  code?: string | number;
  constraint?: string;
  stack?: string;
  cause?: DescribedError;
}

/** Maximum number of nested causes that are shown. */
const MAX_CAUSES = 4;

/**
 * Name, code and message of an error and of its causes. Other fields are omitted on purpose: database drivers put
 * row values there, HTTP clients put requests there.
 */
export function describeError(
  error: Error,
  options: { withStack: boolean },
  causes = MAX_CAUSES,
): DescribedError {
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  const described: DescribedError = { type: error.name, message: error.message };
  if (typeof code === 'string' || typeof code === 'number') described.code = code;
  if (typeof constraint === 'string') described.constraint = constraint;
  if (options.withStack && error.stack) described.stack = error.stack;
  if (error.cause instanceof Error && causes > 0) {
    described.cause = describeError(error.cause, options, causes - 1);
  }
  return described;
}
