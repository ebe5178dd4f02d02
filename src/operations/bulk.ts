import type { Pool } from 'pg';
import {
  type Candidate,
  type CandidateSource,
  countOperationCandidates,
  operationCandidates,
} from '../../persistence/console/operation-candidates.ts';
import { databaseFailure } from '../../persistence/database/database-failure.ts';
import type { Asking, Operation, Outcome } from './operation.ts';
import { originOf } from './signature.ts';

/**
 * One operation on many actors, one page of ids at a time and each actor separately: a failure of one is reported
 * and does not stop the others. It owns nothing; a second run processes the remaining actors. An outage of the
 * database ends it, since every further actor would fail in the same way.
 */
export interface BulkReport {
  applied: number;
  ignored: number;
  /** Deleted, or no longer a candidate. */
  missing: number;
  failed: number;
  /** The first actors to which it was not applied, with the reason. */
  told: { id: string; outcome: 'ignored' | 'missing' | 'failed'; why: string }[];
  ended: 'done' | 'aborted' | 'outage';
}

const PAGE = 200;
/** People read the report, so it is bounded. */
const MAX_TOLD = 500;
const MAX_WHY_LENGTH = 200;

export interface BulkOptions {
  ids: AsyncIterable<readonly string[]>;
  asking: Omit<Asking, 'seenVersion'>;
  signal: AbortSignal;
  scrub(text: string): string;
  /** After each page. */
  onProgress?(report: BulkReport): void | Promise<void>;
}

/** Throws `UnsignedError` before anything is done. */
export async function runInBulk(operation: Operation, options: BulkOptions): Promise<BulkReport> {
  const { ids, asking, signal, scrub, onProgress } = options;
  originOf(asking, scrub);
  const report: BulkReport = { applied: 0, ignored: 0, missing: 0, failed: 0, told: [], ended: 'done' };
  try {
    for await (const page of ids) {
      for (const id of page) {
        if (signal.aborted) return { ...report, ended: 'aborted' };
        await runOne(operation, { id, asking, report, scrub });
      }
      await onProgress?.(report);
    }
  } catch (error) {
    if (databaseFailure(error) !== 'unavailable') throw error;
    return { ...report, ended: 'outage' };
  }
  return report;
}

async function runOne(
  operation: Operation,
  { id, asking, report, scrub }: Pick<BulkOptions, 'asking' | 'scrub'> & { id: string; report: BulkReport },
): Promise<void> {
  const tell = (outcome: 'ignored' | 'missing' | 'failed', why: string) => {
    report[outcome] += 1;
    if (report.told.length < MAX_TOLD) report.told.push({ id, outcome, why });
  };
  try {
    const { outcome, why }: Outcome = await operation.run(id, asking);
    if (outcome === 'applied') report.applied += 1;
    else tell(outcome === 'missing' ? 'missing' : 'ignored', why ?? '');
  } catch (error) {
    if (databaseFailure(error) === 'unavailable') throw error;
    const message = error instanceof Error ? error.message : String(error);
    tell('failed', scrub(message).slice(0, MAX_WHY_LENGTH));
  }
}

/** All candidates, one page at a time. */
export async function* candidatePages(pool: Pool, source: CandidateSource): AsyncGenerator<string[]> {
  for (let after: Candidate | null = null; ; ) {
    const page: Candidate[] = await operationCandidates(pool, source, { after, limit: PAGE });
    if (page.length > 0) yield page.map(({ id }) => id);
    if (page.length < PAGE) return;
    after = page.at(-1) ?? null;
  }
}

/** The number of candidates, and the first of them. */
export async function lookAtCandidates(
  pool: Pool,
  source: CandidateSource,
  { first }: { first: number },
): Promise<{ count: number; firstIds: string[] }> {
  const firstOnes = await operationCandidates(pool, source, { after: null, limit: first });
  return {
    count: await countOperationCandidates(pool, source),
    firstIds: firstOnes.map(({ id }) => id),
  };
}

/** The report as text, for the end of a command or a page. */
export function formatReport({ applied, ignored, missing, failed, ended }: BulkReport): string {
  const counts = `${applied} done, ${ignored} left as they are, ${missing} not there, ${failed} failed`;
  if (ended === 'aborted') return `Stopped on request: ${counts}. What is left can be asked for again.`;
  if (ended === 'outage')
    return `Stopped because the database does not answer: ${counts}. Ask again when it does.`;
  return `Finished: ${counts}.`;
}
