import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { MAX_ANSWER_BYTES, MAX_CALLS_PER_PERSON } from '../../../persistence/accounts/idempotency-keys.ts';
import { inTransaction } from '../../../persistence/actors/postgres-actor-store.ts';
import { removeBatch } from '../../../persistence/actors/retention.ts';
import { PublicError } from '../../../src/errors/errors.ts';
import type { PublicErrorCode } from '../../../src/errors/public-errors.ts';
import { RequestHeaders } from '../../../src/http/request-headers.ts';
import { inputHash, repeatKeyOf } from '../../../src/repeats/repeatable-call.ts';
import { type AnswerForm, createRepeats, LEASE_MS } from '../../../src/repeats/repeats.ts';
import { systemChance } from '../../../src/time.ts';
import { seedUser } from '../../support/database/seed.ts';
import { useStoreDatabase } from '../../support/database/store-database.ts';
import { createManualTime } from '../../support/manual-time.ts';

/** The bookkeeping of idempotent calls, with a manual clock and work that the test controls. */
const database = useStoreDatabase();
let userId: string;
const time = createManualTime();
const warnings: string[] = [];
const logger = { warn: (_fields: object, message: string) => void warnings.push(message) } as never;
beforeEach(async () => {
  warnings.length = 0;
  userId = await seedUser(database.pool);
});

const FORM: AnswerForm<string> = {
  pack: (answer) => answer,
  unpack: (packed) => String(packed),
  publicErrorOf: (error) =>
    error instanceof PublicError ? error : new PublicError('INTERNAL_ERROR', { cause: error }),
};
const callOf = (key: string = randomUUID(), hash = 'h') => ({
  userId,
  operation: 'test',
  key,
  inputHash: hash,
  subjects: { propertyIds: [], imageIds: [], jobIds: [], reportIds: [], tourId: null },
});
const repeats = () => createRepeats({ pool: database.pool, clock: time, chance: systemChance, logger });
const once = (key: string, work: () => Promise<string>) => repeats().once(callOf(key), FORM, work);
const codeOf = async (answer: Promise<unknown>): Promise<string> => {
  try {
    return `answered ${String(await answer)}`;
  } catch (error) {
    return error instanceof PublicError ? error.code : String(error);
  }
};
const rows = async () =>
  (await database.pool.query('select * from idempotency_keys where "userId" = $1', [userId])).rows;

test.each<[PublicErrorCode, boolean]>([
  ['NOT_FOUND', true],
  ['CONFLICT', true],
  ['PHOTO_BROKEN', true],
  ['RATE_LIMITED', false],
  ['REQUEST_TIMEOUT', false],
  ['CLIENT_CLOSED_REQUEST', false],
  ['INTERNAL_ERROR', false],
  ['SERVICE_UNAVAILABLE', false],
])('the error %s is stored: %s', async (code, isKept) => {
  const key = randomUUID();
  const refuse = async () => {
    throw new PublicError(code, { message: 'As it was.' });
  };
  await expect(once(key, refuse)).rejects.toThrow('As it was.');
  expect(await codeOf(once(key, async () => 'done'))).toBe(isKept ? code : 'answered done');
  if (isKept) await expect(once(key, refuse)).rejects.toThrow('As it was.');
});

describe('an answer that is too large', () => {
  const large = 'x'.repeat(MAX_ANSWER_BYTES);
  test('is sent once; a repeat is answered that the call was done', async () => {
    const key = randomUUID();
    expect(await once(key, async () => large)).toBe(large);
    expect(await codeOf(once(key, async () => 'again'))).toBe('IDEMPOTENT_ANSWER_NOT_KEPT');
  });
  test('that is an error is computed again', async () => {
    const key = randomUUID();
    const refuse = async () => {
      throw new PublicError('INVALID_INPUT', { fields: { a: [large] } });
    };
    expect(await codeOf(once(key, refuse))).toBe('INVALID_INPUT');
    expect(await rows()).toEqual([]);
  });
  test('is rejected by the table itself', async () => {
    await once('k', async () => 'small');
    const sql = 'update idempotency_keys set answer = $2 where "userId" = $1';
    await expect(database.pool.query(sql, [userId, `${large}x`])).rejects.toThrow('answer_check');
  });
});

