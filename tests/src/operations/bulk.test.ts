import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  type BulkReport,
  candidatePages,
  formatReport,
  lookAtCandidates,
  runInBulk,
} from '../../../src/operations/bulk.ts';
import type { OperationName, Selection } from '../../../src/operations/operation.ts';
import { durationMs, parseSelection } from '../../../src/operations/selection.ts';
import { UnsignedError } from '../../../src/operations/signature.ts';
import { seedDeletion, seedStagingJob } from '../../support/database/seed.ts';
import { seedDescription } from '../../support/database/seed-description.ts';
import { useStoreDatabase } from '../../support/database/store-database.ts';
import { MANUAL_EPOCH } from '../../support/manual-time.ts';
import { ADA, type OperationWorld, openOperationWorld } from '../../support/worlds/operation-world.ts';

/** Bulk operations: pages of candidates, each processed separately, with a report. */
const database = useStoreDatabase();
let world: OperationWorld;
beforeEach(async () => {
  await database.clear();
  world = openOperationWorld(database);
});

const HOUR = 3_600_000;
const sourceOf = (name: OperationName, said: Selection = {}) => {
  const { bulk } = world.operation(name);
  if (bulk === null) throw new Error(`${name} has no bulk form`);
  const parsed = parseSelection(bulk, said);
  if ('problems' in parsed) throw new Error(parsed.problems.join());
  return bulk.sourceOf(parsed.selection, world.clock.at);
};
async function found(name: OperationName, said: Selection = {}): Promise<string[]> {
  const ids: string[] = [];
  for await (const page of candidatePages(database.pool, sourceOf(name, said))) ids.push(...page);
  return ids;
}
const run = (
  name: OperationName,
  said: Selection = {},
  more: { force?: boolean; signal?: AbortSignal; onProgress?(report: BulkReport): void } = {},
) => {
  const { force = false, signal = new AbortController().signal, onProgress } = more;
  return runInBulk(world.operation(name), {
    ids: candidatePages(database.pool, sourceOf(name, said)),
    asking: { ...ADA, force },
    signal,
    scrub: (text: string) => text,
    ...(onProgress ? { onProgress } : {}),
  });
};

/** Creates this number of failed deletions; many share the same age. */
async function seedFailed(count: number, errorClass = 'transient'): Promise<void> {
  await database.pool.query(
    `insert into storage_deletion_outbox (id, "objectKey", reason, status, attempts, "errorClass", "createdAt")
     select gen_random_uuid(), 'gone/' || n, 'STAGED_IMAGE_DELETED', 'FAILED', 10, $2,
       to_timestamp($3::float8 / 1000) + (n % 7) * interval '1 microsecond'
     from generate_series(1, $1) n`,
    [count, errorClass, MANUAL_EPOCH],
  );
}
/** Rows whose every write fails, like a row with a defect of its own. */
async function withPoisoned<T>(ids: readonly string[], work: () => Promise<T>): Promise<T> {
  await database.pool.query(`
    create function poisoned() returns trigger language plpgsql as $$
    begin
      if old.id = any ('{${ids.join(',')}}'::uuid[]) then raise exception 'row % is poisoned', old.id; end if;
      return new;
    end $$;
    create trigger poisoned before update on storage_deletion_outbox for each row execute function poisoned()`);
  try {
    return await work();
  } finally {
    await database.pool.query('drop function poisoned cascade');
  }
}

describe('more than a thousand failed deletions, some with failing writes', () => {
  test('each is tried once, in pages; failing ones are reported and do not stop the others', async () => {
    await seedFailed(1_050);
    await seedFailed(30, 'needs-person');
    const ids = await found('retry-deletion');
    expect([ids.length, new Set(ids).size]).toEqual([1_080, 1_080]);
    const poisoned = ids.filter((_, index) => index % 173 === 5).slice(0, 6);
    const progress: number[] = [];
    const report = await withPoisoned(poisoned, () =>
      run(
        'retry-deletion',
        {},
        { force: true, onProgress: ({ applied, failed }) => progress.push(applied + failed) },
      ),
    );
    expect(report).toMatchObject({ applied: 1_074, ignored: 0, missing: 0, failed: 6, ended: 'done' });
    expect(report.told.map(({ id }) => id).toSorted()).toEqual(poisoned.toSorted());
    expect(report.told[0]).toMatchObject({ outcome: 'failed', why: expect.stringContaining('is poisoned') });
    expect(progress).toEqual([200, 400, 600, 800, 1_000, 1_080]);
    const { rows } = await database.pool.query(
      `select status, count(*)::int as count from storage_deletion_outbox group by 1 order by 1`,
    );
    expect(rows).toEqual([
      { status: 'PENDING', count: 1_074 },
      { status: 'FAILED', count: 6 },
    ]);
    const journal = await database.pool.query(
      `select count(*)::int as count from actor_transitions where "actedBy" = 'operator:ada' and note = $1`,
      [ADA.reason],
    );
    expect(journal.rows[0].count).toBe(1_074);
    // A second run finds only what is left.
    expect(await run('retry-deletion', {}, { force: true })).toMatchObject({ applied: 6, failed: 0 });
    expect(formatReport(report)).toContain('1074 done');
  });

  test('without force, rows that need a person are skipped and counted', async () => {
    await seedFailed(5);
    await seedFailed(3, 'needs-person');
    expect(await run('retry-deletion')).toMatchObject({ applied: 5, ignored: 3 });
    await seedFailed(2);
    expect(await found('retry-deletion', { 'error-class': 'transient' })).toHaveLength(2);
    expect(await found('retry-deletion', { 'error-class': 'needs-person' })).toHaveLength(3);
  });

  test('a run stops on its signal, after the current row', async () => {
    await seedFailed(700);
    const stopping = new AbortController();
    const onProgress = ({ applied }: BulkReport) => {
      if (applied >= 400) stopping.abort();
    };
    const report = await run('retry-deletion', {}, { signal: stopping.signal, onProgress });
    expect(report).toMatchObject({ applied: 400, ended: 'aborted' });
    expect(formatReport(report)).toContain('Stopped on request');
    expect(await found('retry-deletion')).toHaveLength(300);
  });

  test('a run ends with an error when the database is away', async () => {
    await seedFailed(3);
    const broken = Object.assign(new Error('gone'), { code: '57P01' });
    const operation = { ...world.operation('retry-deletion'), run: () => Promise.reject(broken) };
    const ids = candidatePages(database.pool, sourceOf('retry-deletion'));
    const options = { ids, asking: ADA, signal: new AbortController().signal, scrub: (text: string) => text };
    expect(await runInBulk(operation, options)).toMatchObject({ ended: 'outage', applied: 0, failed: 0 });
  });

  test('without a reason no run starts', async () => {
    await seedFailed(1);
    const ids = candidatePages(database.pool, sourceOf('retry-deletion'));
    const asking = { by: 'ada', reason: '' };
    const options = { ids, asking, signal: new AbortController().signal, scrub: (text: string) => text };
    await expect(runInBulk(world.operation('retry-deletion'), options)).rejects.toThrow(UnsignedError);
    expect(await found('retry-deletion')).toHaveLength(1);
  });
});

