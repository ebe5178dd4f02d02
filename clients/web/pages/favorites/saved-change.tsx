import type { Outputs } from '../../../typescript/procedures.ts';
import { useText } from '../../site/use-site.ts';

export type SavedCard = Outputs['favorites']['list']['items'][number];

/** What the price and the status have done since the home was saved. */
export function SavedChange({ card }: { readonly card: SavedCard }) {
  const { t, money } = useText();
  const { listPrice, priceWhenSaved, standardStatus, statusWhenSaved, currency } = card;
  const isCheaper = listPrice < priceWhenSaved;
  const amount = money(Math.abs(listPrice - priceWhenSaved), currency);
  return (
    <>
      {standardStatus === statusWhenSaved ? null : (
        <p className="saved-change">
          {t('favorites.statusSince', { status: t(`listing.status.${standardStatus}`) })}
        </p>
      )}
      {listPrice === priceWhenSaved ? null : (
        <p className={isCheaper ? 'saved-change saved-change-good' : 'saved-change'}>
          {t(isCheaper ? 'favorites.cheaper' : 'favorites.dearer', { amount })}
        </p>
      )}
    </>
  );
}
