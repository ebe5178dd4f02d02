import { lazy, Suspense, useState } from 'react';
import { Button } from '../../../primitives/button.tsx';
import { Section } from '../../../primitives/parts.tsx';
import { useText } from '../../../site/use-site.ts';
import { CoordinatesField } from './coordinates-field.tsx';
import type { SavedFieldProps } from './saved-field.tsx';

const PinMap = lazy(() => import('../../../map/pin-map.tsx'));

/** Where the home stands. The map is loaded when it is asked for. */
export function PositionField({ listing, save }: SavedFieldProps) {
  const { t } = useText();
  const [isShown, setShown] = useState(false);
  const { latitude, longitude } = listing;
  const position = latitude === null || longitude === null ? null : { latitude, longitude };
  return (
    <Section title={t('studio.position.title')} id="position">
      {position === null ? <p className="muted">{t('studio.position.none')}</p> : null}
      <CoordinatesField listing={listing} save={save} />
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
