/**
 * The four ways in which a call fails. What a user is shown is chosen by `messageKey` or `errorCode`; messages are
 * English and for logs.
 */

/** Messages by input field: a dotted path (`assignments.0.style`), `_` for the input as a whole. */
export type FieldMessages = Readonly<Record<string, readonly string[]>>;

/** The server answered, with something other than success. Never repeated by the client. */
export class ApiError extends Error {
  readonly httpStatus: number;
  /** tRPC's code, such as `PRECONDITION_FAILED`; null for plain routes and sign-in. */
  readonly code: string | null;
  /** A code of the API's table of public errors (docs/api.md), or one of sign-in's; null when the answer was not the API's. */
  readonly errorCode: string | null;
  /** Key in the i18n catalogs; null where the answer has none. */
  readonly messageKey: string | null;
  /** Empty when the error is not about input. */
  readonly fields: FieldMessages;
  /** Tell it to support: every log line of the request carries it. */
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;
  /** For QUOTA_REACHED: when the limit is whole again, ISO 8601; null for others, and where waiting frees nothing. */
  readonly resetsAt: string | null;
  /** The decoded body, or its text when it is not JSON. */
  readonly body: unknown;

  constructor(message: string, error: Refusal) {
    super(message);
    this.name = 'ApiError';
    this.httpStatus = error.httpStatus;
    this.code = error.code;
    this.errorCode = error.errorCode;
    this.messageKey = error.messageKey;
    this.fields = error.fields;
    this.requestId = error.requestId;
    this.retryAfterSeconds = error.retryAfterSeconds;
    this.resetsAt = error.resetsAt;
    this.body = error.body;
  }
}

/** What the answer said: the fields of an `ApiError`. */
export type Refusal = Omit<ApiError, keyof Error>;

/** A success that is not what this API sends: something between the app and the API host answered. */
export class UnexpectedAnswerError extends Error {
  readonly httpStatus: number;
  readonly requestId: string | null;

  constructor(given: { httpStatus: number; requestId: string | null; cause?: unknown }) {
    super(`HTTP ${given.httpStatus} with a body that this API does not send`, { cause: given.cause });
    this.name = 'UnexpectedAnswerError';
    this.httpStatus = given.httpStatus;
    this.requestId = given.requestId;
  }
}

/** The network failed at every try. Whether the server did what was asked is not known. */
export class NetworkError extends Error {
  readonly attempts: number;

  constructor(attempts: number, options: ErrorOptions) {
    super(`no answer after ${attempts} ${attempts === 1 ? 'try' : 'tries'}`, options);
    this.name = 'NetworkError';
    this.attempts = attempts;
  }
}

/** The call's time is over, pauses and repeated tries included. Whether the server did what was asked is not known. */
export class TimeoutError extends Error {
  readonly timeoutMs: number;

  constructor(timeoutMs: number) {
    super(`no answer within ${timeoutMs} ms`);
    this.name = 'TimeoutError';
    this.timeoutMs = timeoutMs;
  }
}
