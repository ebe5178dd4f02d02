import { keptForTab, readJson } from '../site/keeper.ts';

/** Which photo of a card was shown last, for this tab: Back leads to it. The latest 50 homes. */
const KEY = 'card-photos';
const MOST = 50;

type Shown = readonly [propertyId: string, index: number];

const isShown = (one: unknown): one is Shown =>
  Array.isArray(one) && typeof one[0] === 'string' && Number.isInteger(one[1]) && one[1] > 0;

function shownPhotos(): readonly Shown[] {
  const list = readJson(keptForTab, KEY);
  return Array.isArray(list) ? list.filter(isShown) : [];
}

/** 0 for the first one. */
export const keptPhoto = (propertyId: string): number =>
  shownPhotos().find(([id]) => id === propertyId)?.[1] ?? 0;

export function keepPhoto(propertyId: string, index: number): void {
  const others = shownPhotos().filter(([id]) => id !== propertyId);
  const list = index === 0 ? others : [[propertyId, index], ...others];
  keptForTab.setItem(KEY, JSON.stringify(list.slice(0, MOST)));
}
