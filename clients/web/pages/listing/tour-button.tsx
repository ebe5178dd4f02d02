import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { rememberBegun, takeBegunTour } from '../../app/begun.ts';
import { usePerson } from '../../app/person.ts';
import { useText } from '../../app/use-site.ts';
import { Button } from '../../primitives/button.tsx';
import type { Detail } from './listing-data.ts';

const TourSheet = lazy(() => import('./tour-sheet.tsx'));

/** Asks for a visit. A signed-out visitor signs in first and comes back to it. */
export function TourButton({ home }: { readonly home: Detail }) {
  const { t } = useText();
  const navigate = useNavigate();
  const person = usePerson();
  const [isOpen, setOpen] = useState(false);
  const ask = (): void => {
    if (person != null) setOpen(true);
    else {
      rememberBegun({ kind: 'tour', propertyId: home.propertyId });
      void navigate({ to: '/sign-in', search: { return: location.pathname } });
    }
  };
  useEffect(() => {
    if (person != null && takeBegunTour(home.propertyId)) setOpen(true);
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
