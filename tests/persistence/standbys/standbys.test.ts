import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startPostgres } from '../../../ops/dev/stack/postgres.ts';
import { migrate } from '../../../persistence/migrations/migrator.ts';
import { createHeartbeat } from '../../../persistence/standbys/heartbeat.ts';
import { MAX_STALENESS_MS, PAUSE_MS } from '../../../persistence/standbys/limits.ts';
import {
  createStandby,
  logPosition,
  type Standby,
  type StandbySight,
} from '../../../persistence/standbys/standbys.ts';
import { type Replicated, startReplicated, whileReplayIsPaused } from '../../support/database/standby.ts';
import { eventually } from '../../support/eventually.ts';
import { type Gate, openGate } from '../../support/platform/gates.ts';
import { temporaryDirectory } from '../../support/platform/stack.ts';

/** A primary, its streaming standby, and the readers of a web process. The gate is between reader and standby. */
let servers: Replicated;
let link: Gate;
let pool: pg.Pool;
let replica: pg.Pool;
const opened: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  servers = await startReplicated();
  const { primary, standby } = servers;
  link = await openGate(standby.url);
  pool = new pg.Pool({ connectionString: primary.url, max: 3 });
  replica = new pg.Pool({ connectionString: standby.url, max: 2 });
  replica.on('error', () => {});
  await pool.query('create table notes (id integer generated always as identity primary key)');
}, 60_000);
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});
afterAll(async () => {
  await pool?.end();
  await replica?.end();
  await link?.close();
  await servers?.stop();
}, 60_000);

/** A process whose loops the test turns. Its clock stands still between the turns. */
function open({ primaryUrl = servers.primary.url, url = link.through(servers.standby.url) } = {}) {
  const skipped = { ms: 0 };
  let at = performance.now();
  const now = () => at + skipped.ms;
  const tick = () => {
    at = performance.now();
  };
  const heartbeat = createHeartbeat({ primaryUrl, applicationName: 'test', now });
  const sights: StandbySight[] = [];
  let failed = 0;
  const one: Standby = createStandby({
    url,
    applicationName: 'test',
    primary: pool,
    heartbeat,
    now,
    onSight: (_name, sight) => void sights.push(sight),
    onFailedRead: () => {
      failed += 1;
    },
  });
  opened.push(one, heartbeat);
  const turn = async () => {
    tick();
    await heartbeat.beat();
    await one.look();
  };
  return {
    heartbeat,
    sights,
    skipped,
    tick,
    turn,
    standby: one,
    failed: () => failed,
    /** Turns the loops until the standby is read, or is not. */
    isRead: (expected: boolean) =>
      eventually(
        async () => {
          await turn();
          return one.isUsable(null) === expected;
        },
        { what: expected ? 'a standby that is read' : 'a standby that is not read', timeoutMs: 20_000 },
      ),
  };
}

const answeredBy = async ({ reader }: Pick<Standby, 'reader'>) =>
  (await reader.query<{ standby: boolean }>('select pg_is_in_recovery() as standby')).rows[0]?.standby
    ? 'standby'
    : 'primary';

/** Writes one note, and says where the log was after it. */
async function write(): Promise<{ id: number; at: bigint }> {
  const written = await pool.query<{ id: number }>('insert into notes default values returning id');
  const { rows } = await pool.query<{ at: string }>('select pg_current_wal_insert_lsn()::text as at');
  return { id: written.rows[0]?.id ?? 0, at: logPosition(rows[0]?.at ?? '') };
}

test('a standby is read once a look has shown a beat of the last second', async () => {
  const process = open();
  expect(await answeredBy(process.standby)).toBe('primary');
  await process.isRead(true);
  expect(await answeredBy(process.standby)).toBe('standby');
  expect(process.sights).toEqual(['standby']);
  process.skipped.ms += MAX_STALENESS_MS + 1;
  expect(await answeredBy(process.standby)).toBe('primary');
});

test('while replay stands still the writer is refused at once, and everyone when the bound is reached', async () => {
  const process = open();
  await process.isRead(true);
  await whileReplayIsPaused(replica, async () => {
    const mine = await write();
    await process.standby.look();
    expect(process.standby.isUsable(mine.at)).toBe(false);
    await process.isRead(false);
    expect(process.standby.staleness()).toBeGreaterThan(MAX_STALENESS_MS);
    const { rowCount } = await process.standby.reader.query('select from notes where id = $1', [mine.id]);
    expect(rowCount).toBe(1);
  });
  await process.isRead(true);
});

test('what the writer is let read is never older than the write', async () => {
  const process = open();
  await process.isRead(true);
  const reads: { rowCount: number | null }[] = [];
  // On a busy machine most looks come before the replay.
  await eventually(
    async () => {
      const mine = await write();
      await process.turn();
      if (process.standby.isUsable(mine.at))
        reads.push(await process.standby.reader.query('select from notes where id = $1', [mine.id]));
      return reads.length === 20;
    },
    { what: 'twenty reads of what was just written', intervalMs: 0 },
  );
  expect(reads.filter((read) => read.rowCount !== 1)).toEqual([]);
});

