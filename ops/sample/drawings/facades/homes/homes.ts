import type { Scene } from '../parts/scene.ts';
import { bungalow } from './bungalow.ts';
import { colonial } from './colonial.ts';
import { condo } from './condo.ts';
import { craftsman } from './craftsman.ts';
import { farmhouse } from './farmhouse.ts';
import { midcentury } from './midcentury.ts';
import { modern } from './modern.ts';
import { ranch } from './ranch.ts';
import { spanish } from './spanish.ts';
import { townhouse } from './townhouse.ts';
import { tudor } from './tudor.ts';
import { victorian } from './victorian.ts';

/** By its style, in an order that gives each its seed. */
export const HOMES = {
  CRAFTSMAN: craftsman,
  BUNGALOW: bungalow,
  MIDCENTURY: midcentury,
  MODERN: modern,
  TUDOR: tudor,
  COLONIAL: colonial,
  TOWNHOUSE: townhouse,
  CONDO: condo,
  VICTORIAN: victorian,
  RANCH: ranch,
  FARMHOUSE: farmhouse,
  SPANISH: spanish,
} satisfies Readonly<Record<string, (scene: Scene) => void>>;

export type FacadeStyle = keyof typeof HOMES;
export const FACADES = Object.keys(HOMES) as FacadeStyle[];
