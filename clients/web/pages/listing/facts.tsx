import { Section } from '../../primitives/parts.tsx';
import { useText } from '../../site/use-site.ts';
import { homeTypeName } from '../../words/home-types.ts';
import { Fold } from './fold.tsx';
import type { Detail } from './listing-data.ts';

/** Facts that are always shown. */
const FIRST = 8;

/** What is known of a home, in two columns: the first facts, and the others on request. What is not known is left out. */
export default function Facts({ home }: { readonly home: Detail }) {
  const { t, area, recordedArea, pricePerArea, money, number, date } = useText();
  const { facts, currency } = home;
  const plain = (value: number | null): string | null => (value === null ? null : number(value));
  const typed = (type: string | null): string | null => (type === null ? null : homeTypeName(t, type));
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
  const rows: readonly Row[] = [
    ['fact.propertyType', typed(home.propertyType)],
    ['fact.propertySubType', typed(facts.propertySubType)],
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
  const known = rows.filter(([, value]) => value !== null);
  if (known.length === 0) return null;
  const later = known.slice(FIRST);
  return (
    <Section title={t('listing.facts')}>
      <FactList rows={known.slice(0, FIRST)} />
      {later.length === 0 ? null : (
        <Fold title={t('listing.allFacts', { count: known.length })}>
          <FactList rows={later} />
        </Fold>
      )}
    </Section>
  );
}

type Row = readonly [label: string, value: string | null];

function FactList({ rows }: { readonly rows: readonly Row[] }) {
  const { t } = useText();
  return (
    <dl className="listing-facts">
      {rows.map(([label, value]) => (
        <div key={label}>
          <dt>{t(label)}</dt>
          <dd dir="auto">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
