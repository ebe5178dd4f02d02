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

describe('no outage', () => {
  test.each<[string, unknown]>([
    ['a constraint', coded('23505')],
    ['a syntax error', coded('42601')],
    ['a bug', new TypeError('x is undefined')],
    ['no error', 'ECONNREFUSED'],
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
