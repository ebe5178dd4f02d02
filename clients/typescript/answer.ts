import { ApiError, type FieldMessages, UnexpectedAnswerError } from './errors.ts';
import type { TransportResponse } from './transport.ts';

/**
 * Reads what the API host sends. Three shapes of error response (docs/contract.md#clients, docs/contract.md#calling):
 * procedures `{error:{json:{message, code, data}}}`, plain routes `{error:{code, message, fields}}`, sign-in
 * `{message, code}`. Anything else, such as a proxy's page, is an error without codes whose text is kept.
 */
type Tree = Readonly<Record<string, unknown>>;

export const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null;
export const treeOf = (value: unknown): Tree => (isTree(value) ? value : {});
const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

export const isSuccess = ({ status }: TransportResponse): boolean => status >= 200 && status < 300;

export function headerOf({ headers }: TransportResponse, name: string): string | null {
  return headers.find(([given]) => given === name)?.[1] ?? null;
}

/** The JSON of a plain route. @throws UnexpectedAnswerError */
export function plainOutput(response: TransportResponse): unknown {
  try {
    return JSON.parse(bodyText(response));
  } catch (error) {
    throw unexpectedAnswer(response, error);
  }
}

/** The error that an answer other than 2xx stands for. */
export function apiErrorFrom(response: TransportResponse): ApiError {
  const body = decoded(response);
  const error = treeOf(treeOf(body).error);
  const procedure = isTree(error.json) ? error.json : null;
  const data = treeOf(procedure?.data);
  const plain = isTree(treeOf(body).error) ? error : treeOf(body);
  const message = textOf((procedure ?? plain).message) ?? `HTTP ${response.status}`;
  return new ApiError(message, {
    httpStatus: response.status,
    code: textOf(data.code),
    errorCode: textOf(procedure === null ? plain.code : data.errorCode),
    messageKey: textOf(procedure === null ? plain.messageKey : data.messageKey),
    fields: fieldsOf(procedure === null ? plain.fields : data.fields),
    requestId: headerOf(response, 'x-request-id'),
    retryAfterSeconds: secondsOf(headerOf(response, 'retry-after')),
    resetsAt: textOf(treeOf(procedure === null ? plain.details : data.details).resetsAt),
    body,
  });
}

/** For a success whose body or headers are not what this API sends. */
export function unexpectedAnswer(response: TransportResponse, cause?: unknown): UnexpectedAnswerError {
  const requestId = headerOf(response, 'x-request-id');
  return new UnexpectedAnswerError({ httpStatus: response.status, requestId, cause });
}

function fieldsOf(value: unknown): FieldMessages {
  const entries = Object.entries(treeOf(value)).map(([field, messages]): [string, string[]] => [
    field,
    Array.isArray(messages) ? messages.filter((message) => typeof message === 'string') : [],
  ]);
  return Object.fromEntries(entries);
}

const secondsOf = (text: string | null): number | null =>
  text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null;

const bodyText = ({ body }: TransportResponse): string => new TextDecoder().decode(body);

function decoded(response: TransportResponse): unknown {
  const text = bodyText(response);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
