import { createHash } from 'node:crypto';
import type { QueryConfig } from 'pg';

/**
 * A statement that each connection parses and plans once. For a row by its key that is most of its cost to the
 * server: a transition of the hot path takes less than half the time. Only for statements that are written down, as
 * each connection keeps them for its life; not for sweeps, whose best plan depends on what there is. A migration that
 * changes the type of a column which such a statement returns needs the roles to be started again.
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