describe('the candidates', () => {
  const createdAt = MANUAL_EPOCH - 3 * HOUR;

  test('of cancel-job are the jobs of one status and age, of one type or of both', async () => {
    const old = (await seedStagingJob(database.pool, { createdAt })).jobId;
    const young = (await seedStagingJob(database.pool)).jobId;
    const description = (await seedDescription(database.pool, { createdAt })).jobId;
    const over = (await seedStagingJob(database.pool, { createdAt, job: { status: 'FAILED', phase: null } }))
      .jobId;
    const said = { status: 'PENDING', 'older-than': '2h' };
    expect((await found('cancel-job', said)).toSorted()).toEqual([old, description].toSorted());
    expect(await found('cancel-job', { ...said, type: 'DESCRIPTION' })).toEqual([description]);
    expect(await found('cancel-job', { ...said, 'older-than': '0s' })).toContain(young);
    expect(await found('cancel-job', { ...said, 'older-than': '0s' })).not.toContain(over);
    expect(await found('cancel-job', { ...said, status: 'RETRYING' })).toEqual([]);
    expect(await run('cancel-job', said)).toMatchObject({ applied: 2, failed: 0 });
    expect(await found('cancel-job', { ...said, 'older-than': '0s' })).toEqual([young]);
  });

  test('of release-job are quarantined and not over; those of re-enqueue-job are not quarantined', async () => {
    const job = { quarantinedAt: new Date(MANUAL_EPOCH) };
    const aside = (await seedStagingJob(database.pool, { job })).jobId;
    await seedStagingJob(database.pool, { job: { ...job, status: 'CANCELED', phase: null } });
    const waiting = (await seedStagingJob(database.pool)).jobId;
    expect(await found('release-job')).toEqual([aside]);
    expect(await found('re-enqueue-job', { status: 'PENDING' })).toEqual([waiting]);
    expect(await run('re-enqueue-job', { status: 'PENDING' })).toMatchObject({ applied: 1 });
    expect(world.runtime.queue.enqueued.map(({ jobId }) => jobId)).toEqual([waiting]);
  });

  test('are counted and the first of them shown before any change', async () => {
    await seedFailed(12);
    const look = await lookAtCandidates(database.pool, sourceOf('retry-deletion'), { first: 5 });
    expect(look).toEqual({ count: 12, firstIds: (await found('retry-deletion')).slice(0, 5) });
    await seedDeletion(database.pool, { id: randomUUID() });
    expect((await lookAtCandidates(database.pool, sourceOf('retry-deletion'), { first: 1 })).count).toBe(12);
  });
});

describe('a selection', () => {
  const parse = (name: OperationName, said: Record<string, string>) => {
    const { bulk } = world.operation(name);
    return bulk && parseSelection(bulk, said);
  };
  test('reports all missing and wrong values at once', () => {
    expect(parse('cancel-job', { type: 'TEXT', 'older-than': 'soon' })).toEqual({
      problems: [
        'type must be ROOM_STAGING or DESCRIPTION, not "TEXT"',
        'status is needed: PENDING, PROCESSING or RETRYING',
        expect.stringContaining('older-than must be a number with s, m, h or d'),
      ],
    });
    expect(parse('retry-deletion', { status: 'FAILED' })).toEqual({
      problems: ['status does not choose anything here'],
    });
    expect(parse('cancel-job', { status: 'SUCCESS', 'older-than': '1h' })).toHaveProperty('problems');
    expect(parse('retry-deletion', { 'error-class': '', 'older-than': ' 7d ' })).toEqual({
      selection: { 'older-than': '7d' },
    });
  });

  test.each([
    ['90s', 90_000],
    ['30m', 1_800_000],
    ['2h', 7_200_000],
    ['7d', 604_800_000],
    ['', null],
    ['2', null],
    ['-2h', null],
    ['2hh', null],
    ['99999999d', null],
  ])('%j is %j milliseconds', (text, ms) => expect(durationMs(text)).toBe(ms));
});
