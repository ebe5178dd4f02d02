export const STYLES = ['MODERN', 'SCANDINAVIAN', 'INDUSTRIAL', 'FARMHOUSE', 'TRADITIONAL', 'LUXURY'] as const;
export type Style = (typeof STYLES)[number];

/** The colors of a style. */
export interface Palette {
  readonly wood: string;
  readonly fabric: string;
  readonly second: string;
  readonly accent: string;
  readonly metal: string;
  readonly rug: string;
}

export const PALETTES: Readonly<Record<Style, Palette>> = {
  MODERN: {
    wood: '#8a6a4c',
    fabric: '#8d949b',
    second: '#c9a45c',
    accent: '#2f5d62',
    metal: '#3c3f44',
    rug: '#e5e0d6',
  },
  SCANDINAVIAN: {
    wood: '#d0ae84',
    fabric: '#d9d8d1',
    second: '#a9b8a6',
    accent: '#c98e6b',
    metal: '#8d8577',
    rug: '#f1ece2',
  },
  INDUSTRIAL: {
    wood: '#7b5334',
    fabric: '#8b5a3c',
    second: '#5d6063',
    accent: '#b7763c',
    metal: '#2e2f31',
    rug: '#b5aca0',
  },
  FARMHOUSE: {
    wood: '#b08d62',
    fabric: '#e6dfd0',
    second: '#7d93a3',
    accent: '#566b55',
    metal: '#3d3a36',
    rug: '#e9dfcc',
  },
  TRADITIONAL: {
    wood: '#6d4329',
    fabric: '#a4503f',
    second: '#d8c39a',
    accent: '#2f4a3d',
    metal: '#a98743',
    rug: '#c8a27c',
  },
  LUXURY: {
    wood: '#4b3a31',
    fabric: '#e3ddd2',
    second: '#31406a',
    accent: '#b08d57',
    metal: '#c4a15a',
    rug: '#d9d5d0',
  },
};
