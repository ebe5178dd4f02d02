import type { Outputs } from '../../typescript/procedures.ts';
import { useText } from '../site/use-site.ts';
import { StatusBadge } from './parts.tsx';
import { listingTone } from './status-tones.ts';

type News = Pick<
  Outputs['search']['list']['items'][number],
  'standardStatus' | 'isNew' | 'daysOnMarket' | 'priceChange' | 'currency' | 'closeDate' | 'openHouse'
>;

/** What is new about a home, or why it cannot be bought. Nothing for one that is simply for sale. */
export function CardNews({ card }: { readonly card: News }) {
  const { t, money, date, dateTime } = useText();
  const { standardStatus, isNew, daysOnMarket, priceChange, currency, closeDate, openHouse } = card;
  const isSold = standardStatus === 'Closed' && closeDate !== null;
  return (
    <p className="card-news">
      {standardStatus === 'Active' ? null : (
        <StatusBadge tone={listingTone(standardStatus)}>
          {isSold ? t('card.soldOn', { date: date(closeDate) }) : t(`listing.status.${standardStatus}`)}
        </StatusBadge>
      )}
      {isNew ? (
        <StatusBadge tone="primary">{t(daysOnMarket === 0 ? 'card.newToday' : 'card.new')}</StatusBadge>
      ) : null}
      {priceChange === null ? null : (
        <StatusBadge tone="success">
          {t('card.priceCut', { amount: money(priceChange.amount, currency) })}
        </StatusBadge>
      )}
      {openHouse === null ? null : (
        <StatusBadge tone="primary">
          {t('card.openHouse', { when: dateTime(openHouse.startsAt, openHouse.timeZone) })}
        </StatusBadge>
      )}
    </p>
  );
}
