import type { Pool } from 'pg';
import { askRows } from '../../../ops/invariants/ask-rows.ts';

const TIMEOUT_MS = 30_000;

/**
 * The violated invariants of a stopped platform, one line each, with the checks of `npm run invariants`.
 * Journals are not replayed, because tests move due times by hand. An unreachable database is reported like a
 * violation, so that the rest of the platform is still cleaned up.
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
