import { isIP } from 'node:net';
import querystring from 'node:querystring';
import { z } from 'zod';
import { parseKvAddress } from './addresses.ts';
import { isLoopbackHost, parseOrigin } from './host-rules.ts';

/** How one variable is read, and whether an error message may contain its value: never for a secret. */
export interface Field<S extends z.ZodType = z.ZodType> {
  schema: S;
  expected: string;
  secret?: boolean;
}

/** Null when the variable is not set. */
export function optional<S extends z.ZodType>(field: Field<S>) {
  return { ...field, schema: field.schema.optional().transform((value) => value ?? null) };
}

interface IntegerRange {
  min: number;
  max: number;
  fallback: number;
}

/** Decimal digits only, so that `1e3`, `0x10` and ` 4` are rejected. */
export function integer({ min, max, fallback }: IntegerRange) {
  const schema = z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .pipe(z.number().min(min).max(max))
    .default(fallback);
  return { schema, expected: `an integer from ${min} to ${max} (default ${fallback})` };
}

/** With 0 the operating system chooses any free port. */
export const port = (fallback: number) => integer({ min: 0, max: 65_535, fallback });

/** One of the values; there is no default. */
export function choice<const V extends readonly [string, ...string[]]>(values: V) {
  return { schema: z.enum(values), expected: `one of ${values.join(', ')}, or unset` };
}

export function oneOf<const V extends readonly [string, ...string[]]>(values: V, fallback: V[number]) {
  const schema = z.enum(values).default(fallback as never);
  return { schema, expected: `one of ${values.join(', ')} (default ${fallback})` };
}

/** `true` or `false`; nothing else is taken for either. */
export function yesOr(fallback: boolean) {
  const schema = z
    .enum(['true', 'false'])
    .default(fallback ? 'true' : 'false')
    .transform((value) => value === 'true');
  return { schema, expected: `true or false (default ${fallback})` };
}

export function text(pattern: RegExp, expected: string) {
  return { schema: z.string().regex(pattern), expected };
}

export function textOr(fallback: string, pattern: RegExp, expected: string) {
  return {
    schema: z.string().regex(pattern).default(fallback),
    expected: `${expected} (default "${fallback}")`,
  };
}

const HOST = /^[A-Za-z0-9.:_-]{1,253}$/;

/** IPv6 with or without brackets; the brackets are removed. */
export function listenHost(fallback: string) {
  const host = z
    .string()
    .transform((value) => value.replace(/^\[(.*)\]$/, '$1'))
    .refine((value) => HOST.test(value) && (!value.includes(':') || isIP(value) === 6))
    .default(fallback);
  return { schema: host, expected: `an address or host name to listen on (default "${fallback}")` };
}

export function secretText(pattern: RegExp, expected: string) {
  return { schema: z.string().regex(pattern), expected, secret: true };
}

/** A URL that usually contains a password, so its value is never repeated in a message. */
export function secretUrl(protocols: readonly string[]) {
  const schema = z
    .string()
    .refine(
      (value) =>
        URL.canParse(value) &&
        protocols.includes(new URL(value).protocol) &&
        new URL(value).hostname !== '' &&
        !/\s/.test(value),
    );
  const expected = `a URL starting with ${protocols.map((p) => `${p}//`).join(' or ')}`;
  return { schema, expected, secret: true };
}

/** At most eight such URLs, separated by commas; a comma in a password is written as `%2C`. */
export function secretUrlList(protocols: readonly string[]) {
  const one = secretUrl(protocols);
  const schema = z
    .string()
    .transform((value) => [...new Set(value.split(',').map((url) => url.trim()))])
    .pipe(z.array(one.schema).max(8))
    .default([]);
  return { ...one, schema, expected: `at most eight of ${one.expected}, separated by commas` };
}

/** Redis itself, or the sentinels that know where it is (addresses.ts). */
export function kvAddress() {
  return {
    schema: z.string().refine((value) => parseKvAddress(value) !== null),
    expected:
      'a URL starting with redis:// or rediss://, or redis-sentinel://host:port,host:port/name-of-the-primary',
    secret: true,
  };
}

const HEADER = /^\s*([\w-]{1,100})\s*=\s*([\x21-\x7e]{1,1000})\s*$/;

/** Null when the text has another form, or when a value would break out of its header. */
function headersIn(text: string): Record<string, string> | null {
  const headers: Record<string, string> = {};
  for (const pair of text.split(',')) {
    const [, name, encoded] = HEADER.exec(pair) ?? [];
    if (name === undefined || encoded === undefined || /%(?![\da-fA-F]{2})/.test(encoded)) return null;
    const value = querystring.unescape(encoded);
    if (!/^[\x20-\x7e]+$/.test(value)) return null;
    headers[name.toLowerCase()] = value;
  }
  return headers;
}

/** `name=value,name=value` with percent-encoded values, the format of OpenTelemetry's exporters. */
export function headerList() {
  const schema = z
    .string()
    .refine((text) => headersIn(text) !== null)
    .transform((text) => headersIn(text) ?? {})
    .default({});
  const expected = 'name=value pairs separated by commas, values percent-encoded';
  return { schema, expected, secret: true };
}

