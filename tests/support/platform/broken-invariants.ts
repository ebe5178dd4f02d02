import type { Pool } from 'pg';
import { askRows } from '../../../ops/invariants/ask-rows.ts';

const TIMEOUT_MS = 30_000;

/**
 * What the rows of a stopped platform break, a line each: the questions that `npm run invariants` asks. Journals are
 * not played again, because tests move due times by hand. An unreachable database is reported like a breach, so that
 * the rest of the platform is cleaned up all the same.
 */
export async function brokenInvariants(pool: Pool): Promise<string[]> {
  try {
    const verdicts = await askRows(pool, {
      when: 'always',
      replay: false,
      at: Date.now(),
      timeoutMs: TIMEOUT_MS,
    });
    return verdicts.flatMap(({ id, outcome, lines, count, note }) => {
      if (outcome === 'unanswered') return [`${id} ${note}`];
      if (outcome !== 'broken') return [];
      const rest = count > lines.length ? [`${id} and ${count - lines.length} more`] : [];
      return [...lines.map((line) => `${id} ${line}`), ...rest];
    });
  } catch (error) {
    return [`they could not be asked: ${error instanceof Error ? error.message : String(error)}`];
  }
}
