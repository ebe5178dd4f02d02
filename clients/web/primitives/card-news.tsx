import { useText } from '../site/use-site.ts';
import { StatusBadge } from './parts.tsx';
import type { Card } from './property-card.tsx';
import { listingTone } from './status-tones.ts';

type News = Pick<
  Card,
  'standardStatus' | 'isNew' | 'daysOnMarket' | 'priceChange' | 'currency' | 'closeDate'
>;

/** What is new about a home, or why it cannot be bought. Nothing for one that is simply for sale. */
export function CardNews({ card }: { readonly card: News }) {
  const { t, money, date } = useText();
  const { standardStatus, isNew, daysOnMarket, priceChange, currency, closeDate } = card;
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
    </p>
  );
}
