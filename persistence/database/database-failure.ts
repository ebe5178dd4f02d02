/**
 * What a failed statement means for the caller, by SQLSTATE or socket error (PostgreSQL manual, appendix A).
 * `conflict`: rolled back by a race, may be repeated. `duplicate`: a unique index refused, perhaps because of a race.
 * `unavailable`: the database cannot be reached or is
 * restarting; what was under way may or may not have been committed. `other`: a mistake of ours.
 */
export type DatabaseFailure = 'conflict' | 'duplicate' | 'unavailable' | 'other';

const CONFLICTS = new Set(['40001', '40P01', '55P03']);
const DUPLICATE = '23505';
/**
 * Connection lost (08), out of resources (53), going down or starting (57P0x), a server that became read-only,
 * statements and transactions that the server gave up on.
 */
const UNAVAILABLE = /^(?:08[0-9A-Z]{3}|53[0-9A-Z]{3}|57P0[1-4]|57014|25006|25P03)$/;
/** Node and undici: no connection, or it was lost. */
const SOCKET_ERRORS = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_SOCKET',
]);
/** pg and pg-pool raise these without any code. */
const DRIVER_MESSAGES =
  /^connection terminated|^timeout exceeded when trying to connect|^timeout expired$|^client has encountered a connection error|^cannot use a pool after calling end|^query read timeout/i;

export function databaseFailure(error: unknown): DatabaseFailure {
  for (const cause of causesOf(error)) {
    const code = 'code' in cause ? String(cause.code) : '';
    if (CONFLICTS.has(code)) return 'conflict';
    if (code === DUPLICATE) return 'duplicate';
    if (UNAVAILABLE.test(code) || SOCKET_ERRORS.has(code)) return 'unavailable';
    if (DRIVER_MESSAGES.test(cause.message)) return 'unavailable';
  }
  return 'other';
}

/** The driver's `query_timeout` passed without an answer: the connection is dead. */
export function isSilence(error: unknown): error is Error {
  return error instanceof Error && error.message === 'Query read timeout';
}

/** True when a write referred to an account that had just been deleted (the triggers of migration 0039). */
export function isOfDeletedAccount(error: unknown): boolean {
  return causesOf(error).some((cause) => 'code' in cause && cause.code === 'PA001');
}

/** True when a write was of an account that had just been suspended (the triggers of migration 0103). */
export function isOfSuspendedAccount(error: unknown): boolean {
  return causesOf(error).some((cause) => 'code' in cause && cause.code === 'PA002');
}

/** Causes and AggregateErrors wrap the driver's error; the chain is short, the bound guards against loops. */
export function causesOf(error: unknown): Error[] {
  const found: Error[] = [];
  const open = [error];
  while (open.length > 0 && found.length < 10) {
    const next = open.shift();
    if (!(next instanceof Error)) continue;
    found.push(next);
    if (next.cause !== undefined) open.push(next.cause);
    if (next instanceof AggregateError) open.push(...next.errors);
  }
  return found;
}
