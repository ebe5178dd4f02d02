import { QueryFault } from '../../persistence/reso/query-tree.ts';
import { PublicError } from '../errors/errors.ts';
import { errorHeaders, withFault } from '../http/error-response.ts';
import { type HttpHeader, type HttpResponse, json } from '../http/message.ts';

/** Answers of the feed in OData's shapes (docs/feeds.md#answers). */
export const ODATA_VERSION: HttpHeader = ['OData-Version', '4.01'];
const PRIVATE: HttpHeader = ['cache-control', 'private, no-store'];

export const odata = (value: unknown, headers: readonly HttpHeader[] = []): HttpResponse => ({
  ...json(200, value, [ODATA_VERSION, PRIVATE, ...headers]),
});

export const odataText = (contentType: string, body: string): HttpResponse => ({
  status: 200,
  headers: [['content-type', contentType], ODATA_VERSION, PRIVATE],
  body,
});

/** `{"error": {"code", "message", "target"}}`. */
export function odataError(error: PublicError): HttpResponse {
  const { code, message, details } = error;
  const target = typeof details?.target === 'string' ? details.target : undefined;
  const headers = [ODATA_VERSION, ...errorHeaders(error)];
  const challenge: HttpHeader[] = error.httpStatus === 401 ? [['www-authenticate', 'Bearer']] : [];
  return withFault(
    json(error.httpStatus, { error: { code, message, target } }, [...headers, ...challenge]),
    error,
  );
}

export const refusal = (message: string, target?: string): PublicError =>
  new PublicError('INVALID_INPUT', { message, ...(target === undefined ? {} : { details: { target } }) });

/** SQLSTATEs of values that PostgreSQL cannot take: a date of no calendar, a number that is too large, a link that was changed. */
const NO_VALUE = /^22/;

/** The error for the client of what a query threw. */
export function readFault(error: unknown): unknown {
  if (error instanceof QueryFault) return refusal(error.message, error.target);
  if (error instanceof Error && 'code' in error && NO_VALUE.test(String(error.code)))
    return refusal('A value of the query cannot be read.');
  return error;
}
