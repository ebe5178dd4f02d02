import { TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc';
import { describe, expect, test } from 'vitest';
import { CANONICAL_STYLES } from '../../../machines/vocabulary.ts';
import { PublicError } from '../../../src/errors/errors.ts';
import { PUBLIC_ERRORS, type PublicErrorCode } from '../../../src/errors/public-errors.ts';

describe('the table of public errors', () => {
  test.each(Object.entries(PUBLIC_ERRORS))('%s has advice, a key and existing statuses', (_code, error) => {
    expect(TRPC_ERROR_CODES_BY_KEY).toHaveProperty(error.trpcCode);
    expect(error.httpStatus).toBeGreaterThanOrEqual(400);
    expect(error.messageKey).toMatch(/^[a-z]+\.[a-zA-Z]+$/);
    expect(error.message).toMatch(/^[A-Z].*\.$/);
  });

  test('message keys are not shared', () => {
    const keys = Object.values(PUBLIC_ERRORS).map(({ messageKey }) => messageKey);
    expect(new Set(keys).size).toBe(keys.length);
  });

  test.each([
    ['STAGING_UNAVAILABLE', 412, 'PRECONDITION_FAILED'],
    ['UNAUTHORIZED', 401, 'UNAUTHORIZED'],
    ['AGENT_REQUIRED', 403, 'FORBIDDEN'],
    ['NOT_PENDING_REVIEW', 409, 'CONFLICT'],
    ['STAGED_CANNOT_BE_MAIN', 400, 'BAD_REQUEST'],
    ['STAGED_DELETE_REFUSED', 400, 'BAD_REQUEST'],
    ['UNKNOWN_ATTEMPT', 404, 'NOT_FOUND'],
    ['WEBHOOK_SIGNATURE_INVALID', 401, 'UNAUTHORIZED'],
    ['SERVICE_UNAVAILABLE', 503, 'SERVICE_UNAVAILABLE'],
  ] as const)('%s is %i %s', (code, httpStatus, trpcCode) => {
    expect(PUBLIC_ERRORS[code satisfies PublicErrorCode]).toMatchObject({ httpStatus, trpcCode });
  });

  test('an unknown style lists the six, and a staged image names the endpoint that deletes it', () => {
    for (const style of CANONICAL_STYLES) expect(PUBLIC_ERRORS.UNKNOWN_STYLE.message).toContain(style);
    expect(PUBLIC_ERRORS.STAGED_DELETE_REFUSED.message).toContain('ai.rejectStagedVariant');
    expect(PUBLIC_ERRORS.STAGING_UNAVAILABLE.messageKey).toBe('staging.unavailable');
  });
});

test('a PublicError has the message of the table unless another is given', () => {
  expect(new PublicError('NOT_FOUND').message).toBe(PUBLIC_ERRORS.NOT_FOUND.message);
  const error = new PublicError('INVALID_INPUT', {
    message: 'Own words.',
    fields: { a: ['b'] },
    details: { c: 1 },
  });
  expect(error).toMatchObject({
    message: 'Own words.',
    code: 'INVALID_INPUT',
    fields: { a: ['b'] },
    details: { c: 1 },
  });
  expect(error.httpStatus).toBe(400);
});
