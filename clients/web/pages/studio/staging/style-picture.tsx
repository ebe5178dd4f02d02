import type { Style } from '../studio-queries.ts';

/** What a line encloses: its color is that of the theme. */
type Material = 'wall' | 'floor' | 'wood' | 'cloth' | 'plain' | 'green' | 'dark';
type Line = readonly [Material, string];

const FLOOR: Line = ['floor', 'M-2 54h100v12H-2z'];

/** Rooms of 96 by 64, from the back to the front. */
const ROOMS: Readonly<Record<Style, readonly Line[]>> = {
  MODERN: [
    ['plain', 'M28 8h22v14H28z'],
    ['cloth', 'M34 15a4 4 0 1 0 8 0 4 4 0 0 0-8 0z'],
    FLOOR,
    ['wall', 'M84 54V22a12 12 0 0 0-24 0'],
    ['wood', 'M54 26a6 6 0 0 1 12 0z'],
    ['dark', 'M16 32h46v9H16z'],
    ['plain', 'M14 40h64v9H14z'],
    ['wall', 'M20 49v5M72 49v5'],
  ],
  SCANDINAVIAN: [
    ['plain', 'M44 0v7M35 16a9 9 0 0 1 18 0z'],
    FLOOR,
    ['plain', 'M22 26h42v11H22z'],
    ['plain', 'M18 36h50v8H18z'],
    ['cloth', 'M27 28l9-1 1 9-9 1z'],
    ['wall', 'M23 44l-3 11M63 44l3 11'],
    ['green', 'M82 44V28m0 8c-7 0-8-6-8-9 6 0 8 4 8 9zm0-5c7 0 8-6 8-9-6 0-8 4-8 9z'],
    ['wood', 'M76 43h12l-2 12h-8z'],
  ],
  INDUSTRIAL: [
    ['wall', 'M0 9h96M0 18h96M0 27h96M16 0v9M48 0v9M80 0v9M32 9v9M64 9v9M16 18v9M48 18v9M80 18v9'],
    FLOOR,
    ['wood', 'M26 0v14m-4 4a4 4 0 1 0 8 0 4 4 0 0 0-8 0zM70 0v14m-4 4a4 4 0 1 0 8 0 4 4 0 0 0-8 0z'],
    ['dark', 'M20 29h56v9H20z'],
    ['wood', 'M15 36h66v12H15zM48 36v12'],
    ['wall', 'M19 48v7M77 48v7M19 52h58'],
  ],
  FARMHOUSE: [
    ['wall', 'M0 8h96M0 16h96M0 24h96M0 32h96M0 40h96M0 48h96'],
    FLOOR,
    ['wood', 'M66 12h22v42H66zM66 12l22 42M88 12 66 54'],
    ['green', 'M32 28l-4-9M35 28V17M38 28l4-9'],
    ['plain', 'M30 27h10l-1 9h-8z'],
    ['wood', 'M10 36h48v5H10z'],
    ['wall', 'M17 41l8 14M25 41l-8 14M43 41l8 14M51 41l-8 14'],
  ],
  TRADITIONAL: [
    ['wall', 'M6 6h20v26H6zM70 6h20v26H70z'],
    ['wood', 'M36 4h24v16H36zM40 8h16v8H40z'],
    FLOOR,
    ['cloth', 'M24 42V32q24-12 48 0v10z'],
    ['plain', 'M22 40h52v9H22z'],
    ['cloth', 'M14 36a5 5 0 1 1 9 3v11h-7V41a5 5 0 0 1-2-5zM82 36a5 5 0 1 0-9 3v11h7V41a5 5 0 0 0 2-5z'],
    ['wall', 'M20 50v5M76 50v5'],
  ],
  LUXURY: [
    ['wood', 'M48 0v10M33 10h30q-4 11-15 11t-15-11zM38 19v5M48 21v6M58 19v5'],
    FLOOR,
    ['cloth', 'M-2 0h14q2 30-3 54H-2zM98 0H84q-2 30 3 54h11z'],
    ['plain', 'M22 46V34q0-5 5-5h42q5 0 5 5v12z'],
    ['wall', 'M34 35h.01M48 35h.01M62 35h.01M41 40h.01M55 40h.01'],
    ['dark', 'M20 44h56v6H20z'],
    ['wall', 'M25 50v5M71 50v5'],
  ],
};

/** A small drawing of a room in a style; of a style of a later release, only its floor. It says nothing alone: the style's name is next to it. */
export function StylePicture({ style }: { readonly style: Style }) {
  return (
    <svg className="style-picture" viewBox="0 0 96 64" aria-hidden="true">
      {(ROOMS[style] ?? [FLOOR]).map(([material, line]) => (
        <path key={line} className={`style-${material}`} d={line} />
      ))}
    </svg>
  );
}
