import type { Outputs } from '../../../typescript/procedures.ts';
import { useText } from '../../site/use-site.ts';

type Stats = Outputs['properties']['getNeighborhoodStats'];

/** Figures of the neighborhood, each with how it is computed and how many rows it rests on. */
export function Neighborhood({ stats }: { readonly stats: Stats }) {
  const { t, money, pricePerArea, number, percent } = useText();
  const { figures, currency, areaUnits } = stats;
  const paid = (value: number) => money(Math.round(value), currency);
  const perArea = (value: number) => pricePerArea(value, currency, { area: 1, units: areaUnits });
  const shown = [
    ['medianSalePrice', paid],
    ['medianListPrice', paid],
    ['medianPricePerArea', perArea],
    ['homesSold', number],
    ['activeInventory', number],
    ['newListings', number],
    ['medianDaysOnMarket', number],
    ['saleToListRatio', percent],
    ['shareWithPriceCut', percent],
  ] as const;
  return (
    <dl className="listing-facts">
      {shown.map(([name, format]) => {
        const figure = figures[name];
        return (
          <div key={name}>
            <dt>{t(LABELS[name])}</dt>
            <dd>
              {figure.value === null ? t('neighborhood.tooFew') : format(figure.value)}
              <span className="muted listing-note">
                {`${t(`neighborhood.method.${figure.method}`)} · ${t('neighborhood.rows', { count: figure.n })}`}
              </span>
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

const LABELS: Readonly<Record<keyof Stats['figures'], string>> = {
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
