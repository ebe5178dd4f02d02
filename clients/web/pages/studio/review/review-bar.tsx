import { Link } from '@tanstack/react-router';
import { streetLine } from '../../../../../i18n/address-line.ts';
import { Pill } from '../../../primitives/choices.tsx';
import { Icon } from '../../../primitives/icon.tsx';
import { useText } from '../../../site/use-site.ts';
import type { OwnListing, Variant } from '../studio-queries.ts';
import { VIEWS, type View } from './compare-picture.tsx';

/** Drawn on a grid of 24 by 24. */
const SIGNS: Readonly<Record<View | 'several', string>> = {
  slider: 'M4.5 5.5h15v13h-15zM12 3v18',
  blink: 'M3.5 8.500h11v9.500h-11zM7 8.500v-3h13.500v9.500h-6',
  beside: 'M3.500 6.500h7.500v11H3.500zM13 6.500h7.500v11H13z',
  several: 'M4.500 4.500h6v6h-6zM13.500 4.500h6v6h-6zM4.500 13.500h6v6h-6zM13.500 13.500h6v6h-6z',
};

interface ReviewBarProps {
  readonly listing: OwnListing;
  readonly current: Variant;
  readonly number: number;
  readonly count: number;
  readonly view: View | 'several';
  readonly onView: (view: View | 'several') => void;
}

/** Takes the place of the site's and the listing's head: the way back, the position in the queue, the views. */
export function ReviewBar({ listing, current, number, count, view, onView }: ReviewBarProps) {
  const { t } = useText();
  const { propertyId } = listing;
  const room = t(current.roomType === null ? 'room.unknown' : `room.${current.roomType}`);
  return (
    <div className="review-bar">
      <Link to="/studio/$propertyId" params={{ propertyId }} className="review-home">
        <Icon name="back" />
        <span>{streetLine(listing)}</span>
      </Link>
      <p role="status">
        {view === 'several'
          ? t('review.pending', { count })
          : `${t('studio.review.position', { number, count })} · ${room} · ${current.style}`}
      </p>
      <fieldset className="choices review-views">
        <legend className="visually-hidden">{t('studio.review.view')}</legend>
        {([...VIEWS, 'several'] as const).map((one) => (
          <Pill key={one} type="radio" name="view" checked={one === view} onChange={() => onView(one)}>
            <svg className="icon" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
              <path d={SIGNS[one]} />
            </svg>
            <span className="visually-hidden">{t(`studio.view.${one}`)}</span>
          </Pill>
        ))}
      </fieldset>
    </div>
  );
}
