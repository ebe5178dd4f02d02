import { PUBLIC_ERRORS, type PublicErrorCode } from './public-errors.ts';

/** Messages by input field: a dotted path (`assignments.0.style`), `_` for the input as a whole. */
export type FieldMessages = Readonly<Record<string, readonly string[]>>;

/** Which quota is too small for the request, how many jobs it would accept now, and when that changes. */
export interface QuotaDetails {
  readonly quota: string;
  readonly remaining: number;
  /** ISO 8601, UTC; null when waiting frees nothing. */
  readonly resetsAt: string | null;
}

/** The limit in the way of a QUOTA_REACHED, and how much of it is used. */
export interface LimitDetails extends Pick<QuotaDetails, 'resetsAt'> {
  readonly limit: number;
  readonly used: number;
}

/** The staged picture that an upload shows. */
interface PictureDetails {
  readonly stagedImageId: string;
}

interface PublicErrorOptions {
  /** Replaces the table's sentence; it is sent to the client, so it holds nothing private. */
  readonly message?: string;
  /** Replaces the table's key in the catalogs. */
  readonly messageKey?: string;
  /** Fields for the log line. Never sent to the client. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly fields?: FieldMessages;
  /** Sent to the client as `details`. */
  readonly quota?: QuotaDetails | LimitDetails;
  /** Sent to the client as `details`, so only to agents of its listing. */
  readonly picture?: PictureDetails;
  /** Sent as `retry-after`. */
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
}

/** An error for the client: the only error whose code and message are shown. */
export class PublicError extends Error {
  readonly code: PublicErrorCode;
  readonly messageKey: string;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly fields: FieldMessages | undefined;
  readonly quota: QuotaDetails | LimitDetails | undefined;
  readonly picture: PictureDetails | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: PublicErrorCode, options: PublicErrorOptions = {}) {
    super(options.message ?? PUBLIC_ERRORS[code].message, options);
    this.name = 'PublicError';
    this.code = code;
    this.messageKey = options.messageKey ?? PUBLIC_ERRORS[code].messageKey;
    this.details = options.details;
    this.fields = options.fields;
    this.quota = options.quota;
    this.picture = options.picture;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  get httpStatus(): number {
    return PUBLIC_ERRORS[this.code].httpStatus;
  }
}

/**
 * A limit of concurrent work was reached: no part is down, and the same request may succeed a moment later. It is
 * the cause of such an error response. The owner of the limit logs it from time to time, so the edge does not log
 * each one.
 */
export class BoundReached extends Error {}

/** Whether the answer would be there if fewer asked, or this client less. */
export function isCrowded(error: unknown): boolean {
  return (
    error instanceof PublicError && (error.code === 'RATE_LIMITED' || error.cause instanceof BoundReached)
  );
}

/** Whether the error says something about its caller alone: the same work may succeed for another one. */
export function isOfCaller(error: unknown): boolean {
  return isCrowded(error) || (error instanceof PublicError && error.code === 'CLIENT_CLOSED_REQUEST');
}
