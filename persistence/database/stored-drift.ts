import { type DriftFlag, RETIRED_DRIFT_FLAGS } from '../../machines/vocabulary.ts';

/** The results in `drift_comparisons` as queries of pictures read them (docs/contract.md#drift). */

/** A rectangle as shares of the photo's width and height, from 0 to 1. */
export interface DriftBox {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** What is shown of a result. */
export interface DriftView {
  /** 0 (nothing found) to 1; for sorting only. */
  score: number;
  geometryMoved: boolean;
  flags: DriftFlag[];
  /** New things above the height of furniture, for people to look at. */
  boxes: DriftBox[];
}

/** A result as it is read for answers; null while there is none. */
export type StoredDrift = DriftView & { comparedAt: number; hasHeatMap: boolean };

/** SQL. The flags of a comparison that are still made, of the row with alias `d`. */
export const flagsInUse = (d: string): string =>
  RETIRED_DRIFT_FLAGS.reduce((flags, retired) => `array_remove(${flags}, '${retired}')`, `${d}.flags`);

/** The result of the staged image with alias `v`, as one column; null without one. */
export function driftColumn(v: string): string {
  return `(SELECT jsonb_build_object('score', d.score, 'geometryMoved', d."geometryMoved", 'flags', ${flagsInUse('d')},
      'boxes', d.boxes, 'hasHeatMap', d."heatMapKey" IS NOT NULL,
      'comparedAt', floor(extract(epoch FROM d."comparedAt") * 1000))
    FROM drift_comparisons d WHERE d."stagedImageId" = ${v}.id AND d."comparedAt" IS NOT NULL) AS drift`;
}
