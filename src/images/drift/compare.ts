import type { DriftFlag } from '../../../machines/vocabulary.ts';
import { type Fit, fitDisplacement } from './affine-fit.ts';
import { movedBack, withToneOf } from './alignment.ts';
import { compareColours } from './colour-changes.ts';
import { type Matches, matchCorners } from './corner-matches.ts';
import { papered } from './coverings.ts';
import { compareEdges } from './edges.ts';
import { furnitureShare } from './furniture.ts';
import { gradientsOf } from './gradients.ts';
import { toLab } from './lab.ts';
import { findLostStructure } from './lost-structure.ts';
import { findNewThings, type ShareBox } from './new-things.ts';
import type { Raster } from './raster.ts';
import { compareSurfaces } from './surfaces.ts';
import { LEAST_CORNERS, THRESHOLDS } from './thresholds.ts';

/** Increase it with every change of the steps or thresholds: stored results say by which version they were made. */
export const DRIFT_ALGORITHM = 5;

export interface Comparison {
  /** 0 to 1; 0.5 where the strongest measure is at its threshold. For sorting. */
  readonly score: number;
  readonly flags: readonly DriftFlag[];
  readonly boxes: readonly ShareBox[];
  readonly measures: Readonly<Record<string, number>>;
  /** By pixel, 1 where it is so; for the heat map. */
  readonly lost: Uint8Array;
  readonly fresh: Uint8Array;
}

/**
 * Compares a photo with its staged picture, both of the same size: does the room still have its geometry, its
 * fixtures, its walls? Furniture is expected and reported nowhere but as `boxes` above its usual height.
 */
export function compare(photo: Raster, staged: Raster): Comparison {
  const before = toLab(photo);
  const gradients = gradientsOf(before.lightness);
  const matches = matchCorners(before.lightness, gradients, toLab(staged).lightness);
  const fit = fitDisplacement(matches.found, photo);
  const aligned = fit === null ? staged : movedBack(staged, fit.displacement);
  const after = toLab(withToneOf(photo, aligned));
  const now = gradientsOf(after.lightness);
  const edges = compareEdges(gradients, now);
  const changes = compareColours(before, after);
  const furniture = furnitureShare(changes.changed, { photo: gradients, fresh: edges.fresh });
  const structure = findLostStructure(gradients, { edges, furniture, changed: changes.changed });
  const surfaces = compareSurfaces({ raster: photo, lab: before, gradients }, { staged: aligned, furniture });
  const boxes = findNewThings(edges.fresh, photo);

  const measures = {
    ...geometryMeasures(matches, fit),
    melted: structure.melted,
    largestLoss: structure.largest,
    surface: Math.max(0, ...surfaces),
    paper: papered(before, gradients, { now, furniture }),
    surfaces: surfaces.length,
    fresh: edges.fresh.reduce((sum, one) => sum + one, 0) / edges.fresh.length,
  };
  return { ...judged(measures), boxes, measures, lost: structure.mask, fresh: edges.fresh };
}

function geometryMeasures({ tried, found }: Matches, fit: Fit | null) {
  const { xx = 0, yy = 0 } = fit?.displacement ?? {};
  return {
    scale: Math.max(Math.abs(xx), Math.abs(yy)),
    anisotropy: Math.abs(xx - yy),
    inliers: fit?.inliers ?? 0,
    corners: tried,
    found: tried === 0 ? 0 : found.length / tried,
  };
}

type Measures = Record<'scale' | 'inliers' | 'corners' | 'melted' | 'surface' | 'paper', number>;

function judged({
  scale,
  inliers,
  corners,
  melted,
  surface,
  paper,
}: Measures): Pick<Comparison, 'score' | 'flags'> {
  const isJudged = corners >= LEAST_CORNERS;
  const shares: Record<DriftFlag, number> = {
    GEOMETRY_MOVED: isJudged
      ? Math.max(share(scale, THRESHOLDS.scale), share(1 - inliers, THRESHOLDS.outliers))
      : 0,
    STRUCTURE_LOST: share(melted, THRESHOLDS.melted),
    SURFACE_REPAINTED: Math.max(share(surface, THRESHOLDS.surface), share(paper, THRESHOLDS.paper)),
  };
  const flags = (Object.keys(shares) as DriftFlag[]).filter((flag) => shares[flag] > 0.5);
  return { score: Math.max(...Object.values(shares)), flags };
}

/** 0 for nothing, one half at the threshold, towards 1 far beyond it. */
const share = (measure: number, threshold: number): number => measure / (measure + threshold);