/** A share between 0 and 1, as OpenTelemetry's ratio samplers take it. */
export function ratioOr(fallback: number) {
  const schema = z
    .string()
    .regex(/^(?:0(?:\.\d{1,9})?|1(?:\.0{1,9})?)$/)
    .transform(Number)
    .default(fallback);
  return { schema, expected: `a number from 0 to 1 (default ${fallback})` };
}

/** http is accepted on any host: object stores inside a cluster commonly use plain http. */
export function endpointUrl() {
  const fits = (value: string): boolean => {
    if (!URL.canParse(value)) return false;
    const url = new URL(value);
    return /^https?:$/.test(url.protocol) && url.username === '' && url.search === '' && url.hash === '';
  };
  return {
    schema: z.string().refine(fits),
    expected: 'an http or https URL without user, query or fragment',
  };
}

/** A file that browsers load. Services of maps take their keys in the query. */
export function publicUrl() {
  const fits = (value: string): boolean => URL.canParse(value) && isSafeOrigin(new URL(value).origin);
  return { schema: z.string().refine(fits), expected: 'an https URL (http only on loopback)' };
}

const isSafeOrigin = (value: string): boolean => {
  const url = parseOrigin(value);
  return url !== null && (url.protocol === 'https:' || isLoopbackHost(url.hostname));
};
const ORIGIN = 'an https origin (http only on loopback), no path, no trailing slash';

export const origin = () => ({ schema: z.string().refine(isSafeOrigin), expected: ORIGIN });

export function originList() {
  const schema = z
    .string()
    .transform((value) => [...new Set(value.split(',').map((one) => one.trim()))])
    .pipe(z.array(z.string().refine((one) => !one.includes('*') && isSafeOrigin(one))).max(20))
    .default([]);
  return { schema, expected: `origins separated by commas, each ${ORIGIN}` };
}

export function originOr(fallback: string) {
  const schema = z.string().refine(isSafeOrigin).default(fallback);
  return { schema, expected: `${ORIGIN} (default ${fallback})` };
}

export function utcInstantOr(fallback: string) {
  const schema = z.iso
    .datetime()
    .transform((value) => new Date(value))
    .default(() => new Date(fallback));
  return { schema, expected: `an ISO 8601 UTC instant ending in Z (default ${fallback})` };
}

/** Only the exact string `true` enables; any other value disables without an error (docs/contract.md#the-flag). */
export function exactlyTrue() {
  const schema = z
    .string()
    .transform((value) => value === 'true')
    .default(false);
  return { schema, expected: 'the exact string true, anything else disables' };
}

/** Separated by commas or spaces: host or `*.host`, each with an optional port. */
export function hostList(fallback: readonly string[]) {
  const pattern = /^(?:\*\.)?[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/;
  const schema = z
    .string()
    .transform((value) =>
      value
        .toLowerCase()
        .split(/[\s,]+/)
        .filter(Boolean),
    )
    .pipe(z.array(z.string().regex(pattern)).min(1))
    .default([...fallback]);
  return { schema, expected: `host names separated by commas (default ${fallback.join(',')})` };
}

/** A value that is not https is a placeholder and means off (docs/contract.md#crash-reports). */
export function crashReportAddress() {
  const schema = z
    .string()
    .transform((value) => (URL.canParse(value) && value.startsWith('https://') ? value : null))
    .default(null);
  return { schema, expected: 'an https ingest address; anything else means off', secret: true };
}

const WEBHOOK_SECRET = /^(?:whsec_)?([A-Za-z0-9+/]+)(={0,2})$/;

/** The key in a Standard Webhooks secret: base64 of 24 to 64 bytes, after a prefix (docs/provider.md#signatures). */
export function webhookKey(secret: string): Buffer | null {
  const [, digits = '', padding = ''] = WEBHOOK_SECRET.exec(secret) ?? [];
  // Buffer.from silently skips characters that are not base64, and would return another key.
  const isWhole = padding === '' ? digits.length % 4 !== 1 : (digits.length + padding.length) % 4 === 0;
  const key = Buffer.from(digits, 'base64');
  return isWhole && key.length >= 24 && key.length <= 64 ? key : null;
}

export const isWebhookSecret = (value: string): boolean =>
  value.startsWith('whsec_') && webhookKey(value) !== null;

export function webhookSecrets() {
  const schema = z
    .string()
    .transform((value) => value.split(/\s+/).filter(Boolean))
    .pipe(z.array(z.string().refine(isWebhookSecret)).min(1).max(8));
  return {
    schema,
    expected: 'one or more secrets separated by blanks, each whsec_ followed by base64 of 24 to 64 bytes',
    secret: true,
  };
}

/** `address` or `Name <address>`; line breaks would inject mail headers. */
export function mailAddress() {
  const pattern = /^(?:[^<>\r\n]{1,100} ?<)?[^\s<>@"]{1,64}@[a-zA-Z0-9.-]{1,190}>?$/;
  const fits = (value: string): boolean => pattern.test(value) && value.includes('<') === value.endsWith('>');
  return { schema: z.string().refine(fits), expected: 'a mail address, or Name <address>' };
}
