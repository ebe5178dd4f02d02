import { lazy, type RefObject, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { addressLine } from '../../../../i18n/address-line.ts';
import type { PictureChoice } from '../../pictures/picture-choice.ts';
import { Section } from '../../primitives/parts.tsx';
import { useText } from '../../site/use-site.ts';
import type { Detail } from './listing-data.ts';
import './surroundings.css';

const SurroundingsMap = lazy(() => import('../../map/surroundings-map.tsx'));

interface SurroundingsProps {
  readonly home: Detail;
  readonly pictures: PictureChoice | undefined;
}

/**
 * Where a home is: its address, directions to it, and a map of the homes around it, of which nothing is loaded before it
 * comes into view. Nothing for a home whose position is not known.
 */
export default function Surroundings({ home, pictures }: SurroundingsProps) {
  const { t } = useText();
  const { propertyId, latitude, longitude, listPrice, currency } = home;
  const place = useRef<HTMLDivElement>(null);
  const isSeen = useSeen(place);
  const pin = useMemo(
    () =>
      latitude === null || longitude === null
        ? null
        : { propertyId, latitude, longitude, price: listPrice, currency, pill: '' },
    [propertyId, latitude, longitude, listPrice, currency],
  );
  if (pin === null) return null;
  const position = `${pin.latitude},${pin.longitude}`;
  return (
    <Section title={t('listing.surroundings')}>
      <div ref={place} className="surroundings-place">
        {isSeen ? (
          <Suspense fallback={<p role="status">{t('common.loading')}</p>}>
            <SurroundingsMap home={pin} pictures={pictures} />
          </Suspense>
        ) : null}
      </div>
      <p dir="auto">{addressLine(home)}</p>
      <p className="row">
        <a className="surroundings-link surroundings-of-phone" href={`geo:${position}?q=${position}`}>
          {t('listing.openMaps')}
        </a>
        <a
          className="surroundings-link"
          href={`https://www.openstreetmap.org/directions?to=${encodeURIComponent(position)}`}
          target="_blank"
          rel="noreferrer"
        >
          {t('listing.directions')}
        </a>
      </p>
    </Section>
  );
}

/** Becomes true when the element comes into view, and stays so. */
function useSeen(element: RefObject<HTMLElement | null>): boolean {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const target = element.current;
    if (target === null || isSeen) return;
    const watcher = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
    });
    watcher.observe(target);
    return () => watcher.disconnect();
  }, [element, isSeen]);
  return isSeen;
}
