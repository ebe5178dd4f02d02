import { useQuery } from '@tanstack/react-query';
import { Button } from '../../../primitives/button.tsx';
import { Avatar, ListRow } from '../../../primitives/parts.tsx';
import { useSite, useText } from '../../../site/use-site.ts';
import { OFFERS, offersOfListing } from '../studio-queries.ts';
import { useAct } from '../use-act.ts';

/** The owner's open offers of the listing, each to be taken back; nothing when there are none. */
export function MadeOffers({ propertyId }: { readonly propertyId: string }) {
  const { api, notices, queries } = useSite();
  const { t, date } = useText();
  const { isBusy, act } = useAct();
  const { data: offers = [] } = useQuery(offersOfListing(api, propertyId));
  const withdraw = (offerId: string) =>
    act(async () => {
      try {
        await api.properties.withdrawOffer({ offerId });
        notices.say('studio.offers.withdrawn');
      } finally {
        // What the other agent answered meanwhile is shown too.
        await queries.invalidateQueries({ queryKey: OFFERS });
      }
    });
  if (offers.length === 0) return null;
  return (
    <>
      <h3>{t('studio.offers.made')}</h3>
      {offers.map(({ offerId, kind, to, expiresAt }) => {
        const name = to.fullName || t('studio.offers.nameless');
        return (
          <ListRow
            key={offerId}
            title={
              <span className="row">
                <Avatar name={name} image={to.photoUrl} />
                {name}
              </span>
            }
            detail={t(`studio.offers.made.${kind}`, { day: date(expiresAt) })}
          >
            <Button
              kind="quiet"
              isDisabled={isBusy}
              aria-label={t('studio.offers.withdrawFrom', { name })}
              onPress={() => void withdraw(offerId)}
            >
              {t('studio.offers.withdraw')}
            </Button>
          </ListRow>
        );
      })}
    </>
  );
}
