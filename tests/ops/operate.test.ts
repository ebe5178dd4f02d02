import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { operate } from '../../ops/cli/operate.ts';
import { PAUSE_SWITCH_ID } from '../../persistence/actors/rows/pause-switch-row.ts';
import { queueNames } from '../../src/queues/names.ts';
import { seedDeletion, seedProperty, seedStagingJob } from '../support/database/seed.ts';
import { seedDescription } from '../support/database/seed-description.ts';
import { journalOf, openStoreDatabase, type StoreDatabase } from '../support/database/store-database.ts';
import { kvUrl } from '../support/platform/stack.ts';

/** `npm run ops -- …` against a real database and key-value store. */
const QUEUE_SUFFIX = `-ops-${randomUUID().slice(0, 8)}`;
let database: StoreDatabase;
let redis: Redis;
beforeAll(async () => {
  database = await openStoreDatabase();
  redis = new Redis(kvUrl());
});
afterAll(async () => {
  const keys = await redis.keys(`bull:*${QUEUE_SUFFIX}:*`);
  if (keys.length > 0) await redis.del(keys);
  redis.disconnect();
  await database.close();
});
beforeEach(() => database.clear());

const ops = async (args: string[], environment: Record<string, string> = {}) => {
  const [out, err]: string[][] = [[], []];
  const code = await operate({
    args,
    environment: { DATABASE_URL: database.url, KV_URL: kvUrl(), QUEUE_SUFFIX, ...environment },
    screen: { out: (text) => void out?.push(text), err: (text) => void err?.push(text) },
    signal: new AbortController().signal,
  });
  return { code, out: out?.join('\n') ?? '', err: err?.join('\n') ?? '' };
};
const REASON = ['--by', 'ada', '--reason', 'the customer called'];
const failedDeletion = (errorClass = 'transient') =>
  seedDeletion(database.pool, { status: 'FAILED', attempts: 10, errorClass, lastError: 'the store said no' });
const stateOf = async (jobId: string) => (await database.store.readJob(jobId))?.job.state;
const entry = (queue: 'staging' | 'descriptions', jobId: string) =>
  redis.exists(`bull:${queueNames(QUEUE_SUFFIX)[queue]}:${jobId}`);

describe('one operation', () => {
  test('shows what it will do, does it, and writes operator and reason to the journal', async () => {
    const { jobId } = await seedStagingJob(database.pool);
    const { code, out } = await ops(['cancel-job', '--id', jobId, ...REASON]);
    expect(out).toContain('is      PENDING.QUEUED');
    expect(out).toContain('becomes CANCELED');
    expect(out).toContain(`done: ${jobId} is CANCELED`);
    expect([code, await stateOf(jobId)]).toEqual([0, 'CANCELED']);
    expect(await journalOf(database.pool, 'stagingJob', jobId)).toMatchObject([
      { eventType: 'CANCEL_ASKED', actedBy: 'operator:ada', note: 'the customer called' },
    ]);
  });

  test('--dry-run prints the change and writes nothing, neither in the database nor in the store', async () => {
    const { jobId } = await seedStagingJob(database.pool);
    const { code, out } = await ops(['re-enqueue-job', '--id', jobId, '--dry-run'], { KV_URL: '' });
    expect([code, out]).toEqual([0, expect.stringContaining('Nothing was done')]);
    expect(await journalOf(database.pool, 'stagingJob', jobId)).toEqual([]);
    expect(await entry('staging', jobId)).toBe(0);
  });

  test('re-enqueue-job adds an entry to the job’s own queue', async () => {
    const { jobId } = await seedStagingJob(database.pool);
    const { jobId: description } = await seedDescription(database.pool);
    expect(await ops(['re-enqueue-job', '--id', jobId, '--id', description, ...REASON])).toMatchObject({
      code: 0,
    });
    expect([await entry('staging', jobId), await entry('descriptions', description)]).toEqual([1, 1]);
    expect(await ops(['cancel-job', '--id', jobId, ...REASON])).toMatchObject({ code: 0 });
    expect(await entry('staging', jobId)).toBe(0);
  });

  test('an operation that changes nothing says why, with exit code 1', async () => {
    const { jobId } = await seedStagingJob(database.pool);
    const { code, out } = await ops(['release-job', '--id', jobId, '--id', randomUUID(), ...REASON]);
    expect(code).toBe(1);
    expect(out).toContain(`not done: ${jobId} is PENDING.QUEUED. It is not quarantined.`);
    expect(out).toContain('There is nothing of that id');
  });

  test('pause-starting and resume-starting need no id and no key-value store', async () => {
    expect(await ops(['pause-starting', ...REASON], { KV_URL: '' })).toMatchObject({ code: 0 });
    expect((await database.store.read('startGate', PAUSE_SWITCH_ID))?.state).toBe('PAUSED');
    expect(await ops(['pause-starting', ...REASON])).toMatchObject({ code: 1 });
    expect(await ops(['resume-starting', ...REASON])).toMatchObject({ code: 0 });
    expect(
      (await journalOf(database.pool, 'startGate', PAUSE_SWITCH_ID)).map(({ toState }) => toState),
    ).toEqual(['PAUSED', 'OPEN']);
  });

  test('rebuild-document marks the document for a rebuild', async () => {
    const propertyId = await seedProperty(database.pool);
    await database.pool.query('update properties set "searchDirtyAt" = null');
    expect(await ops(['rebuild-document', '--id', propertyId, ...REASON])).toMatchObject({ code: 0 });
    const { rows } = await database.pool.query('select "searchDirtyAt" is not null as owed from properties');
    expect(rows).toEqual([{ owed: true }]);
  });

  test('the password of the database is not written to the journal', async () => {
    const { jobId } = await seedStagingJob(database.pool);
    const password = new URL(database.url).password || 'no-password-in-this-stack';
    await ops(['cancel-job', '--id', jobId, '--by', 'ada', '--reason', `it was ${password}`], {
      PROVIDER_API_TOKEN: password,
    });
    const [row] = await journalOf(database.pool, 'stagingJob', jobId);
    expect(row?.note).toBe('it was [redacted]');
  });
});

