import { Link } from '@tanstack/react-router';
import { streetLine } from '../../../../i18n/address-line.ts';
import { StatusBadge } from '../../primitives/parts.tsx';
import { tourTone } from '../../primitives/status-tones.ts';
import { useText } from '../../site/use-site.ts';
import { HomePhoto } from './home-photo.tsx';
import { Sentence } from './sentence.tsx';
import type { ThreadRow } from './thread-rows.ts';
import { sideOf, type Tour } from './tour-list.ts';

/** A thread in the list: home, who it is with, what happened last, and the last words of the other side. */
export function ThreadCard({ row, personId }: { readonly row: ThreadRow; readonly personId: string }) {
  const { t, day } = useText();
  const { tour, messages, at } = row;
  const about = messages ?? tour;
  if (about === null) return null;
  const { propertyId, customer, agent, timeZone } = about;
  const side = sideOf(about, personId);
  const other = side === 'customer' ? agent : customer;
  const unread = tour?.unread === true || (messages?.unread ?? 0) > 0;
  const isTourLast = tour !== null && (messages === null || Date.parse(messages.changedAt) < at);
  return (
    <Link
      className="thread-card"
      to="/inbox/$propertyId/$customerId"
      params={{ propertyId, customerId: customer.userId }}
    >
      <HomePhoto photoId={about.photoId} />
      <span className="thread-card-text">
        <span className="thread-card-line">
          <strong className="thread-card-street">{streetLine(about)}</strong>
          <span className="muted">{day(new Date(at).toISOString(), timeZone)}</span>
        </span>
        <bdi className="muted">
          {other.name || t(`inbox.nameless.${side === 'customer' ? 'agent' : 'customer'}`)}
        </bdi>
        {isTourLast ? (
          <LastOfTour tour={tour} personId={personId} unread={unread} />
        ) : messages?.lastMessage == null ? null : (
          <span
            className={unread ? 'thread-card-news thread-card-words' : 'muted thread-card-words'}
            dir="auto"
          >
            {messages.lastMessage.text}
          </span>
        )}
        <span className="thread-card-line">
          {tour === null ? null : (
            <StatusBadge tone={tourTone(tour.status)}>{t(`tour.status.${tour.status}`)}</StatusBadge>
          )}
          {unread ? <span className="thread-card-new">{t('inbox.new')}</span> : null}
        </span>
      </span>
    </Link>
  );
}

/** What happened to a tour, and the last words of the other side about it. */
function LastOfTour({
  tour,
  personId,
  unread,
}: {
  readonly tour: Tour;
  readonly personId: string;
  readonly unread: boolean;
}) {
  const side = sideOf(tour, personId);
  const last = tour.history.at(-1);
  const words = tour.history.findLast(({ actor, note }) => actor !== side && note !== null)?.note;
  return (
    <>
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
    </>
  );
}
