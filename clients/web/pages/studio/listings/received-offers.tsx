import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { addressLine } from '../../../../../i18n/address-line.ts';
import type { Inputs } from '../../../../typescript/procedures.ts';
import { Button } from '../../../primitives/button.tsx';
import { Avatar, Section, StatusBadge } from '../../../primitives/parts.tsx';
import { listingTone } from '../../../primitives/status-tones.ts';
import type { Me } from '../../../session/person.ts';
import { useSite, useText } from '../../../site/use-site.ts';
import { myListings, OFFERS, type Offer, openOffers } from '../studio-queries.ts';
import { useAct } from '../use-act.ts';

const AcceptSheet = lazy(() => import('./accept-sheet.tsx'));
type Answer = Omit<Inputs['properties']['answerOffer'], 'offerId'>;

/** The open offers that the agent got, each to be answered; nothing when there are none. */
export function ReceivedOffers({ agent }: { readonly agent: Me }) {
  const { api } = useSite();
  const { t } = useText();
  const { data = [] } = useQuery(openOffers(api));
  const offers = data.filter(({ to }) => to.agentId === agent.id);
  if (offers.length === 0) return null;
  return (
    <Section title={t('studio.offers.title', { count: offers.length })}>
      <ul className="studio-cards">
        {offers.map((offer) => (
          <li key={offer.offerId}>
            <ReceivedOffer offer={offer} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function ReceivedOffer({ offer }: { readonly offer: Offer }) {
  const { api, notices, queries } = useSite();
  const { t, money, date } = useText();
  const { isBusy, act } = useAct();
  const [isAsked, setAsked] = useState(false);
  const { offerId, kind, from, listing, expiresAt } = offer;
  const name = from.fullName || t('studio.offers.nameless');
  const answer = (given: Answer) =>
    act(async () => {
      setAsked(false);
      try {
        await api.properties.answerOffer({ offerId, ...given });
        notices.say(given.accept ? 'studio.offers.accepted' : 'studio.offers.declined');
      } finally {
        // An offer that has ended meanwhile goes too.
        for (const queryKey of [OFFERS, myListings(api).queryKey])
          await queries.invalidateQueries({ queryKey });
      }
    });
  return (
    <article className="panel stack">
      <h3>{t(`studio.offers.${kind}`, { name })}</h3>
      <p className="row">
        <Avatar name={name} image={from.photoUrl} />
        {[name, from.officeName].filter((part) => part !== null).join(' · ')}
      </p>
      {listing === null ? null : (
        <>
          <p>
            <strong>{addressLine(listing)}</strong>
          </p>
          <p className="row">
            <StatusBadge tone={listingTone(listing.standardStatus)}>
              {t(`listing.status.${listing.standardStatus}`)}
            </StatusBadge>
            {money(listing.listPrice, listing.currency)}
          </p>
          <p>
            {t(`studio.offers.text.${kind}`, {
              photos: t('studio.offers.photos', { count: listing.photoCount }),
              tours: t('studio.offers.tours', { count: listing.openTourCount }),
            })}
          </p>
        </>
      )}
      <p className="muted">{t('studio.offers.until', { day: date(expiresAt) })}</p>
      <div className="row">
        <Button
          kind="primary"
          isDisabled={isBusy}
          onPress={() => (kind === 'OWNERSHIP' ? setAsked(true) : void answer({ accept: true }))}
        >
          {t('studio.offers.accept')}
        </Button>
        <Button isDisabled={isBusy} onPress={() => void answer({ accept: false })}>
          {t('studio.offers.decline')}
        </Button>
      </div>
      <Suspense>
        {isAsked ? (
          <AcceptSheet
            name={name}
            onClose={() => setAsked(false)}
            onAccept={(keepFormerOwner) => void answer({ accept: true, keepFormerOwner })}
          />
        ) : null}
      </Suspense>
    </article>
  );
}
