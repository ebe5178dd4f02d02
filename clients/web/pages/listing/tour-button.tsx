import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { openTour } from '../../api/queries.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { Button, ButtonLink } from '../../primitives/button.tsx';
import { takePending } from '../../session/pending-action.ts';
import { usePerson } from '../../session/person.ts';
import { useSignedIn } from '../../session/use-signed-in.ts';
import { useSite, useText } from '../../site/use-site.ts';
import type { Detail } from './listing-data.ts';

const TourSheet = lazy(() => import('./tour-sheet.tsx'));

/** Asks for a visit, or leads to the one that was asked for. A signed-out visitor signs in first and comes back to it. */
export function TourButton({ home: { propertyId }, home }: { readonly home: Detail }) {
  const { api } = useSite();
  const { t } = useText();
  const person = usePerson();
  const tour = useAnswer({ ...openTour(api, propertyId), enabled: person != null });
  const [isOpen, setOpen] = useState(false);
  const ask = useSignedIn({ kind: 'tour', propertyId }, () => setOpen(true));
  useEffect(() => {
    if (person != null && takePending({ kind: 'tour', propertyId })) setOpen(true);
  }, [person, propertyId]);
  // The button that had the focus is gone; the link in its place takes it.
  const link = useRef<HTMLAnchorElement>(null);
  const wasSent = useRef(false);
  useEffect(() => {
    if (!wasSent.current || tour == null || isOpen) return;
    wasSent.current = false;
    link.current?.focus();
  }, [tour, isOpen]);
  const close = (isSent: boolean): void => {
    wasSent.current = isSent;
    setOpen(false);
  };
  return (
    <>
      {person != null && tour != null ? (
        <ButtonLink
          ref={link}
          to="/inbox/$propertyId/$customerId"
          params={{ propertyId, customerId: person.id }}
        >
          {t(`tour.open.${tour.status}`)}
        </ButtonLink>
      ) : (
        <Button kind="primary" onPress={ask}>
          {t('tour.request')}
        </Button>
      )}
      {isOpen ? (
        <Suspense>
          <TourSheet home={home} onClose={close} />
        </Suspense>
      ) : null}
    </>
  );
}
