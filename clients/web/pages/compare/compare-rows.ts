import type { Outputs } from '../../../typescript/procedures.ts';
import type { Text } from '../../words/text.ts';

export type ComparedHome = Outputs['properties']['getDetail'];

/** A line of the comparison. */
export interface CompareRow {
  readonly key: string;
  readonly label: string;
  /** For each home that is on the market, in their order; null for what is not known. */
  readonly values: readonly (string | null)[];
  /** Whether the homes have different values. */
  readonly differs: boolean;
}

type Shown = (home: ComparedHome) => string | null;

/** What is compared of two homes or more, without what is not known of any of them. */
export function compareRows(homes: readonly ComparedHome[], text: Text): readonly CompareRow[] {
  const { t } = text;
  const features = [...new Set(homes.flatMap((home) => home.features))].toSorted();
  const rows = [
    ...factValues(text).map(([key, shown]) => ({ key, label: t(key), values: homes.map(shown) })),
    ...features.map((feature) => ({
      key: feature,
      label: t(`feature.${feature}`),
      values: homes.map((home) => t(home.features.includes(feature) ? 'common.yes' : 'common.no')),
    })),
  ];
  return rows
    .filter(({ values }) => values.some((value) => value !== null))
    .map((row) => ({ ...row, differs: new Set(row.values).size > 1 }));
}

function factValues({ t, area, pricePerArea, money, number }: Text): readonly (readonly [string, Shown])[] {
  const plain = (value: number | null): string | null => (value === null ? null : number(value));
  const year = (value: number | null): string | null => (value === null ? null : String(value));
  const paid = (value: number | null, currency: string): string | null =>
    value === null ? null : money(value, currency);
  const sized = (value: number | null, units: string): string | null =>
    value === null ? null : area(value, units);
  return [
    ['compare.price', ({ closePrice, listPrice, currency }) => money(closePrice ?? listPrice, currency)],
    ['compare.status', ({ standardStatus }) => t(`listing.status.${standardStatus}`)],
    [
      'fact.pricePerArea',
      ({ livingArea, livingAreaUnits, listPrice, currency }) =>
        livingArea ? pricePerArea(listPrice, currency, { area: livingArea, units: livingAreaUnits }) : null,
    ],
    ['fact.bedrooms', ({ bedroomsTotal }) => plain(bedroomsTotal)],
    ['fact.bathrooms', ({ bathroomsTotal }) => plain(bathroomsTotal)],
    ['fact.livingArea', ({ livingArea, livingAreaUnits }) => sized(livingArea, livingAreaUnits)],
    ['fact.lot', ({ facts }) => sized(facts.lotSizeArea, facts.lotSizeUnits)],
    ['fact.yearBuilt', ({ facts }) => year(facts.yearBuilt)],
    ['fact.renovated', ({ facts }) => year(facts.yearBuiltEffective)],
    ['fact.stories', ({ facts }) => plain(facts.stories)],
    ['fact.garage', ({ facts }) => plain(facts.garageSpaces)],
    ['fact.parking', ({ facts }) => plain(facts.parkingTotal)],
    ['fact.association', ({ facts, currency }) => paid(facts.associationFee, currency)],
    ['fact.tax', ({ facts, currency }) => paid(facts.taxAnnualAmount, currency)],
    [
      'compare.days',
      ({ daysOnMarket }) => (daysOnMarket === null || daysOnMarket === 0 ? null : plain(daysOnMarket)),
    ],
  ];
}
