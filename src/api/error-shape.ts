/**
 * The error that a client gets from a failed procedure (docs/contract.md#calling): a code from the table of public
 * errors with its message and status, and one masked sentence for anything else. tRPC would send the raw message of
 * any thrown error. Only three kinds of text pass here: the table's, that of a `PublicError`, and tRPC's own
 * messages about routing.
 */
import type { TRPCError } from '@trpc/server';
import { type TRPC_ERROR_CODE_KEY, TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc';
import { PublicError } from '../errors/errors.ts';
import { fieldsOf } from '../errors/input-fields.ts';
import { publicErrorFrom } from '../errors/outage.ts';
import { PUBLIC_ERRORS, type PublicErrorCode } from '../errors/public-errors.ts';

/** Maps tRPC's codes to ours. A code that is missing here is a fault and is masked. */
const CODE_OF_TRPC_CODE: Partial<Record<TRPC_ERROR_CODE_KEY, PublicErrorCode>> = {
  PARSE_ERROR: 'INVALID_INPUT',
  BAD_REQUEST: 'INVALID_INPUT',
  UNAUTHORIZED: 'UNAUTHORIZED',
  FORBIDDEN: 'FORBIDDEN',
  NOT_FOUND: 'NOT_FOUND',
  METHOD_NOT_SUPPORTED: 'METHOD_NOT_ALLOWED',
  TIMEOUT: 'REQUEST_TIMEOUT',
  CONFLICT: 'CONFLICT',
  PAYLOAD_TOO_LARGE: 'PAYLOAD_TOO_LARGE',
  UNSUPPORTED_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  TOO_MANY_REQUESTS: 'RATE_LIMITED',
  CLIENT_CLOSED_REQUEST: 'CLIENT_CLOSED_REQUEST',
  SERVICE_UNAVAILABLE: 'SERVICE_UNAVAILABLE',
};

/** The public error for a failed procedure; `INTERNAL_ERROR` for every fault of ours. */
export function publicErrorOf(error: TRPCError): PublicError {
  const thrown = error.cause ?? error;
  const known = publicErrorFrom(thrown);
  if (known !== null) return known;
  const code = CODE_OF_TRPC_CODE[error.code];
  if (code === undefined) return new PublicError('INTERNAL_ERROR', { cause: thrown });
  const fields = error.code === 'BAD_REQUEST' ? fieldsOf(error.cause) : null;
  if (fields !== null) return new PublicError(code, { fields, cause: error });
  // An error with a cause carries the message of a parser or library, which is not meant for clients.
  if (error.cause !== undefined) {
    if (code !== 'INVALID_INPUT') return new PublicError(code, { cause: error });
    return new PublicError(code, { fields: { _: [unread(error.cause)] }, cause: error });
  }
  return new PublicError(code, { message: error.message, cause: error });
}

/** Why an input was rejected before any schema validated it. */
function unread(cause: unknown): string {
  return cause instanceof SyntaxError
    ? 'This is not JSON.'
    : 'This cannot be read. Compare it with what is taken here.';
}

/** tRPC's wire shape of an error, before superjson. */
export function shapeOf(error: PublicError, path: string | undefined) {
  const { trpcCode, httpStatus } = PUBLIC_ERRORS[error.code];
  const { messageKey, fields, quota } = error;
  return {
    message: error.message,
    code: TRPC_ERROR_CODES_BY_KEY[trpcCode],
    data: {
      code: trpcCode,
      httpStatus,
      ...(path === undefined ? {} : { path }),
      errorCode: error.code,
      messageKey,
      ...(fields === undefined ? {} : { fields }),
      ...(quota === undefined ? {} : { details: quota }),
    },
  };
}

/** tRPC's `errorFormatter`. */
export const formatError = (given: { readonly error: TRPCError; readonly path: string | undefined }) =>
  shapeOf(publicErrorOf(given.error), given.path);