describe('--all', () => {
  test('counts, shows the first, processes all and reports', async () => {
    for (let n = 0; n < 7; n += 1) await failedDeletion();
    const broken = await failedDeletion('needs-person');
    const dry = await ops(['retry-deletion', '--all', '--dry-run']);
    expect(dry).toMatchObject({ code: 0, out: expect.stringContaining('8 candidates; the first 5') });
    const { code, out, err } = await ops(['retry-deletion', '--all', ...REASON]);
    expect(code).toBe(1);
    expect(out).toContain(`${broken}  ignored: Its error will not go away by itself`);
    expect(out).toContain('Finished: 7 done, 1 left as they are, 0 not there, 0 failed.');
    expect(err).toContain('8 of 8');
    expect(await ops(['retry-deletion', '--all', '--force', ...REASON])).toMatchObject({ code: 0 });
  });

  test('selects by status, type and age', async () => {
    const hoursAgo = Date.now() - 5 * 3_600_000;
    const old = await seedStagingJob(database.pool, { createdAt: hoursAgo });
    const young = await seedStagingJob(database.pool, { createdAt: Date.now() });
    const args = [
      'cancel-job',
      '--all',
      '--status',
      'PENDING',
      '--type',
      'ROOM_STAGING',
      '--older-than',
      '2h',
    ];
    expect(await ops([...args, ...REASON])).toMatchObject({
      code: 0,
      out: expect.stringContaining('1 done'),
    });
    expect([await stateOf(old.jobId), await stateOf(young.jobId)]).toEqual(['CANCELED', 'PENDING.QUEUED']);
  });
});

