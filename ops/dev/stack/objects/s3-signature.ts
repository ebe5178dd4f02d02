import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Checks AWS Signature Version 4 as S3 uses it, in the Authorization header or in a presigned URL. The package of
 * the loopback store accepts any signature, and requests without one; tests would then miss a broken or expired
 * link. https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-authenticating-requests.html
 */
export interface SignedRequest {
  method: string;
  /** Path and query exactly as sent. */
  url: string;
  headers: Record<string, string | string[] | undefined>;
}

export interface S3Keys {
  accessKeyId: string;
  secretAccessKey: string;
}

/** An S3 error code with its message. */
export interface S3Error {
  status: number;
  code: string;
  message: string;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';
/** Maximum clock difference of a header-signed request; S3's own value. */
const MAX_SKEW_MS = 15 * 60_000;

interface Claim {
  credential: string;
  signedHeaders: string;
  signature: string;
  date: string;
  /** Milliseconds after `date` during which the signature is valid. */
  lifetimeMs: number;
  payloadHash: string;
}

/** Undefined when the request has a valid signature of these keys at `now` (ms epoch), otherwise S3's error. */
export function s3ErrorOf(request: SignedRequest, keys: S3Keys, now: number): S3Error | undefined {
  const [path = '', query = ''] = request.url.split('?');
  const claim = query.includes('X-Amz-Signature=') ? fromQuery(query) : fromHeaders(request.headers);
  if (!claim) return denied('AccessDenied', 'The request bears no signature.');
  const [accessKeyId, ...scope] = claim.credential.split('/');
  if (accessKeyId !== keys.accessKeyId) return denied('InvalidAccessKeyId', 'No such access key.');
  const age = now - parseDate(claim.date);
  if (!(age >= -MAX_SKEW_MS && age <= claim.lifetimeMs)) return denied('AccessDenied', 'Request has expired');
  const canonical = [
    request.method,
    path,
    canonicalQuery(query),
    ...claim.signedHeaders.split(';').map((name) => `${name}:${headerValue(request.headers[name])}`),
    '',
    claim.signedHeaders,
    claim.payloadHash,
  ].join('\n');
  const toSign = [ALGORITHM, claim.date, scope.join('/'), sha256(canonical)].join('\n');
  const expected = hmac(signingKey(keys.secretAccessKey, scope), toSign).toString('hex');
  if (sameText(expected, claim.signature)) return undefined;
  return denied('SignatureDoesNotMatch', 'The signature does not match the request.');
}

function fromQuery(query: string): Claim | undefined {
  const values = new URLSearchParams(query);
  if (values.get('X-Amz-Algorithm') !== ALGORITHM) return undefined;
  return {
    credential: values.get('X-Amz-Credential') ?? '',
    signedHeaders: values.get('X-Amz-SignedHeaders') ?? '',
    signature: values.get('X-Amz-Signature') ?? '',
    date: values.get('X-Amz-Date') ?? '',
    lifetimeMs: Number(values.get('X-Amz-Expires')) * 1_000,
    payloadHash: values.get('X-Amz-Content-Sha256') ?? 'UNSIGNED-PAYLOAD',
  };
}

function fromHeaders(headers: SignedRequest['headers']): Claim | undefined {
  const authorization = headerValue(headers.authorization);
  if (!authorization.startsWith(`${ALGORITHM} `)) return undefined;
  const pairs = authorization.slice(ALGORITHM.length + 1).split(/,\s*/);
  const fields = new Map(
    pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  );
  return {
    credential: fields.get('Credential') ?? '',
    signedHeaders: fields.get('SignedHeaders') ?? '',
    signature: fields.get('Signature') ?? '',
    date: headerValue(headers['x-amz-date']),
    lifetimeMs: MAX_SKEW_MS,
    payloadHash: headerValue(headers['x-amz-content-sha256']),
  };
}

function canonicalQuery(query: string): string {
  return query
    .split('&')
    .filter((pair) => pair !== '' && !pair.startsWith('X-Amz-Signature='))
    .map((pair) => {
      const at = pair.indexOf('=');
      const [name, value] = at === -1 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)];
      return `${recode(name)}=${recode(value)}`;
    })
    .sort()
    .join('&');
}

/** One spelling for every encoded text: RFC 3986, all characters except unreserved ones as %XX. */
function recode(text: string): string {
  const encoded = encodeURIComponent(decodeURIComponent(text));
  return encoded.replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** `20261121T000110Z` as ms epoch; NaN when it is not a date. */
function parseDate(date: string): number {
  return Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
}

function signingKey(secret: string, scope: string[]): Buffer {
  return scope.reduce<Buffer>((key, part) => hmac(key, part), Buffer.from(`AWS4${secret}`));
}

function headerValue(value: string | string[] | undefined): string {
  return (Array.isArray(value) ? value.join(',') : (value ?? '')).trim().replaceAll(/ +/g, ' ');
}

function sameText(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}

function denied(code: string, message: string): S3Error {
  return { status: 403, code, message };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
