import { describe, expect, test } from 'vitest';
import {
  createWebhookVerifier,
  type ReceivedWebhook,
  webhookSignature,
} from '../../../src/provider/webhook-signature.ts';

const SECRET_1 = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const SECRET_2 = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const ID = 'msg_p5jXN8AQM9LWM0D4loKWxJek';
const SENT_AT = 1_614_265_330;
const BODY = '{"test": 2432232314}';
const VALID = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';
const VALID_BY_SECRET_2 = 'v1,78nXHjpFP0tVJQW5D0SBwmVyyW87BV/rL6MgfM/Bw44=';
const WRONG = 'v1,Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc=';

const webhook = (changes: Partial<ReceivedWebhook> = {}): ReceivedWebhook => ({
  id: ID,
  timestamp: String(SENT_AT),
  signature: VALID,
  body: Buffer.from(BODY),
  ...changes,
});

const verifier = (secrets: string[] = [SECRET_1], nowSeconds = SENT_AT) =>
  createWebhookVerifier({ secrets, toleranceSeconds: 300, clock: { now: () => nowSeconds * 1000 } });

describe('published vectors', () => {
  const V1 = { secret: SECRET_1, id: ID, timestamp: SENT_AT };
  const vectors: [string, { secret: string; id: string; timestamp: number }, Buffer, string][] = [
    ['V1', V1, Buffer.from(BODY), VALID],
    [
      'V2',
      { secret: SECRET_2, id: 'msg_27UH4WbU6Z5A5EzD8u03UvzRbpk', timestamp: 1_649_367_553 },
      Buffer.from('{"email":"test@example.com","username":"test_user"}'),
      'v1,tZ1I4/hDygAJgO5TYxiSd6Sd0kDW6hPenDe+bTa3Kkw=',
    ],
    ['V3', V1, Buffer.alloc(1_048_576, 'a'), 'v1,txpEUxqWZJ5nteTnymUVa+7C4NHpBeXJ6CsBAW0c3/A='],
    ['V4', V1, Buffer.alloc(262_144, 'a'), 'v1,Mw4Pe2WgApuT7NSqnSq0PQPV9gbLdggCl9B865x5Xh0='],
    ['V5', V1, Buffer.alloc(262_143, 'a'), 'v1,NTItnqyWMoFhk2Bbe5V/BMdcFRWgcSQaTgqLHX7FC7c='],
    [
      'unpadded secret of 25 bytes',
      { ...V1, secret: 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwBr' },
      Buffer.from(BODY),
      'v1,yK2tMbA6BHPrMEJ1lLv7UlJJbgFoqGenJkiajZ29evg=',
    ],
    ["V2's secret on V1's message", { ...V1, secret: SECRET_2 }, Buffer.from(BODY), VALID_BY_SECRET_2],
    ['UTF-8', V1, Buffer.from('{"name":"Zoë 🐈"}'), 'v1,RMey/qXN9BJtBFMaD8zcChQXRC6t5/AQGUa/hQaRDbU='],
    [
      'bytes that are not UTF-8',
      V1,
      Buffer.from('7bff7d', 'hex'),
      'v1,y0JY85sbaIFeNPl3FRX6eaIAhlcEgIB/pa8jZ9Mm8Rw=',
    ],
  ];
  test.each(vectors)('%s', (_name, { secret, id, timestamp }, body, signature) => {
    const received = { id, timestamp: String(timestamp), signature, body };
    expect(verifier([secret], timestamp).verify(received)).toBe('ok');
    const changed = Buffer.from(body);
    changed[0] = (changed[0] ?? 0) ^ 1;
    expect(verifier([secret], timestamp).verify({ ...received, body: changed })).toBe('bad-signature');
  });

  test('the formula also holds for keys that are too short to be configured (V6, and V1 without its last digit)', () => {
    const v6 = { id: 'msg_loFOjxBNrRLzqYUf', timestamp: '1731705121' };
    const ping = Buffer.from('{"event_type":"ping","data":{"success":true}}');
    const key18 = Buffer.from('plJ3nmyCDGBKInavdOK15jsl', 'base64');
    expect(webhookSignature(key18, { ...v6, body: ping })).toBe(
      'rAvfW3dJ/X/qxhsaXPOyyCGmRKsaKWcsNccKXlIktD0=',
    );
    const key23 = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS', 'base64');
    const signed = { id: ID, timestamp: String(SENT_AT), body: Buffer.from(BODY) };
    expect(webhookSignature(key23, signed)).toBe('LVOXivKoo4FWasi/IaHvzhE/u+7/cu2AME+zS/nXqzk=');
  });
});

describe('signatures', () => {
  test.each([
    ['the prefix is optional', SECRET_1.slice(6), VALID, 'ok'],
    [
      'padding in the secret is optional',
      `${SECRET_1.slice(6)}Br==`,
      'v1,yK2tMbA6BHPrMEJ1lLv7UlJJbgFoqGenJkiajZ29evg=',
      'ok',
    ],
    ['nonsense', SECRET_1, 'v1,dawfeoifkpqwoekfpqoekf', 'bad-signature'],
    ['an empty entry', SECRET_1, 'v1,', 'bad-signature'],
    ['the first characters only', SECRET_1, VALID.slice(0, 11), 'bad-signature'],
    ['the last digit changed', SECRET_1, VALID.replace('J1OE=', 'J1OA='), 'bad-signature'],
    ['text after the right value', SECRET_1, `${VALID},extra`, 'bad-signature'],
    ['the right value under another version', SECRET_1, VALID.replace('v1,', 'v2,'), 'bad-signature'],
    ['the right value under v1a', SECRET_1, VALID.replace('v1,', 'v1a,'), 'bad-signature'],
    ['the right value without a version', SECRET_1, VALID.slice(3), 'bad-signature'],
    ['the right one among others', SECRET_1, `${WRONG} ${WRONG.replace('v1', 'v2')} ${VALID} ${WRONG}`, 'ok'],
    ['the right one last', SECRET_1, `${WRONG} ${VALID}`, 'ok'],
    ['more blanks than needed', SECRET_1, `  ${WRONG}  ${VALID} `, 'ok'],
    ['three wrong ones', SECRET_1, `${WRONG} v1,tFtCZ5 v1,Mm7xgU`, 'bad-signature'],
    ['signed with another secret', SECRET_1, VALID_BY_SECRET_2, 'bad-signature'],
  ])('%s', (_name, secret, signature, verdict) => {
    expect(verifier([secret]).verify(webhook({ signature }))).toBe(verdict);
  });

  test('during a rotation either secret may have signed, in any order', () => {
    for (const secrets of [
      [SECRET_1, SECRET_2],
      [SECRET_2, SECRET_1],
    ]) {
      const both = verifier(secrets);
      expect(both.verify(webhook())).toBe('ok');
      expect(both.verify(webhook({ signature: VALID_BY_SECRET_2 }))).toBe('ok');
      expect(both.verify(webhook({ signature: `${VALID_BY_SECRET_2} ${VALID}` }))).toBe('ok');
      expect(both.verify(webhook({ signature: WRONG }))).toBe('bad-signature');
    }
  });

  test('id, timestamp and body are all signed', () => {
    expect(verifier().verify(webhook({ id: 'msg_other' }))).toBe('bad-signature');
    expect(verifier().verify(webhook({ timestamp: String(SENT_AT + 1) }))).toBe('bad-signature');
    expect(verifier().verify(webhook({ body: Buffer.from(`${BODY} `) }))).toBe('bad-signature');
  });

  test('text cannot be moved from the body into the id without breaking the signature', () => {
    const key = Buffer.from(SECRET_1.slice(6), 'base64');
    const body = Buffer.from(`{"at":1.${SENT_AT}.5}`);
    const signature = `v1,${webhookSignature(key, { id: ID, timestamp: String(SENT_AT - 9_999), body })}`;
    const shifted = { id: `${ID}.${SENT_AT - 9_999}.{"at":1`, signature, body: Buffer.from('5}') };
    expect(verifier().verify(webhook(shifted))).toBe('bad-signature');
  });
});

describe('timestamps', () => {
  test.each([
    [0, 'ok'],
    [300, 'ok'],
    [-300, 'ok'],
    [301, 'outside-window'],
    [-301, 'outside-window'],
    [86_400, 'outside-window'],
  ])('received %i s after it was sent: %s', (age, verdict) => {
    expect(verifier([SECRET_1], SENT_AT + age).verify(webhook())).toBe(verdict);
  });

  test('the window counts whole seconds', () => {
    expect(verifier([SECRET_1], SENT_AT + 300.999).verify(webhook())).toBe('ok');
  });

  test.each([
    'hello',
    `${SENT_AT}.5`,
    `${SENT_AT}.0`,
    `${SENT_AT}abc`,
    ` ${SENT_AT}`,
    `${SENT_AT} `,
    `-${SENT_AT}`,
    `+${SENT_AT}`,
    `0${SENT_AT}`,
    '0x60380000',
    '1e9',
    'Infinity',
    '9'.repeat(16),
    `${SENT_AT}\n`,
  ])('%j is not a valid timestamp', (timestamp) => {
    expect(verifier().verify(webhook({ timestamp }))).toBe('bad-timestamp');
  });
});

test.each(['id', 'timestamp', 'signature'] as const)(
  'a missing or empty %s is reported before any other error',
  (header) => {
    expect(verifier().verify(webhook({ [header]: undefined }))).toBe('missing-header');
    expect(verifier().verify(webhook({ [header]: '' }))).toBe('missing-header');
  },
);

describe('secrets', () => {
  const bytes = (count: number): string => `whsec_${Buffer.alloc(count, 7).toString('base64')}`;
  test.each([
    ['empty', ''],
    ['prefix only', 'whsec_'],
    ['illegal digit', SECRET_1.replace('9r8', '9-8')],
    ['blank inside', SECRET_1.replace('9r8', '9 8')],
    ['wrong padding', `${SECRET_1}=`],
    ['one digit too many', `${SECRET_1}A`],
    ['23 bytes', bytes(23)],
    ['65 bytes', bytes(65)],
    ['18 bytes (V6)', 'whsec_plJ3nmyCDGBKInavdOK15jsl'],
  ])('%s is rejected at construction, without being shown', (_name, secret) => {
    const build = () => verifier([SECRET_1, secret]);
    expect(build).toThrow(/^webhook secret 2 /);
    expect(build).not.toThrow(secret.length > 6 ? secret.slice(6) : 'whsec_');
  });

  test('24 and 64 bytes are accepted; no secret at all is rejected', () => {
    expect(() => verifier([bytes(24), bytes(64)])).not.toThrow();
    expect(() => verifier([])).toThrow(RangeError);
  });
});
