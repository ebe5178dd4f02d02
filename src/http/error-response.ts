import { PublicError } from '../errors/errors.ts';
import { publicErrorFrom } from '../errors/outage.ts';
import { type HttpHeader, type HttpResponse, json } from './message.ts';

/** Headers of an error response, whatever the shape of its body. */
export function errorHeaders(error: PublicError): HttpHeader[] {
  const headers: HttpHeader[] = [['cache-control', 'no-store']];
  if (error.retryAfterSeconds !== undefined) {
    headers.push(['retry-after', String(Math.max(1, Math.ceil(error.retryAfterSeconds)))]);
  }
  return headers;
}

/** The response with its error, which is reported when it is one of ours. */
export const withFault = (response: HttpResponse, error: PublicError): HttpResponse =>
  error.httpStatus < 500 ? response : { ...response, fault: error };

/**
 * The error response of a plain route: `{"error":{"code","message","messageKey"}}`, with `fields` for invalid input
 * and `details` for a quota or a staged picture.
 */
export function errorResponse(error: PublicError): HttpResponse {
  const { code, message, messageKey, fields, quota, picture: details = quota } = error;
  return json(
    error.httpStatus,
    { error: { code, message, messageKey, fields, details } },
    errorHeaders(error),
  );
}

/** The public error for anything thrown: its own, or `INTERNAL_ERROR` without any detail of the original. */
export function asPublicError(error: unknown): PublicError {
  return publicErrorFrom(error) ?? new PublicError('INTERNAL_ERROR', { cause: error });
}
