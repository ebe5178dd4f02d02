import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { rememberBegun, takeBegunTour } from '../../app/begun.ts';
import { loadPerson, usePerson } from '../../app/person.ts';
import { useSite, useText } from '../../app/use-site.ts';
import { Button } from '../../primitives/button.tsx';
import type { Detail } from './listing-data.ts';

const TourSheet = lazy(() => import('./tour-sheet.tsx'));

/** Asks for a visit. A signed-out visitor signs in first and comes back to it. */
export function TourButton({ home }: { readonly home: Detail }) {
  const site = useSite();
  const { t } = useText();
  const navigate = useNavigate();
  const person = usePerson();
  const [isOpen, setOpen] = useState(false);
  const ask = async (): Promise<void> => {
    // Who taps early is asked for first.
    const whoever = person === undefined ? await loadPerson(site).catch(() => null) : person;
    if (whoever !== null) setOpen(true);
    else {
      rememberBegun({ kind: 'tour', propertyId: home.propertyId });
      await navigate({ to: '/sign-in', search: { return: location.pathname } });
    }
  };
  useEffect(() => {
    if (person != null && takeBegunTour(home.propertyId)) setOpen(true);
  }, [person, home.propertyId]);
  return (
    <>
      <Button kind="primary" onPress={() => void ask()}>
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
