import type { Pool } from 'pg';
import type { DriftFlag, RetiredDriftFlag, ReviewEventKind } from '../../machines/vocabulary.ts';

/** A comparison with the decision about its picture (docs/contract.md#drift). Without a result all fields are null. */
export interface DecidedDrift {
  /** PENDING also for a picture that was deleted without a decision. */
  decision: ReviewEventKind | 'PENDING';
  score: number | null;
  flags: (DriftFlag | RetiredDriftFlag)[] | null;
  measures: Readonly<Record<string, number>> | null;
}

/** Bounds the memory of one report. */
const MOST_ROWS = 200_000;

/** The comparisons of the last days, newest first, each with what was decided. Approved comes first when both are. */
export async function decidedDrifts(pool: Pool, days: number): Promise<DecidedDrift[]> {
  const { rows } = await pool.query<DecidedDrift>(
    `SELECT coalesce((SELECT min(e.kind::text) FROM property_image_review_events e
         WHERE e."imageId" = d."stagedImageId"), 'PENDING') AS decision, d.score, d.flags, d.measures
     FROM drift_comparisons d
     WHERE coalesce(d."comparedAt", d."createdAt") >= now() - make_interval(days => $1)
     ORDER BY d."createdAt" DESC LIMIT ${MOST_ROWS}`,
    [days],
  );
  return rows;
}
