import { lazy, Suspense, useEffect, useState } from 'react';
import { Button } from '../../primitives/button.tsx';
import { takePendingTour } from '../../session/pending-action.ts';
import { usePerson } from '../../session/person.ts';
import { useSignedIn } from '../../session/use-signed-in.ts';
import { useText } from '../../site/use-site.ts';
import type { Detail } from './listing-data.ts';

const TourSheet = lazy(() => import('./tour-sheet.tsx'));

/** Asks for a visit. A signed-out visitor signs in first and comes back to it. */
export function TourButton({ home }: { readonly home: Detail }) {
  const { t } = useText();
  const person = usePerson();
  const [isOpen, setOpen] = useState(false);
  const ask = useSignedIn({ kind: 'tour', propertyId: home.propertyId }, () => setOpen(true));
  useEffect(() => {
    if (person != null && takePendingTour(home.propertyId)) setOpen(true);
  }, [person, home.propertyId]);
  return (
    <>
      <Button kind="primary" onPress={ask}>
        {t('tour.request')}
      </Button>
      {isOpen ? (
        <Suspense>
          <TourSheet home={home} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