describe('after a crash', () => {
  /** The row that a process leaves when it dies during the call. */
  const crashed = (key: string) => void once(key, () => new Promise(() => {}));

  test('the row is under way until the lease expires, then the work is done again', async () => {
    crashed('k');
    await expect.poll(rows).toHaveLength(1);
    time.advance(LEASE_MS - 1);
    expect(await codeOf(once('k', async () => 'early'))).toBe('IDEMPOTENCY_KEY_IN_FLIGHT');
    time.advance(1);
    expect(await codeOf(repeats().once(callOf('k', 'other'), FORM, async () => 'other'))).toBe(
      'IDEMPOTENCY_KEY_REUSED',
    );
    expect(await codeOf(once('k', async () => 'late'))).toBe('answered late');
    expect(await codeOf(once('k', async () => 'later'))).toBe('answered late');
  });

  test('of two repeats after the lease expired one does the work', async () => {
    crashed('k');
    await expect.poll(rows).toHaveLength(1);
    time.advance(LEASE_MS);
    const all = await Promise.all(
      Array.from({ length: 6 }, (_, n) => codeOf(once('k', async () => `by ${n}`))),
    );
    expect(new Set(all.filter((one) => one.startsWith('answered'))).size).toBe(1);
  });

  test('a slow call that lost its row commits nothing', async () => {
    let goOn = () => {};
    const slow = repeats().once(callOf('k'), FORM, async (keep) => {
      await new Promise<void>((resolve) => {
        goOn = resolve;
      });
      return inTransaction(database.pool, async (client) => {
        await client.query(`update "user" set name = 'by the slow one' where id = $1`, [userId]);
        await keep(client, 'slow');
        return 'slow';
      });
    });
    const ended = codeOf(slow);
    await expect.poll(rows).toHaveLength(1);
    time.advance(LEASE_MS);
    expect(await codeOf(once('k', async () => 'fast'))).toBe('answered fast');
    goOn();
    expect(await ended).toBe('IDEMPOTENCY_KEY_IN_FLIGHT');
    const { rows: people } = await database.pool.query('select name from "user" where id = $1', [userId]);
    expect(people[0].name).not.toBe('by the slow one');
    expect(await codeOf(once('k', async () => 'again'))).toBe('answered fast');
  });

  test('work that rolls back also rolls back its answer', async () => {
    const failing = repeats().once(callOf('k'), FORM, (keep) =>
      inTransaction(database.pool, async (client) => {
        await keep(client, 'never');
        throw new Error('the disk is full');
      }),
    );
    expect(await codeOf(failing)).toBe('Error: the disk is full');
    expect(await codeOf(once('k', async () => 'done'))).toBe('answered done');
  });
});

describe('an old row', () => {
  test('is ignored after a day, swept or not, with any input', async () => {
    await once('k', async () => 'first');
    time.advance(86_400_000 - 1);
    expect(await codeOf(once('k', async () => 'second'))).toBe('answered first');
    time.advance(1);
    const other = repeats().once(callOf('k', 'other'), FORM, async () => 'second');
    expect(await codeOf(other)).toBe('answered second');
  });

  test('is removed by the retention sweeper', async () => {
    await once('old', async () => 'x');
    time.advance(1000);
    await once('young', async () => 'x');
    const batch = { what: 'repeats', before: time.now() - 500, limit: 100 } as const;
    await removeBatch(database.pool, batch);
    expect((await rows()).map(({ key }) => key)).toEqual(['young']);
  });

  test('is removed when its person has too many rows; rows under way stay', async () => {
    void once('under way', () => new Promise(() => {}));
    await expect.poll(rows).toHaveLength(1);
    await database.pool.query(
      `insert into idempotency_keys ("userId", operation, key, "inputHash", claim, "expiresAt", "propertyIds",
         answer, "createdAt")
       select $1, 'test', 'k' || n, 'h', $1, $2, '{}', '{"ok":"x"}', $2::timestamptz + n * interval '1 ms'
       from generate_series(1, $3::int) n`,
      [userId, new Date(time.now()), MAX_CALLS_PER_PERSON + 50],
    );
    time.advance(MAX_CALLS_PER_PERSON + 100);
    await once('new', async () => 'x');
    const left = await rows();
    expect(left).toHaveLength(MAX_CALLS_PER_PERSON + 1);
    expect(left.map(({ key }) => key)).toEqual(expect.arrayContaining(['under way', 'new']));
    expect(left.map(({ key }) => key)).not.toContain('k1');
  });
});

test('an answer that cannot be stored is sent all the same', async () => {
  await database.pool.query(`
    create function refuse_answers() returns trigger language plpgsql as $$ begin raise 'no'; end $$;
    create trigger refuse_answers before update on idempotency_keys for each row
      execute function refuse_answers()`);
  try {
    expect(await once('k', async () => 'done')).toBe('done');
    expect(warnings).toHaveLength(1);
  } finally {
    await database.pool.query('drop trigger refuse_answers on idempotency_keys');
  }
});

test('inputs with equal JSON are equal, and an input that is not JSON is rejected', () => {
  expect(inputHash({ a: 1, b: { d: [1, 2], c: null } })).toBe(inputHash({ b: { c: null, d: [1, 2] }, a: 1 }));
  const others = [{ a: 1 }, { a: '1' }, { a: [1] }, [{ a: 1 }], { a: null }, {}, null, undefined, ''];
  expect(new Set(others.map(inputHash)).size).toBe(others.length);
  const circle: Record<string, unknown> = {};
  circle.self = circle;
  for (const odd of [circle, { big: 1n }]) expect(() => inputHash(odd)).toThrow(PublicError);
});

test('keys are validated strictly', () => {
  const headersOf = (...values: string[]) => {
    const headers = new RequestHeaders();
    for (const value of values) headers.add('Idempotency-Key', value);
    return headers;
  };
  expect(repeatKeyOf(headersOf())).toBeNull();
  expect(repeatKeyOf(headersOf('k'))).toBe('k');
  for (const odd of [[''], ['k'.repeat(256)], ['\u00e9'], ['a\u0000'], ['\u007f'], ['a', 'a']])
    expect(() => repeatKeyOf(headersOf(...odd))).toThrow(PublicError);
});
