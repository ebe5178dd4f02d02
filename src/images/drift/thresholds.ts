/**
 * From which value on a measure is reported. `npm run bench -- drift` measures what they find and what they report
 * wrongly (docs/testing.md#drift); change them only with its table. The first two also decide whether a picture may be
 * approved together with others, so they are part of the contract (docs/contract.md#drift).
 */
export const THRESHOLDS = {
  /** The room became larger or smaller by this share, across or down. */
  scale: 0.012,
  /** The share of matches that one movement of the whole picture does not explain. */
  outliers: 0.35,
  /** The share of the photo's edge strength that melted into smooth surfaces. */
  melted: 0.02,
  /** Change of one surface's color against the others: 0.1 is about 10 % of a channel. */
  surface: 0.12,
  /** The share of a wall with another texture. Chosen on the first half of the photos of the table. */
  paper: 0.28,
} as const;

/** With fewer corners a photo is too plain for its geometry to be judged. */
export const LEAST_CORNERS = 12;
