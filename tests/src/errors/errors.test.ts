import { TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc';
import { describe, expect, test } from 'vitest';
import { CANONICAL_STYLES } from '../../../machines/vocabulary.ts';
import { PublicError, REFUSALS, type RefusalCode } from '../../../src/errors/errors.ts';

describe('the table of refusals', () => {
  test.each(Object.entries(REFUSALS))(
    '%s says what to do, with a key and statuses that exist',
    (_code, refusal) => {
      expect(TRPC_ERROR_CODES_BY_KEY).toHaveProperty(refusal.trpcCode);
      expect(refusal.httpStatus).toBeGreaterThanOrEqual(400);
      expect(refusal.messageKey).toMatch(/^[a-z]+\.[a-zA-Z]+$/);
      expect(refusal.message).toMatch(/^[A-Z].*\.$/);
    },
  );

  test('message keys are not shared', () => {
    const keys = Object.values(REFUSALS).map(({ messageKey }) => messageKey);
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
    expect(REFUSALS[code satisfies RefusalCode]).toMatchObject({ httpStatus, trpcCode });
  });

  test('an unknown style lists the six, and a staged image names the way to delete it', () => {
    for (const style of CANONICAL_STYLES) expect(REFUSALS.UNKNOWN_STYLE.message).toContain(style);
    expect(REFUSALS.STAGED_DELETE_REFUSED.message).toContain('ai.rejectStagedVariant');
    expect(REFUSALS.STAGING_UNAVAILABLE.messageKey).toBe('staging.unavailable');
  });
});

test('a PublicError speaks the words of the table unless told others', () => {
  expect(new PublicError('NOT_FOUND').message).toBe(REFUSALS.NOT_FOUND.message);
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
  expect(error.refusal.httpStatus).toBe(400);
});
