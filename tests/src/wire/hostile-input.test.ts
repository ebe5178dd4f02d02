import { expect, test } from 'vitest';
import { z } from 'zod';
import { AUTH_ROUTES, readBody } from '../../../src/auth/request-body.ts';
import { readStageRoomMessage } from '../../../src/queues/stage-room-message.ts';
import { decodeCursor } from '../../../src/search/cursor.ts';
import { safelyParsed } from '../../../src/wire/safely-parsed.ts';

/** Found by fuzzing: zod compares a value with a number, and the conversion of the value to a number can throw. */
const ODD = { length: { toString: 1 } };

test('an object whose length is not a number is rejected like any other value that is not text', () => {
  const schema = z.string().min(1).max(9);
  expect(() => schema.safeParse(ODD)).toThrow(TypeError);
  expect(safelyParsed(schema, ODD)).toEqual({ success: false, error: null });
  expect(safelyParsed(schema, 'text')).toEqual({ success: true, data: 'text' });
});

test.each(Object.entries(AUTH_ROUTES).filter(([, { body }]) => body !== undefined))(
  'a sign-in body with such an object is invalid input, not a fault of ours: %s',
  (_, { body }) => {
    const text = JSON.stringify({
      email: ODD,
      otp: ODD,
      provider: ODD,
      idToken: ODD,
      nonce: ODD,
      type: 'sign-in',
    });
    const outcome = readBody(body ?? z.never(), 'application/json', text);
    expect(outcome).toEqual(
      outcome.ok ? { ok: true, text: '{}' } : { ok: false, status: 400, code: 'INVALID_INPUT' },
    );
  },
);

test('an old message with such an object is not understood, at once', () => {
  expect(readStageRoomMessage({ imageId: crypto.randomUUID(), style: ODD }).kind).toBe('unknown');
});

test('a search cursor with such an object is rejected; search.list once answered 500', () => {
  const content = { sort: 'NEWEST', keys: ODD, id: crypto.randomUUID() };
  expect(decodeCursor(Buffer.from(JSON.stringify(content)).toString('base64url'), 'NEWEST', null)).toBeNull();
});

test('an address with NUL in it is invalid input; signing in with it was once answered 500', () => {
  const body = AUTH_ROUTES['/sign-in/email-otp']?.body ?? z.never();
  const text = JSON.stringify({ email: 'a@b.c\0', otp: '123456' });
  expect(readBody(body, 'application/json', text)).toEqual({ ok: false, status: 400, code: 'INVALID_INPUT' });
});
