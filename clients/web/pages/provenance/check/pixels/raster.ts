/** A small picture: its colors, and its brightness. */
export interface Raster {
  readonly width: number;
  readonly height: number;
  /** Three values a pixel; NaN where nothing is known. */
  readonly colors: Float32Array;
  readonly gray: Float32Array;
}

const GRAY = [0.299, 0.587, 0.114] as const;

/** @param pixels with so many values each; what is more than three is left out */
export function rasterOf(
  pixels: ArrayLike<number>,
  { width, height, values }: { width: number; height: number; values: number },
): Raster {
  const colors = new Float32Array(width * height * 3);
  const gray = new Float32Array(width * height);
  for (let at = 0; at < gray.length; at += 1)
    for (const [channel, weight] of GRAY.entries()) {
      const value = pixels[at * values + channel] ?? 0;
      colors[at * 3 + channel] = value;
      gray[at] = (gray[at] ?? 0) + weight * value;
    }
  return { width, height, colors, gray };
}

/** One value a pixel. */
export interface Plane {
  readonly width: number;
  readonly height: number;
  readonly values: Float32Array;
}

/** The value between pixels; NaN outside. */
export function sampled({ width, height, values }: Plane, x: number, y: number): number {
  if (!(x >= 0 && y >= 0 && x <= width - 1 && y <= height - 1)) return Number.NaN;
  const left = Math.min(Math.floor(x), width - 2);
  const top = Math.min(Math.floor(y), height - 2);
  const [right, below] = [x - left, y - top];
  const at = top * width + left;
  const [a = 0, b = 0, c = 0, d = 0] = [
    values[at],
    values[at + 1],
    values[at + width],
    values[at + width + 1],
  ];
  return (a * (1 - right) + b * right) * (1 - below) + (c * (1 - right) + d * right) * below;
}

/** A plane in another size: each new pixel is the mean of what lies under it. */
export function resized(plane: Plane, width: number, height: number): Plane {
  const across = averaged(plane, width);
  return transposed(averaged(transposed(across), height));
}

function averaged({ width, height, values }: Plane, wanted: number): Plane {
  const result = new Float32Array(wanted * height);
  const step = width / wanted;
  for (let x = 0; x < wanted; x += 1) {
    const [from, to] = [x * step, Math.min(width, (x + 1) * step)];
    for (let y = 0; y < height; y += 1) {
      let sum = 0;
      for (let at = Math.floor(from); at < to; at += 1)
        sum += (values[y * width + at] ?? 0) * (Math.min(to, at + 1) - Math.max(from, at));
      result[y * wanted + x] = sum / (to - from);
    }
  }
  return { width: wanted, height, values: result };
}

function transposed({ width, height, values }: Plane): Plane {
  const result = new Float32Array(values.length);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) result[x * height + y] = values[y * width + x] ?? 0;
  return { width: height, height: width, values: result };
}

/** How far around a pixel its light is measured, and a spread that counts as none. */
const AROUND = 6;
const LEAST_SPREAD = 4;

/** Minus the mean around each pixel, through the spread around it: tint and light fall out, structure remains. */
export function normalized(plane: Plane): Plane {
  const mean = blurred(plane).values;
  const squares = blurred({ ...plane, values: plane.values.map((value) => value * value) }).values;
  const values = plane.values.map((value, at) => {
    const middle = mean[at] ?? 0;
    const spread = Math.sqrt(Math.max(0, (squares[at] ?? 0) - middle * middle));
    return (value - middle) / (spread + LEAST_SPREAD);
  });
  return { ...plane, values };
}

const blurred = (plane: Plane): Plane => transposed(blurredRows(transposed(blurredRows(plane))));

function blurredRows({ width, height, values }: Plane): Plane {
  const result = new Float32Array(values.length);
  for (let y = 0; y < height; y += 1) {
    const row = y * width;
    let [sum, count] = [0, 0];
    for (let x = -AROUND; x < width; x += 1) {
      const [enters, leaves] = [x + AROUND, x - AROUND - 1];
      if (enters < width) {
        sum += values[row + enters] ?? 0;
        count += 1;
      }
      if (leaves >= 0) {
        sum -= values[row + leaves] ?? 0;
        count -= 1;
      }
      if (x >= 0) result[row + x] = sum / count;
    }
  }
  return { width, height, values: result };
}

/** A picture with fewer pixels. */
export function shrunk(picture: Raster, factor: number): Raster {
  const [width, height] = [picture.width, picture.height].map((side) =>
    Math.max(8, Math.round(side / factor)),
  );
  const size = { width: width ?? 8, height: height ?? 8 };
  const pixels = new Float32Array(size.width * size.height * 3);
  for (const channel of [0, 1, 2]) {
    const plane = resized(channelOf(picture, channel), size.width, size.height);
    for (const [at, value] of plane.values.entries()) pixels[at * 3 + channel] = value;
  }
  return rasterOf(pixels, { ...size, values: 3 });
}

/** One color of a picture. */
export const channelOf = ({ width, height, colors }: Raster, channel: number): Plane => ({
  width,
  height,
  values: colors.filter((_, at) => at % 3 === channel),
});

/** The same picture, seen in a mirror. */
export function mirrored({ width, height, colors }: Raster): Raster {
  const pixels = new Float32Array(colors.length);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      for (let channel = 0; channel < 3; channel += 1)
        pixels[(y * width + x) * 3 + channel] = colors[(y * width + width - 1 - x) * 3 + channel] ?? 0;
  return rasterOf(pixels, { width, height, values: 3 });
}
