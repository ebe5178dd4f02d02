import { chanceOf, createCanvas } from '../canvas.ts';
import { FACADES, type FacadeStyle, HOMES } from './homes/homes.ts';
import { garden, homeShadow } from './parts/garden.ts';
import { type Colors, dimmed, GROUND, type Scene } from './parts/scene.ts';
import { backdrop, sky } from './parts/sky.ts';
import { bush, conifer, tree } from './parts/trees.ts';

const COLORS: readonly Colors[] = [
  { wall: '#5f7a6d', trim: '#f3eee0', roof: '#4a4540', door: '#b5532f', stone: '#9a8c7c' },
  { wall: '#c7b58f', trim: '#faf6ec', roof: '#5c4a3f', door: '#2d5a5c', stone: '#a08f83' },
  { wall: '#6b859b', trim: '#f6f4ee', roof: '#43474d', door: '#d9a441', stone: '#8f8c88' },
  { wall: '#e8e1d3', trim: '#ffffff', roof: '#6d5548', door: '#7a2f2b', stone: '#b09c86' },
  { wall: '#9c5f4b', trim: '#f2e7d5', roof: '#3f3a38', door: '#2c3f35', stone: '#7f6f64' },
];
export const COLOR_COUNT = COLORS.length;

interface FacadeDrawing {
  readonly style: FacadeStyle;
  /** Of `COLOR_COUNT`. */
  readonly colors: number;
  readonly evening: boolean;
}

/** The front of a home, its garden and the sky as SVG. */
export function drawFacade({ style, colors: index, evening }: FacadeDrawing): string {
  const canvas = createCanvas();
  const colors = COLORS[index % COLORS.length] ?? COLORS[0];
  if (colors === undefined) throw new Error('no colors');
  const dusk = (color: string) => dimmed({ evening }, color, '#2a3157', 0.42);
  const scene: Scene = {
    canvas,
    chance: chanceOf(FACADES.indexOf(style) * 31 + index),
    evening,
    wall: dusk(colors.wall),
    trim: dusk(colors.trim),
    roof: dusk(colors.roof),
    door: dusk(colors.door),
    stone: dusk(colors.stone),
  };
  sky(scene);
  backdrop(scene);
  garden(scene);
  homeShadow(scene);
  HOMES[style](scene);
  foreground(scene, style);
  // Nearer than it was drawn, so that the home is what one sees.
  return canvas.svg([96, 50, 1344, 896]);
}

/** Shrubs at the walls and two trees in front. */
function foreground(scene: Scene, style: FacadeStyle): void {
  const { chance } = scene;
  const flowers = ['#e7a5b5', '#f2d16b', '#ffffff', '#b79ad6'];
  const isWide = style === 'TOWNHOUSE';
  const places = isWide ? [212, 1330] : [236, 300, 372, 1180, 1252, 1320];
  for (const x of places)
    bush(
      scene,
      x + (chance() - 0.5) * 30,
      GROUND + 14,
      40 + chance() * 26,
      chance() > 0.4 ? (flowers[Math.floor(chance() * 4)] ?? null) : null,
    );
  if (style === 'CONDO' || isWide) {
    tree(scene, 140, 905, 330);
    tree(scene, 1420, 905, 300);
    return;
  }
  if (chance() > 0.5) tree(scene, 130, 900, 420);
  else conifer(scene, 120, 900, 560);
  tree(scene, 1436, 912, 360);
  bush(scene, 60, 930, 70, '#f2d16b');
  bush(scene, 1490, 932, 64, '#e7a5b5');
}
