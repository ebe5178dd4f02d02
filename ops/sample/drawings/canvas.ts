/** The size of every picture: the shape of most photos, and one that the image models take whole. */
export const WIDTH = 1536;
export const HEIGHT = 1024;

export type Point = readonly [x: number, y: number];
/** An offset from 0 to 1, a color, and an opacity. */
type Stop = readonly [at: number, color: string, opacity?: number];

/** The marks of one picture, from the farthest to the nearest. */
export interface Canvas {
  add(...marks: readonly string[]): void;
  /** From the top to the bottom of what it fills, or along another way. */
  linear(stops: readonly Stop[], way?: readonly [x1: number, y1: number, x2: number, y2: number]): string;
  /** From the middle to the edge of what it fills. */
  radial(stops: readonly Stop[]): string;
  /** @param view the part that is shown, when it is not all of it */
  svg(view?: readonly [x: number, y: number, width: number, height: number]): string;
}

export function createCanvas(): Canvas {
  const defs: string[] = [];
  const marks: string[] = [];
  const define = (make: (id: string) => string): string => {
    const id = `g${defs.length}`;
    defs.push(make(id));
    return `url(#${id})`;
  };
  return {
    add: (...more) => void marks.push(...more),
    linear: (stops, [x1, y1, x2, y2] = [0, 0, 0, 1]) =>
      define(
        (id) =>
          `<linearGradient id="${id}" x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}">${stopsOf(stops)}</linearGradient>`,
      ),
    radial: (stops) => define((id) => `<radialGradient id="${id}">${stopsOf(stops)}</radialGradient>`),
    svg: (view = [0, 0, WIDTH, HEIGHT]) =>
      `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="${view.join(' ')}">` +
      `<defs>${defs.join('')}</defs>${marks.join('')}</svg>`,
  };
}

const stopsOf = (stops: readonly Stop[]): string =>
  stops
    .map(
      ([at, color, opacity = 1]) => `<stop offset="${at}" stop-color="${color}" stop-opacity="${opacity}"/>`,
    )
    .join('');

const round = (value: number): number => Math.round(value * 10) / 10;

export interface Look {
  readonly fill?: string;
  readonly opacity?: number;
  readonly stroke?: string;
  /** Its width; corners are round. */
  readonly line?: number;
}

const lookOf = ({ fill = 'none', opacity = 1, stroke, line = 1 }: Look): string =>
  `fill="${fill}"${opacity === 1 ? '' : ` opacity="${opacity}"`}` +
  (stroke === undefined
    ? ''
    : ` stroke="${stroke}" stroke-width="${round(line)}" stroke-linejoin="round" stroke-linecap="round"`);

export const polygon = (points: readonly Point[], look: Look): string =>
  `<polygon points="${points.map(([x, y]) => `${round(x)},${round(y)}`).join(' ')}" ${lookOf(look)}/>`;

export const path = (d: string, look: Look): string => `<path d="${d}" ${lookOf(look)}/>`;

export const line = ([x1, y1]: Point, [x2, y2]: Point, look: Look): string =>
  `<path d="M${round(x1)} ${round(y1)}L${round(x2)} ${round(y2)}" ${lookOf(look)}/>`;

export const rect = (
  x: number,
  y: number,
  width: number,
  height: number,
  look: Look & { corner?: number },
): string =>
  `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}"${
    look.corner === undefined ? '' : ` rx="${round(look.corner)}"`
  } ${lookOf(look)}/>`;

export const ellipse = (cx: number, cy: number, rx: number, ry: number, look: Look): string =>
  `<ellipse cx="${round(cx)}" cy="${round(cy)}" rx="${round(rx)}" ry="${round(ry)}" ${lookOf(look)}/>`;

/** Between two colors `#rrggbb`. */
export function mix(from: string, to: string, share: number): string {
  const part = (color: string, index: number) =>
    Number.parseInt(color.slice(1 + index * 2, 3 + index * 2), 16);
  return `#${[0, 1, 2]
    .map((index) => Math.round(part(from, index) * (1 - share) + part(to, index) * share))
    .map((value) => value.toString(16).padStart(2, '0'))
    .join('')}`;
}

export const lighter = (color: string, share: number): string => mix(color, '#fffdf6', share);
export const darker = (color: string, share: number): string => mix(color, '#191410', share);

/** Random numbers in [0, 1), the same for the same seed. */
export function chanceOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
