import { COMMUTE_MODES, type CommuteMode } from '../../../machines/vocabulary.ts';
import type { Keeper } from '../site/keeper.ts';
import { COMMUTE_PLACE, type KeptEntry, keepList, keptList } from './kept-of-person.ts';

/** Where a person wants to get to from a home, and how. It is kept on this device only. */
export interface CommutePlace {
  readonly latitude: number;
  readonly longitude: number;
  readonly label: string;
  readonly mode: CommuteMode;
}

/** The place that this person chose last on this device; null for none. */
export function commutePlace(keeper: Pick<Keeper, 'getItem'>, personId: string | null): CommutePlace | null {
  const own = keptList(keeper, COMMUTE_PLACE).find((one) => one.personId === personId);
  return own !== undefined && isPlace(own) ? own : null;
}

export function keepCommutePlace(keeper: Keeper, personId: string | null, place: CommutePlace): void {
  const others = keptList(keeper, COMMUTE_PLACE).filter((one) => one.personId !== personId);
  keepList(keeper, COMMUTE_PLACE, [{ personId, ...place }, ...others].slice(0, 2));
}

const isPlace = (entry: KeptEntry): entry is KeptEntry & CommutePlace =>
  typeof entry.label === 'string' &&
  isWithin(entry.latitude, 90) &&
  isWithin(entry.longitude, 180) &&
  COMMUTE_MODES.some((mode) => mode === entry.mode);

const isWithin = (value: unknown, most: number): boolean =>
  typeof value === 'number' && Math.abs(value) <= most;
