import type pg from 'pg';
import { CANONICAL_STYLES } from '../../../machines/vocabulary.ts';
import { type Person, signIn } from '../../support/platform/agent.ts';
import { createListing, submit, uploadRoom } from '../../support/platform/listing.ts';
import type { Installation } from './installation.ts';

/** One picture to buy. */
interface Order {
  readonly agent: Person;
  readonly originalImageId: string;
  readonly style: string;
}

export interface StagingLoad {
  readonly propertyIds: readonly string[];
  readonly imageIds: readonly string[];
  /** Submits the orders evenly over `durationMs`; resolves when the last one is accepted. */
  submitOver(durationMs: number, signal: AbortSignal): Promise<void>;
  standing(): Promise<JobStanding>;
}

export interface JobStanding {
  readonly submitted: number;
  readonly byStatus: Readonly<Record<string, number>>;
  /** Jobs that have ended. */
  readonly final: number;
}

const AGENTS = 4;
/** One live variant per original and style. */
const STYLES = CANONICAL_STYLES.slice(0, 5);
const FINAL = ['SUCCESS', 'FAILED', 'CANCELED'];

/** Agents with a listing each and photos enough for `jobs` pictures. */
export async function prepareStaging(
  { installation, pool }: { installation: Installation; pool: pg.Pool },
  jobs: number,
): Promise<StagingLoad> {
  const orders: Order[] = [];
  const propertyIds: string[] = [];
  const imageIds: string[] = [];
  const photos = Math.ceil(jobs / STYLES.length);
  for (let number = 0; number < AGENTS; number += 1) {
    const agent = await signIn(installation);
    const propertyId = await createListing(agent);
    propertyIds.push(propertyId);
    for (let photo = number; photo < photos; photo += AGENTS) {
      const originalImageId = await uploadRoom(agent, propertyId, photo);
      imageIds.push(originalImageId);
      for (const style of STYLES) orders.push({ agent, originalImageId, style });
    }
  }
  const due = orders.slice(0, jobs);
  let submitted = 0;
  return {
    propertyIds,
    imageIds,
    async submitOver(durationMs, signal) {
      const startedAt = Date.now();
      for (const [place, { agent, originalImageId, style }] of due.entries()) {
        await untilDue(startedAt + (place * durationMs) / due.length, signal);
        if (signal.aborted) return;
        await submit(agent, originalImageId, style);
        submitted += 1;
      }
    },
    async standing() {
      const { rows } = await pool.query<{ status: string; count: number }>(
        'select status, count(*)::int as count from ai_jobs group by status order by status',
      );
      const byStatus = Object.fromEntries(rows.map(({ status, count }) => [status, count]));
      const final = FINAL.reduce((sum, status) => sum + (byStatus[status] ?? 0), 0);
      return { submitted, byStatus, final };
    },
  };
}

function untilDue(at: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, Math.max(0, at - Date.now()));
  signal.addEventListener('abort', () => resolve(), { once: true });
  return promise.finally(() => clearTimeout(timer));
}
