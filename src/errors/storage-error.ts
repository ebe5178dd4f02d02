/**
 * What an object-storage failure means for the caller. `transient`: try again later. `needs-person`: trying again
 * cannot help until an operator changes a permission, a setting or a bucket. `missing`: the object is not there.
 */
export type StorageErrorKind = 'transient' | 'needs-person' | 'missing';

/**
 * The only error that the object storage throws, except the caller's own abort. Its message never contains an
 * address.
 */
export class StorageError extends Error {
  readonly kind: StorageErrorKind;
  /** The store's own code (`AccessDenied`), a socket code (`ECONNRESET`) or `TIMEOUT`. */
  readonly code: string;

  constructor(kind: StorageErrorKind, code: string, operation: string) {
    super(`object storage ${operation}: ${code} (${kind})`);
    this.name = 'StorageError';
    this.kind = kind;
    this.code = code;
  }
}

const MISSING = new Set(['NoSuchKey', 'NotFound']);

const TRANSIENT = new Set([
  'InternalError',
  'OperationAborted',
  'RequestTimeout',
  'ServiceUnavailable',
  'SlowDown',
  'Throttling',
  'ThrottlingException',
  'TooManyRequests',
]);

/** Some stores answer these with a 5xx, but no retry succeeds. */
const NEEDS_PERSON = new Set(['NotImplemented', 'QuotaExceeded', 'XMinioStorageFull']);

/** A bad certificate stays bad; every other socket or DNS error may be temporary. */
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|^ERR_TLS|^ERR_SSL/;

/**
 * Classifies an error of the S3 client by what the caller should do next (docs/contract.md#deleting-objects). For
 * unknown codes: a 4xx needs a person, since the same request would be rejected again; the rest is transient.
 */
export function storageErrorFrom(error: unknown, operation: string): StorageError {
  if (error instanceof StorageError) return error;
  const status = httpStatus(error);
  const code = errorCode(error, status);
  return new StorageError(kindOf(code, status), code, operation);
}

function kindOf(code: string, status: number | undefined): StorageErrorKind {
  if (MISSING.has(code)) return 'missing';
  if (NEEDS_PERSON.has(code)) return 'needs-person';
  if (TRANSIENT.has(code)) return 'transient';
  if (status === undefined) return CERTIFICATE.test(code) ? 'needs-person' : 'transient';
  if (status === 408 || status === 429 || status >= 500) return 'transient';
  // A 2xx that could not be read is an invalid answer, not a rejection.
  return status < 300 ? 'transient' : 'needs-person';
}

function errorCode(error: unknown, status: number | undefined): string {
  const { code, name } = Object(error) as { code?: unknown; name?: unknown };
  // The client also reports a dropped connection as a TimeoutError; the socket code is more exact.
  if (name === 'TimeoutError' && !isOwnCode(code)) return 'TIMEOUT';
  // An answer without a body (HEAD) has no code of its own.
  if (status === 403 && !isOwnCode(name)) return 'AccessDenied';
  if (status === 503 && !isOwnCode(name)) return 'ServiceUnavailable';
  const known = [code, name].find((value) => typeof value === 'string' && isOwnCode(value));
  return typeof known === 'string' ? known : `HTTP_${status ?? 'UNKNOWN'}`;
}

/** Only a short word is copied from an answer, so that a code never contains an address or a secret. */
function isOwnCode(value: unknown): boolean {
  const placeholder = ['Error', 'UnknownError', 'Unknown', 'Forbidden', '403', '503'].includes(String(value));
  return typeof value === 'string' && !placeholder && /^[A-Za-z][A-Za-z0-9_.]{2,63}$/.test(value);
}

function httpStatus(error: unknown): number | undefined {
  const { $metadata } = Object(error) as { $metadata?: { httpStatusCode?: number } };
  return $metadata?.httpStatusCode;
}
