import { expect } from 'vitest';
import { z } from 'zod';
import { AUTH_CODES } from '../../../src/auth/auth-codes.ts';
import { PUBLIC_ERRORS } from '../../../src/errors/public-errors.ts';
import { procedureError, routeError, signInError } from '../../../src/wire/errors.ts';

/** The answer to a request, whichever client sent it. */
export interface ReceivedAnswer {
  readonly status: number;
  readonly text: string;
  readonly contentType: string;
  /** The Allow header; null when there is none. */
  readonly allow: string | null;
}

/** The error format of a part of the API host (docs/contract.md#calling). */
export type Family = 'procedure' | 'route' | 'sign-in';

/** The HTTP parser's own page for invalid HTTP or too large a head; it contains nothing else. */
export function isParserPage(text: string): boolean {
  return /^<h1>[^<]*<\/h1>(?:<p>[^<]*<\/p>)?<hr><i>uWebSockets\/20 Server<\/i>$/.test(text);
}

const envelope = <T extends z.ZodType>(json: T) => z.strictObject({ json });
const ERROR_BODY: Record<Family, z.ZodType> = {
  procedure: z.strictObject({ error: envelope(procedureError.strict()) }),
  route: routeError.strict(),
  'sign-in': signInError.strict(),
};
const succeeded = z.strictObject({ result: z.strictObject({ data: envelope(z.unknown()) }) });

/** Words of stacks and of errors of libraries and PostgreSQL, which no answer for clients contains. */
const INTERNALS =
  /node_modules|node:internal|\.[cm]?[jt]s:\d|\bat \S+ \(|(?:Type|Range|Syntax|Reference|URI|Zod|TRPC)Error|unexpected token|is not (?:a function|iterable|valid JSON)|cannot read prop|call stack|violates|syntax error|invalid input syntax|invalid byte|out of range|relation "|column "|\bselect\b.+\bfrom\b|insert into|ECONN|SQLSTATE|superjson|busboy|vips/i;

/** An error's numbers agree with the status line, and its code is declared. */
function checkCode(family: Family, { status, text }: ReceivedAnswer): void {
  const body = JSON.parse(text);
  if (family === 'procedure') {
    const { message, data } = body.error.json;
    const { errorCode, httpStatus, messageKey, fields = {} } = data;
    const declared = PUBLIC_ERRORS[errorCode as keyof typeof PUBLIC_ERRORS];
    expect([status, status], errorCode).toEqual([httpStatus, declared?.httpStatus]);
    expect(messageKey).toBe(declared?.messageKey);
    if (errorCode === 'INVALID_INPUT' && message === declared?.message)
      expect(Object.keys(fields), 'it does not say what is wrong').not.toEqual([]);
    return;
  }
  const { code, messageKey } = family === 'route' ? body.error : body;
  expect(messageKey, code).toEqual(expect.any(String));
  if (family === 'sign-in' && Object.hasOwn(AUTH_CODES, code)) return;
  expect(Object.hasOwn(PUBLIC_ERRORS, code), code).toBe(true);
  if (family === 'route') expect(status).toBe(PUBLIC_ERRORS[code as keyof typeof PUBLIC_ERRORS].httpStatus);
}

/**
 * Fails unless the answer keeps the API's promises: no server error (all dependencies are available here),
 * the declared shape, a declared code, and no internal text. `sent` may be repeated in it, as a procedure's
 * unknown name is.
 * @returns `accepted` or `refused`
 */
export function checkAnswer(
  family: Family,
  heard: ReceivedAnswer,
  output: z.ZodType | null = null,
): 'accepted' | 'refused' {
  const { status, text, contentType } = heard;
  expect(status, text).toBeLessThan(500);
  if (status >= 400) {
    expect(contentType).toMatch(/^application\/json/);
    const shape = ERROR_BODY[family].safeParse(JSON.parse(text));
    expect(shape.error?.issues ?? [], text).toEqual([]);
    checkCode(family, heard);
    if (heard.allow !== null) expect(heard.allow).toMatch(/^[A-Z]+(?:, [A-Z]+)*$/);
    expect(INTERNALS.exec(text)?.[0]).toBeUndefined();
    return 'refused';
  }
  expect(status).toBeGreaterThanOrEqual(200);
  if (family === 'procedure') {
    const body = succeeded.parse(JSON.parse(text));
    if (output !== null)
      expect(output.safeParse(body.result.data.json).error?.issues ?? [], text).toEqual([]);
  }
  return 'accepted';
}
