/**
 * What a failed statement means for the caller, by SQLSTATE or socket error (PostgreSQL manual, appendix A).
 * `conflict`: rolled back by a race, may be repeated. `unavailable`: the database cannot be reached or is
 * restarting; what was under way may or may not have been committed. `other`: a mistake of ours.
 */
export type DatabaseFailure = 'conflict' | 'unavailable' | 'other';

const CONFLICTS = new Set(['40001', '40P01', '55P03', '23505']);
const UNAVAILABLE = new Set(['57P01', '57P02', '57P03', '53300', '25006', '25P03', '57014']);
const SOCKET_ERRORS = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
]);
const DRIVER_MESSAGES =
  /connection terminated|timeout exceeded when trying to connect|client has encountered a connection error|query read timeout|connection error and is not queryable/i;

export function databaseFailure(error: unknown): DatabaseFailure {
  for (const cause of causesOf(error)) {
    const code = 'code' in cause ? String(cause.code) : '';
    if (CONFLICTS.has(code)) return 'conflict';
    if (UNAVAILABLE.has(code) || code.startsWith('08') || SOCKET_ERRORS.has(code)) return 'unavailable';
    if (DRIVER_MESSAGES.test(cause.message)) return 'unavailable';
  }
  return 'other';
}

/** ORMs and AggregateErrors wrap the driver's error; the chain is short, the bound guards against loops. */
function causesOf(error: unknown): Error[] {
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
