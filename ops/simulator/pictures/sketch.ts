import {
  type Camera,
  EYE_HEIGHT_M,
  lateral,
  level,
  type Point2,
  type Point3,
  type Range,
  upright,
} from './camera.ts';
import { shade } from './colours.ts';

/** An upright box in metres: left to right, bottom to top, near to far. */
export interface Box {
  x: Range;
  y: Range;
  z: Range;
}

/** A standing, possibly tapering cylinder; radii at the bottom and at the top. */
export interface Drum {
  x: number;
  z: number;
  y: Range;
  radius: Range;
}

/** How much light a face gets, from one edge to the other: one lamp above, a little to the left. */
const FRONT = [1.02, 0.82] as const;
const TOP = [1.2, 1.12] as const;
const LEFT = [0.86, 0.73] as const;
const RIGHT = [0.66, 0.56] as const;

/** Draws solid things as SVG fragments in the camera's perspective and collects the definitions they refer to. */
export class Sketch {
  readonly camera: Camera;
  readonly #definitions: string[] = [];

  constructor(camera: Camera) {
    this.camera = camera;
  }

  /** A complete document around what was drawn. */
  document(body: string): string {
    const { width, height } = this.camera;
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><defs>${this.#definitions.join('')}</defs>${body}</svg>`;
  }

  polygon(points: readonly Point3[], fill: string, extra = ''): string {
    const path = points.map((point) => pair(this.camera.project(point))).join(' ');
    return `<polygon points="${path}" fill="${fill}" ${extra}/>`;
  }

  /** A fill that runs from one color to the other; returns its `url(#...)`. */
  gradient(from: string, to: string, direction: 'down' | 'right' = 'down'): string {
    const end = direction === 'down' ? 'x2="0" y2="1"' : 'x2="1" y2="0"';
    return this.#define('linearGradient', `x1="0" y1="0" ${end}`, stop(0, from) + stop(1, to));
  }

  bar(from: Point3, to: Point3, look: { width: number; colour: string }): string {
    const [a, b] = [this.camera.project(from), this.camera.project(to)];
    const width = Math.max(1, look.width * this.camera.scaleAt((from[2] + to[2]) / 2));
    return `<line x1="${n(a[0])}" y1="${n(a[1])}" x2="${n(b[0])}" y2="${n(b[1])}" stroke="${look.colour}" stroke-width="${n(width)}" stroke-linecap="round"/>`;
  }

  /** The faces that the eye sees; edges and corners rounded by `roundM` metres. */
  box({ x, y, z }: Box, colour: string, roundM = 0.015): string {
    const inset = roundM / 2;
    const [left, right, bottom, top] = [x[0] + inset, x[1] - inset, y[0] + inset, y[1] - inset];
    const [near, far] = [z[0] + inset, z[1] - inset];
    const width = n(roundM * this.camera.scaleAt(near));
    const face = (light: Range, points: Point3[]) => {
      const fill = this.gradient(shade(colour, light[0]), shade(colour, light[1]));
      return this.polygon(points, fill, `stroke="${fill}" stroke-width="${width}" stroke-linejoin="round"`);
    };
    const side = (at: number): Point3[] => lateral(at, [bottom, top], [near, far]);
    const lid: Point3[] = level([left, right], top, [near, far]);
    const front: Point3[] = upright([left, right], [bottom, top], near);
    return [
      left > 0 ? face(LEFT, side(left)) : '',
      right < 0 ? face(RIGHT, side(right)) : '',
      top < EYE_HEIGHT_M ? face(TOP, lid) : '',
      face(FRONT, front),
    ].join('');
  }

  drum({ x, z, y, radius }: Drum, colour: string): string {
    const low = this.#ring({ x, z, y: y[0], radius: radius[0] });
    const high = this.#ring({ x, z, y: y[1], radius: radius[1] });
    const round = stop(0, shade(colour, 0.82)) + stop(0.35, shade(colour, 1.1)) + stop(1, shade(colour, 0.6));
    const fill = this.#define('linearGradient', '', round);
    const foot = `M${n(low.u - low.rx)} ${n(low.v)} A${n(low.rx)} ${n(low.ry)} 0 0 0 ${n(low.u + low.rx)} ${n(low.v)}`;
    const rim = `L${n(high.u + high.rx)} ${n(high.v)} A${n(high.rx)} ${n(high.ry)} 0 0 0 ${n(high.u - high.rx)} ${n(high.v)}`;
    const wall = `<path d="${foot} ${rim} Z" fill="${fill}"/>`;
    if (y[1] >= EYE_HEIGHT_M) return wall;
    const light = this.gradient(shade(colour, 1.2), shade(colour, 1.08));
    return `${wall}<ellipse cx="${n(high.u)}" cy="${n(high.v)}" rx="${n(high.rx)}" ry="${n(high.ry)}" fill="${light}"/>`;
  }

  /** Light around a lamp; `strength` 0 to 1 in its middle. */
  glow(
    at: Point3,
    { radius, colour, strength }: { radius: number; colour: string; strength: number },
  ): string {
    const fading = stop(0, colour, strength) + stop(1, colour, 0);
    const fill = this.#define('radialGradient', '', fading);
    const [u, v] = this.camera.project(at);
    return `<circle cx="${n(u)}" cy="${n(v)}" r="${n(radius * this.camera.scaleAt(at[2]))}" fill="${fill}"/>`;
  }

  /** A filter that blurs by that many pixels; returns its `url(#...)`. */
  blur(pixels: number): string {
    const region = 'x="-40%" y="-60%" width="180%" height="220%"';
    return this.#define('filter', region, `<feGaussianBlur stdDeviation="${n(pixels)}"/>`);
  }

  /** A clip to a polygon on the picture; returns its `url(#...)`. */
  clip(corners: readonly Point2[]): string {
    return this.#define('clipPath', '', `<polygon points="${corners.map(pair).join(' ')}"/>`);
  }

  /** Soft contact shadow on the floor under a rectangle. */
  shadow(x: Range, z: Range, strength = 0.5): string {
    const scale = this.camera.scaleAt((z[0] + z[1]) / 2);
    const patch = (grow: number, opacity: number) => {
      const [left, right, near, far] = [x[0] - grow, x[1] + grow * 2, z[0] - grow, z[1] + grow];
      const points: Point3[] = level([left, right], 0, [near, far]);
      const filter = this.blur((grow + 0.02) * scale);
      return this.polygon(points, '#000000', `opacity="${opacity}" filter="${filter}"`);
    };
    return patch(0.12, strength * 0.5) + patch(0.02, strength);
  }

  /** A level circle as it appears on the picture. */
  #ring({ x, z, y, radius }: { x: number; z: number; y: number; radius: number }) {
    const [u, v] = this.camera.project([x, y, z]);
    const rx = radius * this.camera.scaleAt(z);
    return { u, v, rx, ry: (rx * Math.abs(EYE_HEIGHT_M - y)) / z };
  }

  #define(element: string, attributes: string, content: string): string {
    const id = `d${this.#definitions.length}`;
    this.#definitions.push(`<${element} id="${id}" ${attributes}>${content}</${element}>`);
    return `url(#${id})`;
  }
}

function stop(offset: number, colour: string, opacity = 1): string {
  return `<stop offset="${offset}" stop-color="${colour}" stop-opacity="${opacity}"/>`;
}

/** A coordinate as it is written into SVG. */
export function n(value: number): string {
  return value.toFixed(1);
}

function pair([u, v]: Point2): string {
  return `${n(u)},${n(v)}`;
}
