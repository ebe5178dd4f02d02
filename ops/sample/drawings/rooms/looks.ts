import type { Floor } from '../space/floors.ts';
import type { Shell } from '../space/shell.ts';

export interface RoomLook extends Omit<Shell, 'light'> {
  /** Of cabinets and built-in things. */
  readonly cabinet: string;
  readonly stone: string;
}

const OAK: Floor = { kind: 'planks', color: '#c79f6d' };
const WALNUT: Floor = { kind: 'planks', color: '#8d5f3e' };
const ASH: Floor = { kind: 'planks', color: '#d8c3a2' };
const PARQUET: Floor = { kind: 'herringbone', color: '#b98a59' };

/** What differs between the homes. */
export const LOOKS: readonly RoomLook[] = [
  { wall: '#efe9dc', trim: '#fbf8f2', floor: OAK, cabinet: '#e9e6de', stone: '#d7d3cb' },
  {
    wall: '#dfe5df',
    accent: '#9fb3a3',
    trim: '#f7f6f0',
    floor: WALNUT,
    cabinet: '#6f8577',
    stone: '#efece4',
  },
  {
    wall: '#f3efe8',
    trim: '#ffffff',
    floor: PARQUET,
    molding: 'panels',
    cabinet: '#394a5a',
    stone: '#f2efe9',
  },
  { wall: '#e6dccb', trim: '#f4ecdd', floor: ASH, molding: 'wainscot', cabinet: '#d9c7a8', stone: '#b9b2a6' },
  { wall: '#e4e9ee', accent: '#7f97ab', trim: '#fafbfb', floor: OAK, cabinet: '#f5f4f0', stone: '#3e4246' },
  {
    wall: '#eadfd6',
    accent: '#c58f76',
    trim: '#faf5ee',
    floor: WALNUT,
    cabinet: '#a9785a',
    stone: '#e8e0d5',
  },
];
export const LOOK_COUNT = LOOKS.length;
