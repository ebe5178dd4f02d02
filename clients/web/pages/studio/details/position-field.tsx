import { lazy, Suspense, useState } from 'react';
import { Button } from '../../../primitives/button.tsx';
import { Section } from '../../../primitives/parts.tsx';
import { useText } from '../../../site/use-site.ts';
import type { OwnListing } from '../studio-queries.ts';
import type { Save } from './use-save.ts';

const PinMap = lazy(() => import('../../../map/pin-map.tsx'));

/** Where the home stands. The map is loaded when it is asked for. */
export function PositionField({ listing, save }: { readonly listing: OwnListing; readonly save: Save }) {
  const { t, number } = useText();
  const [isShown, setShown] = useState(false);
  const { latitude, longitude } = listing;
  const position = latitude === null || longitude === null ? null : { latitude, longitude };
  return (
    <Section title={t('studio.position.title')} id="position">
      <p className={position === null ? 'muted' : ''}>
        {position === null
          ? t('studio.position.none')
          : t('studio.position.known', {
              latitude: number(position.latitude, { maximumFractionDigits: 5 }),
              longitude: number(position.longitude, { maximumFractionDigits: 5 }),
            })}
      </p>
      {isShown ? (
        <Suspense fallback={<p>{t('common.loading')}</p>}>
          <PinMap
            position={position}
            onPosition={(next) => void save(next).then((isStored) => setShown(!isStored))}
          />
        </Suspense>
      ) : (
        <div>
          <Button onPress={() => setShown(true)}>{t('studio.position.open')}</Button>
        </div>
      )}
    </Section>
  );
}
