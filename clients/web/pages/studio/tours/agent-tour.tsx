import { Link } from '@tanstack/react-router';
import { addressLine } from '../../../../../i18n/address-line.ts';
import { useText } from '../../../site/use-site.ts';
import type { Tour } from '../../inbox/tour-list.ts';
import { TourPanel } from '../../inbox/tour-panel.tsx';

/** A tour among others: with its home, its customer, their last words, and the way to the thread. */
export function AgentTour({ tour }: { readonly tour: Tour }) {
  const { t } = useText();
  const { propertyId, customer, history } = tour;
  const words = history.findLast(({ actor, note }) => actor === 'customer' && note !== null)?.note;
  return (
    <TourPanel tour={tour} side="agent">
      <Link to="/properties/$propertyId" params={{ propertyId }}>
        {addressLine(tour)}
      </Link>
      <p className="muted" dir="auto">
        {customer.name || t('inbox.nameless.customer')}
      </p>
      {words == null ? null : (
        <p className="tour-note" dir="auto">
          {words}
        </p>
      )}
      <Link to="/inbox/$propertyId/$customerId" params={{ propertyId, customerId: customer.userId }}>
        {t('inbox.open')}
      </Link>
    </TourPanel>
  );
}
