import { lazy, Suspense, useEffect, useState } from 'react';
import { Button } from '../../../primitives/button.tsx';
import { Section } from '../../../primitives/parts.tsx';
import { commutePlace } from '../../../session/commute-place.ts';
import { kept } from '../../../site/keeper.ts';
import { useSite, useText } from '../../../site/use-site.ts';
import type { Detail } from '../listing-data.ts';

const CommutePanel = lazy(() => import('./commute-panel.tsx'));

/** How long it takes from a home to a place. Nothing without a router, or for a home whose position is not known. */
export default function Commute({ home: { propertyId, latitude } }: { readonly home: Detail }) {
  const { settings, person } = useSite();
  const { t } = useText();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (commutePlace(kept, person?.current() ?? null) !== null) setOpen(true);
  }, [person]);
  if (settings.commute === null || latitude === null) return null;
  return (
    <Section title={t('commute.title')}>
      {isOpen ? (
        <Suspense fallback={<p role="status">{t('common.loading')}</p>}>
          <CommutePanel propertyId={propertyId} commute={settings.commute} />
        </Suspense>
      ) : (
        <Button onPress={() => setOpen(true)}>{t('commute.choose')}</Button>
      )}
    </Section>
  );
}
