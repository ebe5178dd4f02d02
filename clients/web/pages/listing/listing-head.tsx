import { streetLine, wholeAddress } from '../../../../i18n/address-line.ts';
import { HeartButton } from '../../primitives/heart-button.tsx';
import { MarkButtons } from '../../primitives/mark-buttons.tsx';
import { StatusBadge } from '../../primitives/parts.tsx';
import { KeyFigures } from '../../primitives/property-card.tsx';
import { listingTone } from '../../primitives/status-tones.ts';
import { useText } from '../../site/use-site.ts';
import type { Detail } from './listing-data.ts';
import { PAYMENT_ID, usePayment } from './payment/use-payment.ts';
import { PrintButton } from './print-button.tsx';
import { ShareButton } from './share-button.tsx';

/** Price, payment, size and address of a home, and what a person does with its page. */
export function ListingHead({ home, isForSale }: { readonly home: Detail; readonly isForSale: boolean }) {
  const { t, money, pricePerArea } = useText();
  const { daysOnMarket, livingArea, livingAreaUnits: units, listPrice, currency } = home;
  const address = wholeAddress({ ...home, country: home.facts.country });
  return (
    <header className="listing-head">
      <div className="row">
        <StatusBadge tone={listingTone(home.standardStatus)}>
          {t(`listing.status.${home.standardStatus}`)}
        </StatusBadge>
        {daysOnMarket === null ? null : (
          <span className="muted">
            {daysOnMarket === 0 ? t('listing.newToday') : t('listing.days', { count: daysOnMarket })}
          </span>
        )}
        <span className="listing-actions row">
          <HeartButton propertyId={home.propertyId} address={streetLine(home)} />
          <MarkButtons propertyId={home.propertyId} address={streetLine(home)} />
          <span className="scripted row">
            <ShareButton title={address} />
            <PrintButton />
          </span>
        </span>
      </div>
      <div className="listing-figures">
        <p className="listing-price">{money(listPrice, currency)}</p>
        {isForSale ? <PaymentLine home={home} /> : null}
      </div>
      <p className="listing-size">
        <KeyFigures card={home} />
        {livingArea ? ` · ${pricePerArea(listPrice, currency, { area: livingArea, units })}` : null}
      </p>
      <h1>{address}</h1>
    </header>
  );
}

/** The estimated payment, which leads to how it is computed. */
function PaymentLine({ home }: { readonly home: Detail }) {
  const { t, money } = useText();
  const { parts } = usePayment(home);
  return (
    <a className="listing-payment" href={`#${PAYMENT_ID}`}>
      {t('payment.line', { amount: money(Math.round(parts.total), home.currency) })}
    </a>
  );
}
