import type { Pool } from 'pg';
import { PURCHASE_KINDS, type PurchaseKind, purchaseKindOf } from '../../machines/purchase-kinds.ts';
import type { Row } from '../actors/actor-kind.ts';
import { type ActorKind, type AnyActor, definitionOf } from '../actors/actor-kinds.ts';
import { type ProviderAttemptActor, providerAttemptKind } from '../actors/rows/attempt-row.ts';
import type { JobActor } from '../actors/rows/job-row.ts';
import { toMillis } from '../database/instants.ts';

/** An actor with the further values of its page. Times are milliseconds since 1970. */
export interface SeenActor {
  kind: ActorKind;
  actor: AnyActor;
  createdAt: number | null;
  beside: Row;
  /** Only for a job. */
  attempts: readonly ProviderAttemptActor[];
  /** Only for an attempt. */
  job: SeenActor | null;
}
export type SeenJob = SeenActor & { kind: PurchaseKind; actor: JobActor };

/** As last committed; null when the row does not exist (any more). */
export async function readActor(pool: Pool, kind: ActorKind, id: string): Promise<SeenActor | null> {
  const { rows, page } = definitionOf(kind);
  const more = { ...page.beside, createdAt: page.createdAt ?? 'NULL::timestamptz' };
  const found = await pool.query<Row>(`${rows.select(more)} WHERE ${rows.base} AND t.id = $1`, [id]);
  const [row] = found.rows;
  if (row === undefined) return null;
  const { purchases = [], jobType = null } = row;
  return {
    kind,
    actor: rows.fromRow(row),
    createdAt: toMillis(row.createdAt),
    beside: row,
    attempts: purchases.map(providerAttemptKind.rows.fromRow),
    job: jobType === null ? null : await readActor(pool, purchaseKindOf(jobType), row.aiJobId),
  };
}

/** The job itself, or the job of the attempt. */
export function jobOf(seen: SeenActor): SeenJob | null {
  const job = seen.job ?? seen;
  return isJob(job) ? job : null;
}
const isJob = (seen: SeenActor): seen is SeenJob => Object.hasOwn(PURCHASE_KINDS, seen.kind);