describe('outbox', () => {
  const statusOf = async (id: string) =>
    (
      await database.pool.query(
        'select status, attempts, version from storage_deletion_outbox where id = $1',
        [id],
      )
    ).rows[0];

  test('retry enqueues entries with a transient error, and skips those that need a person', async () => {
    const [healed, broken] = [await failedDeletion(), await failedDeletion('needs-person')];
    const { code, out } = await ops(['outbox', 'retry', ...REASON]);
    expect([code, out]).toEqual([1, expect.stringContaining(`${broken}  ignored: `)]);
    expect(await statusOf(healed)).toEqual({ status: 'PENDING', attempts: 0, version: 1 });
    expect(await statusOf(broken)).toEqual({ status: 'FAILED', attempts: 10, version: 0 });
  });

  test('retry with --force and a name enqueues that entry', async () => {
    const [named, other] = [await failedDeletion('needs-person'), await failedDeletion('needs-person')];
    expect(await ops(['outbox', 'retry', '--force', named, ...REASON])).toMatchObject({ code: 0 });
    expect((await statusOf(named)).status).toBe('PENDING');
    expect((await statusOf(other)).status).toBe('FAILED');
    expect(await journalOf(database.pool, 'deletionItem', named)).toMatchObject([
      { eventType: 'RETRY_ASKED', event: { force: true }, actedBy: 'operator:ada' },
    ]);
    expect(await ops(['outbox', 'retry', randomUUID(), ...REASON])).toMatchObject({ code: 1 });
  });

  test('list shows each with its error', async () => {
    expect(await ops(['outbox', 'list'])).toMatchObject({ code: 0, out: 'No deletion has failed.' });
    const id = await failedDeletion('needs-person');
    expect((await ops(['outbox', 'list'])).out).toBe(
      `${id}  needs-person  gone/${id}.jpg  the store said no`,
    );
  });
});

describe('missing or wrong arguments', () => {
  test.each([
    [['cancel-job'], ['--id is needed, or --all', '--reason is needed']],
    [
      ['cancel-job', '--all', '--reason', 'why'],
      ['--status is needed', '--older-than is needed'],
    ],
    [['cancel-job', '--id', 'x', '--all', ...REASON], ['exclude each other']],
    [['cancel-job', '--id', 'x', '--force', ...REASON], ['--force overrules nothing here']],
    [['cancel-job', '--id', 'x', '--reason', 'ab'], ['3 to 500 characters']],
    [['cancel-job', '--id', 'x', '--by', 'a b', '--reason', 'why so'], ['--by is needed']],
    [['pause-starting', '--id', PAUSE_SWITCH_ID, ...REASON], ['there is only one']],
    [
      ['retry-deletion', '--all', '--status', 'FAILED', ...REASON],
      ['--status does not choose anything here'],
    ],
    [['cancel-job', '--nonsense'], ['--nonsense']],
    [['outbox'], ['list and retry']],
    [['outbox', 'retry'], ['--reason is needed']],
    [['nonsense'], ['"nonsense" is not a command']],
    [['probe-webhook'], ['one address is needed']],
  ])('%j is rejected at once, with the expected arguments', async (args, words) => {
    const { code, out, err } = await ops(args);
    expect([code, out]).toEqual([2, '']);
    for (const word of words) expect(err).toContain(word);
    expect(err).toContain('Usage');
  });

  test('servers that are not configured or not reachable', async () => {
    const args = ['cancel-job', '--id', randomUUID(), ...REASON];
    expect(await ops(args, { DATABASE_URL: '', KV_URL: '' })).toMatchObject({
      code: 2,
      err: expect.stringMatching(/DATABASE_URL is not set.*\n.*KV_URL is not set/),
    });
    const away = await ops(args, { DATABASE_URL: 'postgres://nobody:hidden@127.0.0.1:1/none' });
    expect(away).toMatchObject({ code: 2, err: expect.stringContaining('cannot be reached') });
    expect(away.err).not.toContain('hidden');
    expect(await ops(args, { KV_URL: 'redis://127.0.0.1:1' })).toMatchObject({
      code: 2,
      err: expect.stringContaining('KV_URL cannot be reached'),
    });
  });

  test.each([
    '--help',
    'cancel-job --help',
    'retry-deletion --help',
    'pause-starting --help',
    'outbox --help',
    'fetch-webhook-secret --help',
    'probe-webhook --help',
  ])('%s prints the usage', async (line) => {
    expect(await ops(line.split(' '))).toMatchObject({ code: 0, out: expect.stringContaining('Usage') });
  });
});

