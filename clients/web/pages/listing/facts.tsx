import { useText } from '../../site/use-site.ts';
import type { Detail } from './listing-data.ts';

/** What is known of a home, in two columns. What is not known is left out. */
export function Facts({ home }: { readonly home: Detail }) {
  const { t, area, recordedArea, pricePerArea, money, number, date } = useText();
  const { facts, currency } = home;
  const plain = (value: number | null): string | null => (value === null ? null : number(value));
  const year = (value: number | null): string | null => (value === null ? null : String(value));
  const paid = (value: number | null): string | null => (value === null ? null : money(value, currency));
  /** With the figure of the record, which is what counts in a contract. */
  const sized = (value: number | null, units: string): string | null => {
    if (value === null) return null;
    const recorded = recordedArea(value, units);
    return recorded === null
      ? area(value, units)
      : t('fact.recorded', { shown: area(value, units), recorded });
  };
  const perArea = home.livingArea
    ? pricePerArea(home.listPrice, currency, { area: home.livingArea, units: home.livingAreaUnits })
    : null;
  const rows: readonly (readonly [label: string, value: string | null])[] = [
    ['fact.propertyType', home.propertyType],
    ['fact.propertySubType', facts.propertySubType],
    ['fact.bedrooms', plain(home.bedroomsTotal)],
    ['fact.bathrooms', plain(home.bathroomsTotal)],
    ['fact.livingArea', sized(home.livingArea, home.livingAreaUnits)],
    ['fact.lot', sized(facts.lotSizeArea, facts.lotSizeUnits)],
    ['fact.pricePerArea', perArea],
    ['fact.yearBuilt', year(facts.yearBuilt)],
    ['fact.renovated', year(facts.yearBuiltEffective)],
    ['fact.stories', plain(facts.stories)],
    ['fact.rooms', plain(facts.roomsTotal)],
    ['fact.garage', plain(facts.garageSpaces)],
    ['fact.parking', plain(facts.parkingTotal)],
    ['fact.association', paid(facts.associationFee)],
    ['fact.tax', paid(facts.taxAnnualAmount)],
    ['fact.county', facts.countyOrParish],
    ['fact.subdivision', facts.subdivisionName],
    ['fact.closePrice', paid(home.closePrice)],
    ['fact.listed', home.listedAt === null ? null : date(home.listedAt)],
  ];
  return (
    <dl className="listing-facts">
      {rows
        .filter(([, value]) => value !== null)
        .map(([label, value]) => (
          <div key={label}>
            <dt>{t(label)}</dt>
            <dd dir="auto">{value}</dd>
          </div>
        ))}
    </dl>
  );
}
