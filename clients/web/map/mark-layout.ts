import type { Outputs } from '../../typescript/procedures.ts';
import type { Box } from './map-area.ts';

export type Marks = Outputs['search']['map'];
export type Pin = Marks['pins'][number];
type Cluster = Marks['clusters'][number];

/** The marks without the pins of these homes. Clusters count them still, as the total does. */
export const withoutHomes = (marks: Marks, homes: readonly string[]): Marks => ({
  ...marks,
  pins: marks.pins.filter(({ propertyId }) => !homes.includes(propertyId)),
});

/** Several homes as one mark. */
export interface Group {
  readonly key: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly count: number;
  readonly minPrice: number;
  /** Null for homes in several currencies. */
  readonly currency: string | null;
  /** The first zoom at which the server shows its homes apart; 0 when it does already. */
  readonly expansionZoom: number;
  /** Around the positions that the server named. */
  readonly box: Box;
  /** Its homes, as far as the server named them. */
  readonly pins: readonly Pin[];
}

/** A mark with the space that it takes, in pixels around its position. */
export interface PlacedMark {
  readonly mark: Group;
  /** `pill`: a home with its price; `dot`: a home without the space for it; `cluster`: several homes. */
  readonly look: 'pill' | 'dot' | 'cluster';
  readonly width: number;
  readonly height: number;
}

interface LayoutOptions {
  /** Of the map, with its fraction. */
  readonly zoom: number;
  /** The longitude in the middle of the map, in degrees: where the globe is not cut. */
  readonly middle: number;
  /** The root's text size, in pixels. */
  readonly rem: number;
  /** The width of a pill's text, in pixels. */
  readonly textWidth: (text: string) => number;
}

/** All sizes in rem. Targets are 44 pixels, and 24 where there is no space for more. */
const DOT = 1.5;
const LOW_PILL = 1.75;
const TARGET = 2.75;
const PILL_PADDING = 1.25;
const CLUSTERS = [
  { below: 10, size: TARGET },
  { below: 100, size: 3.25 },
  { below: Number.POSITIVE_INFINITY, size: 3.75 },
] as const;
/** Pixels between two marks: positions are rounded to whole ones. */
const GAP = 3;

/** 1, 2 or 3: how large the mark of so many homes is. */
export const clusterLevel = (count: number): number => CLUSTERS.findIndex(({ below }) => count < below) + 1;

interface Placed {
  mark: Group;
  look: PlacedMark['look'];
  x: number;
  y: number;
  width: number;
  height: number;
}

/**
 * Gives each mark its space, so that none lies over another: marks without the space of the smallest mark between them
 * become one, and then homes show their prices as far as there is space. Depends on positions and zoom alone, so moving
 * the map changes nothing. @returns the marks from north to south, as the eye goes through them
 */
export function layOutMarks({ clusters, pins }: Marks, options: LayoutOptions): PlacedMark[] {
  // The largest first, and then in an order that neighbors at the edge of the map do not change.
  const marks = [...clusters.map(groupOf), ...pins.map(loneOf)].toSorted(
    (one, other) => other.count - one.count || (one.key < other.key ? -1 : 1),
  );
  const placed: Placed[] = [];
  for (const mark of marks) place(placed, mark, options);
  for (const grow of [toPill, toTarget])
    for (const one of placed) {
      const grown = grow(one, options);
      if (grown !== null && !placed.some((other) => other !== one && overlap(other, grown)))
        Object.assign(one, grown);
    }
  return placed
    .map(({ mark, look, width, height }) => ({ mark, look, width, height }))
    .toSorted((one, other) => other.mark.latitude - one.mark.latitude);
}

const groupOf = ({ id, latitude, longitude, count, minPrice, currency, expansionZoom }: Cluster): Group => ({
  key: id,
  latitude,
  longitude,
  count,
  minPrice,
  currency,
  expansionZoom,
  box: [longitude, latitude, longitude, latitude],
  pins: [],
});

const loneOf = (pin: Pin): Group => ({
  key: pin.propertyId,
  latitude: pin.latitude,
  longitude: pin.longitude,
  count: 1,
  minPrice: pin.price,
  currency: pin.currency === '' ? null : pin.currency,
  expansionZoom: 0,
  box: [pin.longitude, pin.latitude, pin.longitude, pin.latitude],
  pins: [pin],
});

/** Adds a mark in its smallest size. What it would lie over becomes a part of it. */
function place(placed: Placed[], mark: Group, options: LayoutOptions): void {
  let adding = spaceOf(mark, options);
  for (;;) {
    const hit = placed.findIndex((other) => overlap(other, adding));
    const [other] = hit === -1 ? [] : placed.splice(hit, 1);
    if (other === undefined) break;
    adding = spaceOf(joined(other.mark, adding.mark), options);
  }
  placed.push(adding);
}

function spaceOf(mark: Group, { zoom, middle, rem }: LayoutOptions): Placed {
  const world = 512 * 2 ** zoom;
  const turn = Math.round((middle - mark.longitude) / 360) * 360;
  const sine = Math.sin((mark.latitude * Math.PI) / 180);
  const x = (mark.longitude + turn) / 360 + 0.5;
  const y = 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
  const level = CLUSTERS[clusterLevel(mark.count) - 1] ?? CLUSTERS[0];
  const side = (mark.count === 1 ? DOT : level.size) * rem;
  const look = mark.count === 1 ? 'dot' : 'cluster';
  return { mark, look, x: x * world, y: y * world, width: side, height: side };
}

/** Two marks as one, which lies between them, nearer to the one with more homes. */
function joined(one: Group, other: Group): Group {
  const count = one.count + other.count;
  const between = (a: number, b: number): number => (a * one.count + b * other.count) / count;
  // The shorter way around the globe.
  const turn = Math.round((one.longitude - other.longitude) / 360) * 360;
  const isOneCurrency = one.currency === other.currency;
  return {
    key: one.count >= other.count ? one.key : other.key,
    latitude: between(one.latitude, other.latitude),
    longitude: between(one.longitude, other.longitude + turn),
    count,
    minPrice: Math.min(one.minPrice, other.minPrice),
    currency: isOneCurrency ? one.currency : null,
    expansionZoom: 0,
    box: [
      Math.min(one.box[0], other.box[0]),
      Math.min(one.box[1], other.box[1]),
      Math.max(one.box[2], other.box[2]),
      Math.max(one.box[3], other.box[3]),
    ],
    pins: [...one.pins, ...other.pins],
  };
}

function toPill(one: Placed, { rem, textWidth }: LayoutOptions): Placed | null {
  const [pin] = one.mark.pins;
  if (one.look !== 'dot' || pin === undefined) return null;
  const width = Math.max(TARGET * rem, Math.ceil(textWidth(pin.pill)) + PILL_PADDING * rem);
  return { ...one, look: 'pill', width, height: LOW_PILL * rem };
}

const toTarget = (one: Placed, { rem }: LayoutOptions): Placed | null =>
  one.look === 'cluster' ? null : { ...one, width: Math.max(one.width, TARGET * rem), height: TARGET * rem };

const overlap = (one: Placed, other: Placed): boolean =>
  Math.abs(one.x - other.x) < (one.width + other.width) / 2 + GAP &&
  Math.abs(one.y - other.y) < (one.height + other.height) / 2 + GAP;