test('as a program: output, errors and exit code', async () => {
  const { jobId } = await seedStagingJob(database.pool);
  const env = { PATH: process.env.PATH, DATABASE_URL: database.url, KV_URL: kvUrl(), QUEUE_SUFFIX };
  const run = (args: string[]) =>
    new Promise<{ code: number; out: string; err: string }>((resolve) => {
      execFile(process.execPath, ['ops/cli/operate.ts', ...args], { env }, (error, out, err) =>
        resolve({ code: error ? Number(error.code) : 0, out, err }),
      );
    });
  // Without a name the journal has the system user.
  expect(await run(['re-enqueue-job', '--id', jobId, '--reason', 'from a shell'])).toMatchObject({
    code: 0,
    out: expect.stringContaining('done: '),
    err: '',
  });
  const [row] = await journalOf(database.pool, 'stagingJob', jobId);
  expect(row?.actedBy).toMatch(/^operator:[\w.-]+$/);
  expect(await entry('staging', jobId)).toBe(1);
  expect(await run(['nonsense'])).toMatchObject({ code: 2, out: '' });
});

describe('drift-report', () => {
  /** A compared picture and what was decided about it. */
  async function compared(
    { flags, score, surface }: { flags: string[]; score: number; surface: number },
    decision: 'APPROVED' | 'REJECTED' | null,
  ): Promise<void> {
    const { rows } = await database.pool.query<{ id: string }>(
      `insert into drift_comparisons ("stagedImageId", "nextTryAt", "comparedAt", algorithm, score, "geometryMoved", flags,
         measures, boxes)
       values (gen_random_uuid(), null, now(), 1, $1, 'GEOMETRY_MOVED' = any ($2::text[]), $2, $3, '[]')
       returning "stagedImageId" as id`,
      [score, flags, JSON.stringify({ scale: 0, inliers: 1, melted: 0, surface, floor: 0 })],
    );
    if (decision !== null)
      await database.pool.query(
        `insert into property_image_review_events (kind, "imageId", at) values ($1, $2, now())`,
        [decision, rows[0]?.id],
      );
  }
  const cells = (out: string, first: string) =>
    out
      .split('\n')
      .map((line) => line.split(/ {2,}/))
      .find((line) => line.join('|').startsWith(first));

  test('shows the decisions by flag and by score, and how thresholds would have divided them', async () => {
    await compared({ flags: ['SURFACE_REPAINTED'], score: 0.6, surface: 0.2 }, 'REJECTED');
    await compared({ flags: ['SURFACE_REPAINTED'], score: 0.55, surface: 0.15 }, 'APPROVED');
    await compared({ flags: ['FLOOR_CHANGED'], score: 0.7, surface: 0.02 }, 'REJECTED');
    await compared({ flags: [], score: 0.1, surface: 0.01 }, 'APPROVED');
    await compared({ flags: [], score: 0.3, surface: 0.05 }, null);
    await database.pool.query('insert into drift_comparisons ("stagedImageId") values (gen_random_uuid())');
    const { code, out } = await ops(['drift-report']);
    expect(code).toBe(0);
    expect(out).toContain('6 staged pictures: 5 compared, 1 not.');
    expect(cells(out, 'SURFACE_REPAINTED')).toEqual(['SURFACE_REPAINTED', '1', '1', '0']);
    expect(cells(out, 'FLOOR_CHANGED')).toEqual(['FLOOR_CHANGED', '0', '1', '0']);
    expect(cells(out, 'none')).toEqual(['none', '1', '0', '1']);
    expect(cells(out, 'not compared')).toEqual(['not compared', '0', '0', '1']);
    expect(cells(out, '0.5 to 0.65')).toEqual(['0.5 to 0.65', '1', '1', '0']);
    expect(cells(out, 'surface|0.12 *')).toEqual(['surface', '0.12 *', '1 of 2', '1 of 2']);
    expect(cells(out, 'surface|0.18')).toEqual(['surface', '0.18', '0 of 2', '1 of 2']);
  });

  test('leaves out what is older than --days, and explains itself', async () => {
    await database.pool.query(
      `insert into drift_comparisons ("stagedImageId", "createdAt") values (gen_random_uuid(), now() - interval '3 days')`,
    );
    expect((await ops(['drift-report', '--days', '2'])).out).toContain('0 staged pictures');
    expect((await ops(['drift-report', '--days', '4'])).out).toContain('1 staged pictures');
    expect((await ops(['drift-report', '--help'])).out).toContain('A threshold is good when');
    expect((await ops(['drift-report', '--days', '0'])).code).toBe(2);
  });
});
