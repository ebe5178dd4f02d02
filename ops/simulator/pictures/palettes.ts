import type { CanonicalStyle } from '../../../machines/vocabulary.ts';
import type { Range } from './camera.ts';
import type { Sketch } from './sketch.ts';

/** The colors and the light of one style. Colors `#rrggbb`. */
export interface Palette {
  fabric: string;
  fabricLight: string;
  wood: string;
  metal: string;
  accent: string;
  accentDeep: string;
  rug: string;
  rugLine: string;
  pot: string;
  leaf: string;
  tabletop: string;
  shade: string;
  /** The changes to the photo itself. */
  tone: { brightness: number; saturation: number; tint: readonly [r: number, g: number, b: number] };
}

/** The styles of the prompt (docs/contract.md#rooms-and-styles), as colors. */
export const PALETTES: Record<CanonicalStyle, Palette> = {
  MODERN: {
    fabric: '#8f8a84',
    fabricLight: '#e8e2d8',
    wood: '#5b4637',
    metal: '#26272a',
    accent: '#d0a04a',
    accentDeep: '#2d3238',
    rug: '#d4cec4',
    rugLine: '#b3aba0',
    pot: '#2f3235',
    leaf: '#4d6b45',
    tabletop: '#3a302a',
    shade: '#f4ead6',
    tone: { brightness: 1.03, saturation: 0.9, tint: [1.0, 1.0, 1.0] },
  },
  SCANDINAVIAN: {
    fabric: '#d8d2c6',
    fabricLight: '#f3efe6',
    wood: '#cfa574',
    metal: '#e9e4da',
    accent: '#8fa79b',
    accentDeep: '#5f7a80',
    rug: '#ece6da',
    rugLine: '#cfc6b4',
    pot: '#f0ece4',
    leaf: '#5d8a56',
    tabletop: '#d9b486',
    shade: '#fbf4e4',
    tone: { brightness: 1.08, saturation: 0.92, tint: [1.0, 1.01, 1.03] },
  },
  INDUSTRIAL: {
    fabric: '#8b5533',
    fabricLight: '#b9ada0',
    wood: '#6f4c33',
    metal: '#232324',
    accent: '#b0532c',
    accentDeep: '#3b3f42',
    rug: '#8a5b48',
    rugLine: '#3a2f2c',
    pot: '#4a4a4a',
    leaf: '#48603c',
    tabletop: '#7d573a',
    shade: '#2c2c2d',
    tone: { brightness: 0.95, saturation: 0.85, tint: [1.03, 1.0, 0.95] },
  },
  FARMHOUSE: {
    fabric: '#e6dfce',
    fabricLight: '#f6f1e5',
    wood: '#a37b52',
    metal: '#54483c',
    accent: '#7690a3',
    accentDeep: '#4f6a58',
    rug: '#c9ae80',
    rugLine: '#a98d60',
    pot: '#b99566',
    leaf: '#6c8a52',
    tabletop: '#b48a5e',
    shade: '#f5ecd8',
    tone: { brightness: 1.04, saturation: 1.0, tint: [1.03, 1.01, 0.96] },
  },
  TRADITIONAL: {
    fabric: '#46587a',
    fabricLight: '#e9dec7',
    wood: '#6d3f25',
    metal: '#a88648',
    accent: '#9d3d36',
    accentDeep: '#3d5142',
    rug: '#8b3531',
    rugLine: '#dcc493',
    pot: '#e6e0d4',
    leaf: '#46683f',
    tabletop: '#75442a',
    shade: '#f3e3bf',
    tone: { brightness: 1.0, saturation: 1.06, tint: [1.03, 1.0, 0.96] },
  },
  LUXURY: {
    fabric: '#1f5a50',
    fabricLight: '#efe7da',
    wood: '#33281f',
    metal: '#c8a24f',
    accent: '#c69a45',
    accentDeep: '#5d2f46',
    rug: '#e4dacb',
    rugLine: '#c3a566',
    pot: '#c8a24f',
    leaf: '#3f6a49',
    tabletop: '#f0ece6',
    shade: '#fbf0d6',
    tone: { brightness: 1.02, saturation: 1.05, tint: [1.02, 1.0, 0.98] },
  },
};

/** One thing that stands in the room. Things are drawn from the farthest to the nearest. */
export interface Piece {
  /** Distance of its near side from the eye, in metres. */
  depth: number;
  /** Where its shadow falls; null for what lies flat or hangs. */
  footprint: { x: Range; z: Range } | null;
  draw(sketch: Sketch, palette: Palette): string;
}
