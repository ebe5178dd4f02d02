import { createHash } from 'node:crypto';
import type { QueryConfig } from 'pg';

/**
 * A statement that each connection parses and plans once. For one row by its key, that is most of the server's cost: a
 * transition of the hot path takes less than half the time. Only for constant statements, because each connection keeps
 * them for its life. Not for sweeps, whose best plan depends on the data. After a migration that changes the type of a
 * returned column, the roles must be restarted.
 */
export function prepared(text: string, values: unknown[]): QueryConfig {
  let name = names.get(text);
  if (name === undefined) {
    name = createHash('sha256').update(text).digest('base64url').slice(0, NAME_LENGTH);
    names.set(text, name);
  }
  return { name, text, values };
}

const NAME_LENGTH = 16;
const names = new Map<string, string>();
