import { EDGE, type EdgeChanges, LEAST_EDGE } from './edges.ts';
import type { Gradients } from './gradients.ts';
import { boxMean, mapped, type Plane } from './raster.ts';
import { isRim, regionsOf } from './regions.ts';

export interface LostStructure {
  /** The share of the photo's edge strength that melted into smooth surfaces, 0 to 1; of an empty room, of a plain one's. */
  readonly melted: number;
  /** The share of the picture that the largest such place takes, 0 to 1. */
  readonly largest: number;
  /** 1 where structure is lost, for the heat map. */
  readonly mask: Uint8Array;
}

/** Above this share of furniture around it, an erased edge is only hidden. */
const BEHIND_FURNITURE = 0.12;
/** Erased edges belong together when they fill this share of squares of fifteen pixels. */
const DENSE = 0.05;
const GATHER = 7;
/** The share of the picture that counts as a place, not as noise. */
const LEAST_PLACE = 0.0015;
/**
 * A removed thing leaves the wall next to it as it was; furniture in front of an edge has changed both of its sides. The
 * share of a place that must look as before.
 */
const LEAST_UNCHANGED = 0.2;
/** What hides an edge has an outline of its own; a removed window melts into the wall. */
const FRESH_NEAR = 0.04;
const MOST_FRESH_RIM = 0.5;

/**
 * Edge strength for each pixel of a room that is nearly empty: furnished ones have two to ten times as much. With less, the
 * skirting behind a sofa would be a large share of all there is.
 */
const PLAIN_ROOM = 0.45;

/** Places whose edges are gone and where nothing new stands: a removed appliance or another fixture. */
export function findLostStructure(
  photo: Gradients,
  {
    edges: { lost, fresh },
    furniture,
    changed,
  }: { edges: EdgeChanges; furniture: Plane; changed: Uint8Array },
): LostStructure {
  const { width, height } = photo;
  const isErased = (at: number) => lost[at] === EDGE.erased && furniture.values[at]! <= BEHIND_FURNITURE;
  const density = boxMean(
    mapped({ width, height }, (at) => (isErased(at) ? 1 : 0)),
    GATHER,
  ).values;
  const freshNear = boxMean(
    mapped({ width, height }, (at) => fresh[at]!),
    3,
  ).values;
  const isDense = (at: number) => density[at]! > DENSE;
  const mask = new Uint8Array(width * height);
  let [melted, largest] = [0, 0];
  const least = LEAST_PLACE * width * height;
  for (const place of regionsOf({ width, height }, isDense, { least })) {
    let [rim, freshRim, strength, unchanged] = [0, 0, 0, 0];
    for (const at of place) {
      if (changed[at] === 0) unchanged++;
      if (isErased(at)) strength += photo.strength[at]!;
      if (!isRim(at, photo, isDense)) continue;
      rim++;
      if (freshNear[at]! > FRESH_NEAR) freshRim++;
    }
    if (freshRim >= MOST_FRESH_RIM * rim || unchanged < LEAST_UNCHANGED * place.length) continue;
    melted += strength;
    largest = Math.max(largest, place.length / (width * height));
    for (const at of place) if (isErased(at)) mask[at] = 1;
  }
  const all = photo.strength.reduce((sum, strength) => (strength > LEAST_EDGE ? sum + strength : sum), 0);
  return { melted: melted / Math.max(all, PLAIN_ROOM * width * height), largest, mask };
}
