import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createDatabase, type TestDatabase } from '../harness/database.ts';

let database: TestDatabase;
let pool: pg.Pool;
beforeAll(async () => {
  database = await createDatabase();
  pool = new pg.Pool({ connectionString: database.url, max: 2 });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});
beforeEach(() => pool.query('delete from storage_deletion_outbox'));

const outbox = (args: string[], databaseUrl: string | undefined = database.url) =>
  new Promise<{ code: number; text: string }>((resolve) => {
    const env = { PATH: process.env.PATH, ...(databaseUrl === '' ? {} : { DATABASE_URL: databaseUrl }) };
    execFile(process.execPath, ['ops/outbox.ts', ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, text: stdout + stderr }),
    );
  });

const seedFailed = async (errorClass: 'transient' | 'needs-person') => {
  const id = randomUUID();
  await pool.query(
    `insert into storage_deletion_outbox (id, "objectKey", reason, status, attempts, "errorClass", "lastError")
     values ($1, $2, 'STAGED_IMAGE_DELETED', 'FAILED', 10, $3, 'the store said no')`,
    [id, `staged/${id}.jpg`, errorClass],
  );
  return id;
};
const statusOf = async (id: string) =>
  (await pool.query('select status, attempts, version from storage_deletion_outbox where id = $1', [id]))
    .rows[0];

describe('outbox retry', () => {
  test('offers what time can heal, and leaves what a person must mend', async () => {
    const [healed, broken] = [await seedFailed('transient'), await seedFailed('needs-person')];
    const { code, text } = await outbox(['retry']);
    expect(text).toContain(`${healed}  will be tried by the next drain`);
    expect(text).toContain(`${broken}  needs its cause mended first`);
    expect(code).toBe(1);
    expect(await statusOf(healed)).toEqual({ status: 'PENDING', attempts: 0, version: 1 });
    expect(await statusOf(broken)).toEqual({ status: 'FAILED', attempts: 10, version: 0 });
  });

  test('with --force and a name takes that one, and journals who asked', async () => {
    const [named, other] = [await seedFailed('needs-person'), await seedFailed('needs-person')];
    expect(await outbox(['retry', '--force', named])).toMatchObject({ code: 0 });
    expect((await statusOf(named)).status).toBe('PENDING');
    expect((await statusOf(other)).status).toBe('FAILED');
    const { rows } = await pool.query(
      `select "eventType", "actedBy" from actor_transitions where "actorId" = $1`,
      [named],
    );
    expect(rows).toEqual([{ eventType: 'RETRY_ASKED', actedBy: 'operator' }]);
  });

  test('says so of an id that is none', async () => {
    const { code, text } = await outbox(['retry', randomUUID()]);
    expect(code).toBe(1);
    expect(text).toContain('is not a failed deletion');
  });
});

test('outbox list shows each with its error', async () => {
  expect(await outbox(['list'])).toEqual({ code: 0, text: 'No deletion has failed.\n' });
  const id = await seedFailed('needs-person');
  const { text } = await outbox(['list']);
  expect(text).toContain(id);
  expect(text).toContain('the store said no');
});

test('explains itself, and what is missing', async () => {
  expect((await outbox(['--help'])).text).toContain('Usage');
  expect(await outbox(['nonsense'])).toMatchObject({ code: 1 });
  expect(await outbox(['list'], '')).toMatchObject({
    code: 1,
    text: expect.stringContaining('DATABASE_URL'),
  });
  const away = await outbox(['list'], 'postgres://nobody@127.0.0.1:1/none');
  expect(away).toMatchObject({ code: 1, text: expect.stringContaining('cannot be reached') });
});
