import { describe, expect, test } from 'vitest';
import { PublicError } from '../../../src/errors/errors.ts';
import { createLogger, type LoggerOptions } from '../../../src/telemetry/logger.ts';

function memoryLog(options: Partial<LoggerOptions> = {}) {
  const lines: string[] = [];
  const logger = createLogger({
    role: 'worker',
    level: 'info',
    destination: { write: (line) => void lines.push(line) },
    ...options,
  });
  const last = (): Record<string, unknown> => JSON.parse(lines.at(-1) ?? '') as Record<string, unknown>;
  return { logger, lines, last };
}

describe('fields', () => {
  test('a line is JSON with role, level as text, ISO time and the event', () => {
    const { logger, last } = memoryLog();
    logger.info({ event: 'prediction_created', jobId: 'j1', predictionId: 'p1' }, 'created');
    expect(last()).toMatchObject({
      level: 'info',
      role: 'worker',
      event: 'prediction_created',
      jobId: 'j1',
      predictionId: 'p1',
      msg: 'created',
    });
    expect(String(last().time)).toMatch(/^\d{4}-\d{2}-\d{2}T.*Z$/);
  });

  test('secret fields are blanked at any depth, in child bindings and in headers', () => {
    const { logger, lines } = memoryLog();
    const child = logger.child({ apiToken: 'token-one' });
    child.info({
      headers: new Headers({ authorization: 'token-two', 'set-cookie': 'token-three' }),
      request: { deep: { Cookie: 'token-four', signingSecret: 'token-five' } },
      otp: 'token-six',
      list: [{ password: 'token-seven' }],
      signature: ['token-eight'],
    });
    expect(lines.join('')).not.toMatch(/token-(?:one|two|three|four|five|six|seven|eight)/);
    expect(lines.join('').match(/\[redacted\]/g)).toHaveLength(8);
  });

  test('URL fields keep only the origin, relative ones the path', () => {
    const { logger, last } = memoryLog();
    logger.info({ outputUrl: 'https://bucket.example.com/a/b.jpg?sig=1', url: '/api/trpc/x?input=1' });
    expect(last()).toMatchObject({
      outputUrl: 'https://bucket.example.com/[redacted]',
      url: '/api/trpc/x',
    });
  });

  test('bytes are shown as a count, cycles are cut, bigints are text', () => {
    const { logger, last } = memoryLog();
    const cyclic: Record<string, unknown> = { name: 'loop' };
    cyclic.self = cyclic;
    logger.info({ body: Buffer.from([1, 2, 3]), cyclic, big: 12n });
    expect(last()).toMatchObject({ body: '[3 bytes]', big: '12' });
    expect(JSON.stringify(last())).toContain('[deep]');
  });
});

describe('the scrub of the finished line', () => {
  const signed = 'https://s3.example.com/k?X-Amz-Credential=AKIA1&X-Amz-Signature=abcdef0123';
  test.each([
    ['presigned query', signed, /AKIA1|abcdef0123/],
    ['provider output', 'got https://pbxt.replicate.delivery/xyz/out-0.png', /xyz|out-0/],
    ['webhook secret', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', /MfKQ9r8/],
    ['provider token', 'used r8_AbCdEf123', /AbCdEf123/],
    ['bearer', 'header was Bearer abc.def-ghi', /abc\.def/],
    ['session cookie', '__Secure-better-auth.session_token=tok.sig%3D; Path=/', /tok\.sig/],
    ['device cookie', 'set __Host-proscenium.device=idofdevice.c8~mark; Path=/', /idofdevice|mark/],
    ['user in a URL', 'postgres://app:pa55@db.example.com/x', /pa55/],
    ['picture', 'data:image/png;base64,iVBORw0KGgo=', /iVBOR/],
    ['webhook signature', 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=', /g0hM9/],
  ])('%s is removed from the message, a field and an error', (_name, text, leak) => {
    const { logger, lines } = memoryLog();
    logger.info(text);
    logger.info({ note: text });
    logger.error({ err: new Error(text) }, 'failed');
    for (const line of lines) expect(() => JSON.parse(line)).not.toThrow();
    expect(lines.join('')).not.toMatch(leak);
  });

  test('known secrets are removed in every encoding, ordinary words stay', () => {
    const secrets = ['p@ss"word/1', 'abc'];
    const { logger, lines } = memoryLog({ secrets });
    logger.info({ a: 'p@ss"word/1', b: encodeURIComponent('p@ss"word/1'), c: 'abc' }, 'p@ss"word/1 seen');
    expect(lines[0]).not.toContain('word/1');
    expect(lines[0]).not.toContain('word%2F1');
    expect(lines[0]).toContain('"c":"abc"');
    expect(() => JSON.parse(lines[0] ?? '')).not.toThrow();
  });
});

describe('errors', () => {
  class Refused extends Error {
    readonly code = 'REFUSED';
    readonly detail = 'Key (email)=(someone@example.com) already exists.';
  }

  test('have name, code, message and causes, and no other fields', () => {
    const { logger, lines, last } = memoryLog();
    logger.error({ err: new Refused('outer', { cause: new TypeError('inner') }) }, 'failed');
    expect(last().err).toMatchObject({ code: 'REFUSED', message: 'outer', cause: { message: 'inner' } });
    expect(lines[0]).not.toContain('someone@example.com');
  });

  test('in production only an unexpected error has its stack', () => {
    const { logger, last } = memoryLog({ nodeEnv: 'production' });
    logger.error({ err: new Refused('x') });
    expect(last().err).not.toHaveProperty('stack');
    logger.error({ err: new Error('Bearer abcdefgh') });
    expect(last().err).toHaveProperty('stack');
    expect(JSON.stringify(last())).not.toContain('abcdefgh');
    const development = memoryLog();
    development.logger.error({ err: new Refused('x') });
    expect(development.last().err).toHaveProperty('stack');
  });

  test('an error logged without a message has the same form', () => {
    const { logger, lines, last } = memoryLog();
    logger.error(new Refused('alone'));
    expect(last()).toMatchObject({ msg: 'alone', err: { code: 'REFUSED' } });
    expect(lines[0]).not.toContain('someone@example.com');
  });
});

describe('outages', () => {
  const away = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });

  test('are logged once a second in all, and the next line counts those left out', () => {
    let now = 0;
    const { logger, lines, last } = memoryLog({ monotonicMs: () => now });
    const child = logger.child({ part: 'sweeper' });
    for (; now < 3_000; now += 10) {
      child.warn({ err: new Error('the store', { cause: away }) }, 'could not sweep');
      logger.error(new PublicError('SERVICE_UNAVAILABLE', { cause: away }));
    }
    expect(lines).toHaveLength(3);
    expect(last()).toMatchObject({ part: 'sweeper', msg: 'could not sweep', leftOut: 199 });
  });

  test('hide nothing else, and not the last word of a role', () => {
    const { logger, lines } = memoryLog({ monotonicMs: () => 0 });
    logger.warn({ err: away }, 'not ready');
    logger.warn({ err: new TypeError('ours') }, 'crashed');
    logger.info('listening');
    logger.fatal({ err: away }, 'the worker role gave up');
    expect(lines).toHaveLength(4);
  });
});
