import { type Canvas, mix } from '../../canvas.ts';

export interface Colors {
  readonly wall: string;
  readonly trim: string;
  readonly roof: string;
  readonly door: string;
  readonly stone: string;
}

export interface Scene extends Colors {
  readonly canvas: Canvas;
  readonly chance: () => number;
  readonly evening: boolean;
}

/** Where the home meets the garden. */
export const GROUND = 800;

/** A color by day; in the evening, with a share of the night's. */
export const dimmed = (
  { evening }: Pick<Scene, 'evening'>,
  color: string,
  night: string,
  share: number,
): string => (evening ? mix(color, night, share) : color);
