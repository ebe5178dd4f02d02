import { type Keeper, readJson } from '../../../site/keeper.ts';
import { isPossible, type PaymentTerms, TERMS } from './payment.ts';

/** What a person has changed, as the browser keeps it: terms of a loan for every home, the others for one home. */
export type PaymentChoices = Partial<PaymentTerms>;

const KEY = 'payment';
const OF_EVERY_HOME: readonly (keyof PaymentTerms)[] = ['downShare', 'rate', 'years'];
/** The homes of which the browser keeps the latest changes. */
const MOST_HOMES = 20;

interface Kept {
  readonly everyHome: PaymentChoices;
  readonly homes: readonly (readonly [propertyId: string, choices: PaymentChoices])[];
}

/** The choices for a home; what the browser has kept wrongly is left out. */
export function readChoices(keeper: Pick<Keeper, 'getItem'>, propertyId: string): PaymentChoices {
  const { everyHome, homes } = readKept(keeper);
  return { ...everyHome, ...homes.find(([id]) => id === propertyId)?.[1] };
}

/** @param choices all of them for this home, not only the changed ones */
export function keepChoices(keeper: Keeper, propertyId: string, choices: PaymentChoices): void {
  const of = (isEvery: boolean): PaymentChoices =>
    Object.fromEntries(
      TERMS.filter((term) => OF_EVERY_HOME.includes(term) === isEvery && term in choices).map((term) => [
        term,
        choices[term],
      ]),
    );
  const others = readKept(keeper).homes.filter(([id]) => id !== propertyId);
  const own = of(false);
  const homes = Object.keys(own).length === 0 ? others : [[propertyId, own] as const, ...others];
  keeper.setItem(KEY, JSON.stringify({ everyHome: of(true), homes: homes.slice(0, MOST_HOMES) }));
}

function readKept(keeper: Pick<Keeper, 'getItem'>): Kept {
  const kept = readJson(keeper, KEY) as { everyHome?: unknown; homes?: unknown } | null;
  const homes = Array.isArray(kept?.homes) ? kept.homes : [];
  return {
    everyHome: possible(kept?.everyHome),
    homes: homes.flatMap((home): Kept['homes'] =>
      Array.isArray(home) && typeof home[0] === 'string' ? [[home[0], possible(home[1])]] : [],
    ),
  };
}

function possible(value: unknown): PaymentChoices {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).filter(([term, one]) => isTerm(term) && isPossible(term, one)),
  );
}

const isTerm = (name: string): name is keyof PaymentTerms => (TERMS as readonly string[]).includes(name);
