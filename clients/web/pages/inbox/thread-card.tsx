import { Link } from '@tanstack/react-router';
import { streetLine } from '../../../../i18n/address-line.ts';
import { StatusBadge } from '../../primitives/parts.tsx';
import { tourTone } from '../../primitives/status-tones.ts';
import { useText } from '../../site/use-site.ts';
import { HomePhoto } from './home-photo.tsx';
import { Sentence } from './sentence.tsx';
import { sideOf, type Tour } from './tour-list.ts';

/** A thread in the list: home, who it is with, what happened last, and the last words of the other side. */
export function ThreadCard({ tour, personId }: { readonly tour: Tour; readonly personId: string }) {
  const { t, day } = useText();
  const { propertyId, customer, agent, history, timeZone, status, unread } = tour;
  const side = sideOf(tour, personId);
  const other = side === 'customer' ? agent : customer;
  const last = history.at(-1);
  const words = history.findLast(({ actor, note }) => actor !== side && note !== null)?.note;
  return (
    <Link
      className="thread-card"
      to="/inbox/$propertyId/$customerId"
      params={{ propertyId, customerId: customer.userId }}
    >
      <HomePhoto photoId={tour.photoId} />
      <span className="thread-card-text">
        <span className="thread-card-line">
          <strong className="thread-card-street">{streetLine(tour)}</strong>
          {last === undefined ? null : <span className="muted">{day(last.at, timeZone)}</span>}
        </span>
        <bdi className="muted">
          {other.name || t(`inbox.nameless.${side === 'customer' ? 'agent' : 'customer'}`)}
        </bdi>
        {last === undefined ? null : (
          <span className={unread ? 'thread-card-news' : undefined}>
            <Sentence step={last} tour={tour} personId={personId} />
          </span>
        )}
        {words == null ? null : (
          <span className="muted thread-card-words" dir="auto">
            {words}
          </span>
        )}
        <span className="thread-card-line">
          <StatusBadge tone={tourTone(status)}>{t(`tour.status.${status}`)}</StatusBadge>
          {unread ? <span className="thread-card-new">{t('inbox.new')}</span> : null}
        </span>
      </span>
    </Link>
  );
}
