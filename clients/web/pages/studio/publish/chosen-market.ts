import { CHOSEN_MARKETS, type KeptEntry, keepList, keptList } from '../../../session/kept-of-person.ts';
import type { Keeper } from '../../../site/keeper.ts';

interface ChosenMarket {
  readonly personId: string;
  /** Null for listings without one. */
  readonly stateOrProvince: string | null;
  readonly market: string;
}
type Place = Pick<ChosenMarket, 'personId' | 'stateOrProvince'>;

const MOST = 20;

const marketsOf = (keeper: Pick<Keeper, 'getItem'>, person: string): readonly ChosenMarket[] =>
  keptList(keeper, CHOSEN_MARKETS).filter(
    (one): one is KeptEntry & ChosenMarket => one.personId === person && typeof one.market === 'string',
  );

/** The market that a person chose last for a listing of that state at this browser; null before. */
export const chosenMarket = (
  keeper: Pick<Keeper, 'getItem'>,
  { personId, stateOrProvince }: Place,
): string | null =>
  marketsOf(keeper, personId).find((one) => one.stateOrProvince === stateOrProvince)?.market ?? null;

/** @param market null for the one of the address */
export function rememberMarket(
  keeper: Keeper,
  { personId, stateOrProvince }: Place,
  market: string | null,
): void {
  const others = marketsOf(keeper, personId).filter((one) => one.stateOrProvince !== stateOrProvince);
  const chosen = market === null ? [] : [{ personId, stateOrProvince, market }];
  keepList(keeper, CHOSEN_MARKETS, [...chosen, ...others].slice(0, MOST));
}
