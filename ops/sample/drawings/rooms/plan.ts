import type { Palette } from '../furniture/palettes.ts';
import { curtains } from '../furniture/textiles.ts';
import type { Opening } from '../space/openings.ts';
import type { Space } from '../space/projection.ts';
import type { RoomLook } from './looks.ts';

export interface Staging {
  readonly windows: readonly Opening[];
  readonly index: number;
}

/** A kind of room: its windows, what is built in, and what staging adds. */
export interface Plan {
  openings(index: number): Opening[];
  draw(space: Space, look: RoomLook, index: number): void;
  stage(space: Space, palette: Palette, staging: Staging): void;
}

/** How high most windows are. */
export const TALL = { bottom: 0.55, top: 2.4 } as const;

/** Two, on a wall at the side. */
export const sideWindows = (wall: 'left' | 'right', panes: readonly [number, number]): Opening[] => [
  { wall, from: 4.75, to: 5.7, ...TALL, panes },
  { wall, from: 3.35, to: 4.3, ...TALL, panes },
];

export function hangCurtains(space: Space, { windows }: Staging, color: string): void {
  for (const { wall, from, to, top } of windows)
    if (wall === 'back') curtains(space, wall, [from, to, top], color);
}
