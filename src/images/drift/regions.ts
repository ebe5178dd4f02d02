/** Pixels that touch each other by their sides, as indices. */
export type Region = Int32Array;

/**
 * The connected regions of a picture, in the order of their first pixel.
 * @param isPart whether a pixel belongs to any region
 * @param joins whether two such neighbors belong together
 * @param least smaller regions are left out
 */
export function regionsOf(
  { width, height }: { width: number; height: number },
  isPart: (at: number) => boolean,
  { least, joins = () => true }: { least: number; joins?: (at: number, next: number) => boolean },
): Region[] {
  const count = width * height;
  const seen = new Uint8Array(count);
  const stack = new Int32Array(count);
  const members = new Int32Array(count);
  const regions: Region[] = [];
  for (let first = 0; first < count; first++) {
    if (seen[first] === 1 || !isPart(first)) continue;
    let [waiting, size] = [0, 0];
    const take = (at: number) => {
      seen[at] = 1;
      stack[waiting++] = at;
    };
    const offer = (at: number, next: number) => {
      if (seen[next] === 0 && isPart(next) && joins(at, next)) take(next);
    };
    take(first);
    while (waiting > 0) {
      const at = stack[--waiting]!;
      members[size++] = at;
      const x = at % width;
      if (x > 0) offer(at, at - 1);
      if (x < width - 1) offer(at, at + 1);
      if (at >= width) offer(at, at - width);
      if (at < count - width) offer(at, at + width);
    }
    if (size >= least) regions.push(members.slice(0, size));
  }
  return regions;
}

/** The rectangle around a region, in pixels; `right` and `bottom` are the last column and row. */
export function boundsOf(region: Region, width: number) {
  let [left, top, right, bottom] = [width, Number.MAX_SAFE_INTEGER, 0, 0];
  for (const at of region) {
    const [x, y] = [at % width, Math.floor(at / width)];
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  return { left, top, right, bottom };
}

/** Whether any neighbor by a side is outside of what `isPart` accepts. */
export function isRim(
  at: number,
  { width, height }: { width: number; height: number },
  isPart: (at: number) => boolean,
) {
  const x = at % width;
  return (
    (x > 0 && !isPart(at - 1)) ||
    (x < width - 1 && !isPart(at + 1)) ||
    (at >= width && !isPart(at - width)) ||
    (at < width * (height - 1) && !isPart(at + width))
  );
}

/** The mean row of a region, in pixels. */
export function middleRow(region: Region, width: number): number {
  return region.reduce((sum, at) => sum + Math.floor(at / width), 0) / region.length;
}

/** A floor reaches the lowest part of the picture, and most of it lies below the middle. */
const FLOOR = { bottom: 0.9, middle: 0.6 };

export function isFloor(region: Region, { width, height }: { width: number; height: number }): boolean {
  const { bottom } = boundsOf(region, width);
  return bottom >= FLOOR.bottom * height && middleRow(region, width) >= FLOOR.middle * height;
}
