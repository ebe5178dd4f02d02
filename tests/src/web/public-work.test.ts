import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PublicCaller } from '../../../src/api/services.ts';
import { RequestHeaders } from '../../../src/http/request-headers.ts';
import { createWorkBudget } from '../../../src/limits/work-budget.ts';
import { systemTimers } from '../../../src/time.ts';
import { createPublicWork, PUBLIC_CONNECTIONS } from '../../../src/web/public-work.ts';
import { createDatabase, type TestDatabase } from '../../support/database/database.ts';
import { eventually } from '../../support/eventually.ts';

/** Statements wait for an advisory lock of the test, so that they take as long as the test says. */
let database: TestDatabase;
let reader: pg.Pool;
let gate: pg.Client;
beforeAll(async () => {
  database = await createDatabase();
  reader = new pg.Pool({ connectionString: database.url, max: PUBLIC_CONNECTIONS });
  gate = new pg.Client({ connectionString: database.url });
  await gate.connect();
});
afterAll(async () => {
  await gate.end();
  await reader.end();
  await database.drop();
});

const SLOW = 'select pg_advisory_lock_shared(1), pg_advisory_unlock_shared(1)';
const QUICK = 'select 1 as one';

function open(perMinuteMs = 0) {
  const refused: string[] = [];
  const work = createPublicWork({
    budget: createWorkBudget({ perMinuteMs, timers: systemTimers }),
    rejections: { note: (reason: string) => void refused.push(reason) },
  });
  const as = (caller: Partial<PublicCaller['request']>, id: string | null = null) => {
    const { signal } = new AbortController();
    const request = { id: 'r', remoteAddress: '', headers: new RequestHeaders(), signal, ...caller };
    const user = id === null ? null : ({ id } as NonNullable<PublicCaller['user']>);
    const { query } = work.readerFor({ user, request }, reader);
    return (sql: string) =>
      work.call(
        { user, request },
        () => query(sql),
        ({ rows }) => rows,
      );
  };
  return { as, refused };
}

/** How many statements wait for the test. */
async function held(): Promise<number> {
  const { rows } = await gate.query<{ held: number }>(
    `select count(*)::int as held from pg_locks where locktype = 'advisory' and not granted and database =
       (select oid from pg_database where datname = current_database())`,
  );
  return rows[0]?.held ?? 0;
}

test('the calls of one network never have all turns: those of others are answered at once', async () => {
  const { as } = open();
  await gate.query('select pg_advisory_lock(1)');
  const flood = Array.from({ length: 40 }, () => as({ remoteAddress: '192.0.2.1' })(SLOW));
  await eventually(async () => (await held()) === 2, { what: 'half of the turns' });
  for (let asked = 0; asked < 20; asked += 1)
    expect(await as({ remoteAddress: `203.0.113.${asked}` })(QUICK)).toEqual([{ one: 1 }]);
  // A network of IPv6 has one share, whatever addresses it takes.
  const other = Array.from({ length: 40 }, (_, n) => as({ remoteAddress: `2001:db8::${n + 1}` })(SLOW));
  await eventually(async () => (await held()) === 4, { what: 'all turns' });
  await gate.query('select pg_advisory_unlock(1)');
  await Promise.all([...flood, ...other]);
});

test('people who are signed in have shares for themselves in one office', async () => {
  const { as } = open();
  await gate.query('select pg_advisory_lock(1)');
  const flood = Array.from({ length: 10 }, () => as({ remoteAddress: '192.0.2.1' }, 'a')(SLOW));
  await eventually(async () => (await held()) === 2, { what: 'half of the turns' });
  expect(await as({ remoteAddress: '192.0.2.1' }, 'b')(QUICK)).toEqual([{ one: 1 }]);
  await gate.query('select pg_advisory_unlock(1)');
  await Promise.all(flood);
});

test('who has used a share is refused until it has refilled; others are not', async () => {
  const { as, refused } = open(600);
  const asked = as({ remoteAddress: '192.0.2.1' });
  await asked('select pg_sleep(0.8)');
  await expect(asked(QUICK)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  expect(refused).toEqual(['questions RATE_LIMITED']);
  expect(await as({ remoteAddress: '192.0.2.2' })(QUICK)).toEqual([{ one: 1 }]);
});

test('a statement that fails is paid for, and fails as it does', async () => {
  const { as } = open(600);
  const asked = as({ remoteAddress: '192.0.2.1' });
  await expect(asked('select 1 / (pg_sleep(0.8) is null)::int')).rejects.toMatchObject({ code: '22012' });
  await expect(asked(QUICK)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
});

test('a caller that leaves waits for no turn', async () => {
  const { as } = open();
  await gate.query('select pg_advisory_lock(1)');
  const flood = Array.from({ length: 4 }, () => as({ remoteAddress: '192.0.2.1' })(SLOW));
  const leaving = new AbortController();
  const waiting = as({ remoteAddress: '192.0.2.1', signal: leaving.signal })(QUICK);
  leaving.abort(new Error('gone'));
  await expect(waiting).rejects.toThrow('gone');
  await gate.query('select pg_advisory_unlock(1)');
  await Promise.all(flood);
});
