import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import {
  createStandbyConfirmation,
  openConfirmingSession,
  type StandbyConfirmation,
} from '../../../persistence/standbys/confirmation.ts';
import { type SynchronousPair, startSynchronousPair } from '../../support/database/standby.ts';
import { eventually } from '../../support/eventually.ts';

/** Claims and a synchronous standby, which a test takes away. */
let pair: SynchronousPair;
let pool: pg.Pool;
const opened: StandbyConfirmation[] = [];

beforeAll(async () => {
  pair = await startSynchronousPair();
  pool = new pg.Pool({ connectionString: pair.primary.url, max: 3 });
  await pool.query('create table claims (id integer primary key)');
}, 60_000);
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});
afterAll(async () => {
  await pool?.end();
  await pair?.stop();
}, 60_000);

async function synchronous(names: '*' | '') {
  await pool.query(`alter system set synchronous_standby_names = '${names}'`);
  await pool.query('select pg_reload_conf()');
  await eventually(
    async () =>
      (await pool.query('show synchronous_standby_names')).rows[0].synchronous_standby_names === names,
    { what: 'the setting' },
  );
}

/** A clock that the test moves. */
function open() {
  const at = { now: 0 };
  const problems: unknown[] = [];
  const confirmation = createStandbyConfirmation({
    open: () => openConfirmingSession({ url: pair.primary.url, pool }),
    now: () => at.now,
    reportProblem: (error) => void problems.push(error),
  });
  opened.push(confirmation);
  const claims = {
    isHopeful: confirmation.isHopeful,
    confirm: async () => (await confirmation.confirm())?.isTrusted === true,
  };
  return { at, claims, confirmation, problems };
}

test('a confirmed claim is on the standby', async () => {
  await pair.streams();
  const { claims } = open();
  const reader = new pg.Client({ connectionString: pair.standby.url });
  await reader.connect();
  for (let id = 1; id <= 20; id += 1) {
    await pool.query('insert into claims values ($1)', [id]);
    expect(await claims.confirm()).toBe(true);
  }
  await eventually(async () => (await reader.query('select from claims')).rowCount === 20, {
    what: 'the claims on the standby',
  });
  await reader.end();
});

test('one confirmation serves all who wait for it', async () => {
  await pair.streams();
  const { claims } = open();
  expect(await Promise.all(Array.from({ length: 50 }, () => claims.confirm()))).toEqual(Array(50).fill(true));
});

test('without a standby the wait is bounded and holds no row; later claims are not tried for a while', async () => {
  await pair.streams();
  const { at, claims, problems } = open();
  expect(await claims.confirm()).toBe(true);
  pair.link.shut();
  await pool.query('insert into claims values (100)');
  expect(await claims.confirm()).toBe(false);
  expect(problems).toHaveLength(1);
  expect(claims.isHopeful()).toBe(false);
  // The claim itself can be taken back.
  expect((await pool.query('delete from claims where id = 100')).rowCount).toBe(1);
  at.now += 5_000;
  expect(claims.isHopeful()).toBe(true);
  pair.link.open();
  await pair.streams();
  expect(await claims.confirm()).toBe(true);
});

test('a primary that waits for no standby confirms nothing', async () => {
  const { claims } = open();
  await synchronous('');
  expect(await claims.confirm()).toBe(false);
  await synchronous('*');
});

test('a server that was promoted since the claim confirms nothing', async () => {
  await pair.streams();
  const { claims } = open();
  await pool.query(`update start_gate set server = 'another'`);
  expect(await claims.confirm()).toBe(false);
  // To a decision it says which server has it.
  const { confirmation } = open();
  const { rows } = await pool.query('select current_server() as server');
  expect(await confirmation.confirm()).toEqual({ server: rows[0].server, isTrusted: false });
  await pool.query('update start_gate set server = null');
  expect(await open().claims.confirm()).toBe(true);
});
