import type { Outputs } from '../../../typescript/procedures.ts';
import { Section } from '../../primitives/parts.tsx';
import { useText } from '../../site/use-site.ts';
import { Fold } from './fold.tsx';

type Stats = Outputs['properties']['getNeighborhoodStats'];

type Name = keyof Stats['figures'];

/** The market around a home: the figures that rest on enough homes. Nothing where there is none. */
export default function Neighborhood({ stats }: { readonly stats: Stats }) {
  const { t, money, pricePerArea, number, percent } = useText();
  const { figures, currency, areaUnits } = stats;
  const paid = (value: number) => money(Math.round(value), currency);
  const formats: readonly (readonly [name: Name, format: (value: number) => string])[] = [
    ['medianSalePrice', paid],
    ['medianListPrice', paid],
    ['medianPricePerArea', (value) => pricePerArea(value, currency, { area: 1, units: areaUnits })],
    ['homesSold', number],
    ['activeInventory', number],
    ['newListings', number],
    ['medianDaysOnMarket', number],
    ['saleToListRatio', percent],
    ['shareWithPriceCut', percent],
  ];
  const shown = formats.flatMap(([name, format]) => {
    const { value, n, method } = figures[name];
    return value === null ? [] : [{ name, text: format(value), n, method }];
  });
  if (shown.length === 0) return null;
  return (
    <Section title={t('listing.neighborhood', { name: stats.region.name })}>
      <dl className="listing-facts">
        {shown.map(({ name, text }) => (
          <div key={name}>
            <dt>{t(LABELS[name])}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <Fold title={t('neighborhood.methods')}>
        <dl className="listing-methods">
          {shown.map(({ name, method, n }) => (
            <div key={name}>
              <dt>{t(LABELS[name])}</dt>
              <dd className="muted">
                {`${t(`neighborhood.method.${method}`)} · ${t('neighborhood.rows', { count: n })}`}
              </dd>
            </div>
          ))}
        </dl>
      </Fold>
    </Section>
  );
}

const LABELS: Readonly<Record<Name, string>> = {
  medianSalePrice: 'neighborhood.medianSalePrice',
  medianListPrice: 'neighborhood.medianListPrice',
  medianPricePerArea: 'neighborhood.medianPricePerArea',
  homesSold: 'neighborhood.homesSold',
  activeInventory: 'neighborhood.activeInventory',
  newListings: 'neighborhood.newListings',
  medianDaysOnMarket: 'neighborhood.medianDaysOnMarket',
  saleToListRatio: 'neighborhood.saleToListRatio',
  shareWithPriceCut: 'neighborhood.shareWithPriceCut',
};
