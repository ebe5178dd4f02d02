import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { PublicError } from '../../../src/errors/errors.ts';
import { isOutage, publicErrorFrom } from '../../../src/errors/outage.ts';

const coded = (code: string) => Object.assign(new Error('x'), { code });

describe('an outage', () => {
  test.each<[string, Error]>([
    ['a refused connection', coded('ECONNREFUSED')],
    ['a lost connection', coded('ECONNRESET')],
    ['PostgreSQL shutting down', coded('57P01')],
    ['PostgreSQL starting', coded('57P03')],
    ['too many connections', coded('53300')],
    ['a connection failure', coded('08006')],
    ['a cause of a cause', new Error('a', { cause: new Error('b', { cause: coded('EPIPE') }) })],
    ['all addresses refused', new AggregateError([coded('EX'), coded('ECONNREFUSED')])],
  ])('%s', (_name, error) => {
    expect(isOutage(error)).toBe(true);
    expect(publicErrorFrom(error)?.code).toBe('SERVICE_UNAVAILABLE');
  });

  test('the errors that pg throws when no server listens, and when its pool is closed', async () => {
    const pool = new pg.Pool({ host: '127.0.0.1', port: 1, connectionTimeoutMillis: 2000 });
    const refused: unknown = await pool.query('select 1').catch((error: unknown) => error);
    await pool.end();
    const ended: unknown = await pool.query('select 1').catch((error: unknown) => error);
    expect([isOutage(refused), isOutage(ended)]).toEqual([true, true]);
  });
});

const reply = (message: string, fields = {}) =>
  Object.assign(new Error(message), { name: 'ReplyError', ...fields });
const FULL = "OOM command not allowed when used memory > 'maxmemory'.";

test.each<[string, Error]>([
  ['full', reply(FULL)],
  ['full, in a script', reply(`${FULL} script: 8fd3, on @user_script:5.`)],
  ['full, in a script of an older Redis', reply(`ERR Error running script: @user_script: 5: -${FULL}`)],
  ['full, in a transaction', reply('EXECABORT Transaction discarded.', { previousErrors: [reply(FULL)] })],
  ['a replica', reply("READONLY You can't write against a read only replica.")],
  [
    'unable to save',
    reply('MISCONF Redis is configured to save RDB snapshots, but it is unable to persist.'),
  ],
  ['without its primary', reply("MASTERDOWN Link with MASTER is down and replica-serve-stale-data is 'no'.")],
  ['without enough replicas', reply('NOREPLICAS Not enough good replicas to write.')],
  ['busy', reply('BUSY Redis is busy running a script.')],
  ['loading', reply('LOADING Redis is loading the dataset in memory')],
  ['given another password', reply('NOAUTH Authentication required.')],
  [
    'given another password, at the first command',
    new Error('Ready check failed: NOAUTH Authentication required.'),
  ],
  ['given another password, for a new connection', reply('WRONGPASS invalid username-password pair')],
  ['demoted during a wait', reply('UNBLOCKED force unblock from blocking operation, instance state changed')],
])('a key-value store that is %s is away', (_name, error) => {
  expect(isOutage(new Error('rate limits cannot be counted', { cause: error }))).toBe(true);
  expect(publicErrorFrom(error)?.code).toBe('SERVICE_UNAVAILABLE');
});

describe('no outage', () => {
  test.each<[string, unknown]>([
    ['a constraint', coded('23505')],
    ['a syntax error', coded('42601')],
    ['a bug', new TypeError('x is undefined')],
    ['no error', 'ECONNREFUSED'],
    ['a wrong command', reply('WRONGTYPE Operation against a key holding the wrong kind of value')],
    ['a text that is no answer of the store', new Error('BUSY is what we are')],
  ])('%s', (_name, error) => {
    expect(isOutage(error)).toBe(false);
    expect(publicErrorFrom(error)).toBeNull();
  });

  test('circular causes end', () => {
    const a = new Error('a');
    a.cause = new Error('b', { cause: a });
    expect(publicErrorFrom(a)).toBeNull();
  });
});

test.each(['40001', '40P01', '55P03'])(
  'a rollback by the database (%s) may be retried, but is no outage',
  (sqlState) => {
    const error = new Error('wrapped', { cause: coded(sqlState) });
    expect(publicErrorFrom(error)?.code).toBe('SERVICE_UNAVAILABLE');
    expect(isOutage(error)).toBe(false);
  },
);

test('an error is found along the causes, and takes precedence over an outage that caused it', () => {
  const error = new PublicError('CONFLICT', { cause: coded('ECONNRESET') });
  expect(publicErrorFrom(new Error('outer', { cause: error }))).toBe(error);
});