test('a beat that another process made counts from when it was made', async () => {
  const [mover, watcher] = [open(), open()];
  await mover.heartbeat.beat();
  const made = performance.now();
  const { rows } = await pool.query<{ server: string; beat: string }>(
    'select server, beat from standby_heartbeat',
  );
  const seen = { server: rows[0]?.server ?? '', beat: Number(rows[0]?.beat) };
  watcher.tick();
  await watcher.heartbeat.beat();
  expect(watcher.heartbeat.completeUntil(seen)).toBeLessThanOrEqual(made);
  expect(watcher.heartbeat.completeUntil({ ...seen, beat: seen.beat - 1 })).toBe(Number.NEGATIVE_INFINITY);
});

test('of a standby that dies nothing fails: the primary answers, and the standby is left alone for a while', async () => {
  const process = open();
  await process.isRead(true);
  link.shut();
  expect(await answeredBy(process.standby)).toBe('primary');
  expect(process.standby.isUsable(null)).toBe(false);
  // The pause is over, and it is still away.
  process.skipped.ms += 5_000;
  await process.turn();
  expect(process.sights).toEqual(['standby', 'unreachable']);
  link.open();
  process.skipped.ms += 5_000;
  await process.isRead(true);
  expect(await answeredBy(process.standby)).toBe('standby');
  expect(process.sights).toEqual(['standby', 'unreachable', 'standby']);
});

test('a standby that was killed and came back is read again', async () => {
  const process = open();
  await process.isRead(true);
  await servers.standby.restart('kill');
  process.skipped.ms += 5_000;
  await process.isRead(true);
  expect(await answeredBy(process.standby)).toBe('standby');
});

test('a standby that hangs in a statement is given up, and the primary answers', async () => {
  const process = open();
  await process.isRead(true);
  const slow = process.standby.reader.query<{ standby: boolean }>(
    'select pg_is_in_recovery() as standby, case when pg_is_in_recovery() then pg_sleep(60) end',
  );
  expect((await slow).rows[0]?.standby).toBe(false);
  expect(process.failed()).toBe(1);
  // It answers looks as ever, and is left alone all the same.
  await process.heartbeat.beat();
  await process.standby.look();
  expect(process.standby.isUsable(null)).toBe(false);
  process.skipped.ms += PAUSE_MS;
  await process.isRead(true);
});

test('a standby behind a link that carries nothing more is given up, and the primary answers', async () => {
  const { url } = servers.standby;
  const dead = await openGate(url);
  opened.push(dead);
  const process = open({ url: dead.through(url) });
  await process.isRead(true);
  dead.freeze();
  expect(await answeredBy(process.standby)).toBe('primary');
  await process.turn();
  process.skipped.ms += PAUSE_MS;
  await process.turn();
  expect(process.sights).toEqual(['standby', 'unreachable']);
});

test('a statement that replay cancels is answered by the primary, and the standby goes on', async () => {
  const process = open();
  await process.isRead(true);
  const canceled = process.standby.reader.query<{ standby: boolean }>(
    `do $$ begin
       if pg_is_in_recovery() then raise exception 'conflict with recovery' using errcode = '40001'; end if;
     end $$`,
  );
  await canceled;
  expect(process.failed()).toBe(1);
  expect(process.standby.isUsable(null)).toBe(true);
});

test('a mistake in a statement is reported as the primary reports it', async () => {
  const process = open();
  await process.isRead(true);
  await expect(process.standby.reader.query('select * from nothing')).rejects.toMatchObject({
    code: '42P01',
  });
  expect(process.standby.isUsable(null)).toBe(true);
});

test('the standby of another primary is not read, however fresh it is', async () => {
  const directory = temporaryDirectory();
  const other = await startPostgres({ dataDir: directory });
  try {
    await migrate(other.url);
    const [theirs, ours] = [open(), open({ primaryUrl: other.url })];
    await theirs.isRead(true);
    // Its beats are ahead of ours, as after a long life of its own.
    await pool.query('update standby_heartbeat set beat = beat + 1000000');
    await theirs.isRead(true);
    await ours.turn();
    await theirs.isRead(true);
    expect(ours.standby.isUsable(null)).toBe(false);
    for (const one of opened.splice(0)) await one.close();
  } finally {
    await other.stop();
  }
});

// Last: it ends the standby.
test('a standby that was promoted is not read', async () => {
  const process = open();
  await process.isRead(true);
  await replica.query('select pg_promote()');
  // Someone keeps the heartbeat of the promoted server moving.
  await replica.query(`update standby_heartbeat set beat = beat + 1000000`);
  await process.turn();
  expect(process.sights.at(-1)).toBe('promoted');
  expect(process.standby.isUsable(null)).toBe(false);
  expect(await answeredBy(process.standby)).toBe('primary');
});
