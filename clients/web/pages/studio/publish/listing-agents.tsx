import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type FormEvent, lazy, Suspense, useState } from 'react';
import { failureOf } from '../../../api/failures.ts';
import { Button } from '../../../primitives/button.tsx';
import { Avatar, Field, ListRow, Section, Skeleton } from '../../../primitives/parts.tsx';
import type { Me } from '../../../session/person.ts';
import { useSite, useText } from '../../../site/use-site.ts';
import { listingAgents, myListing, myListings, OFFERS, type OwnListing } from '../studio-queries.ts';
import { useAct } from '../use-act.ts';
import { MadeOffers } from './made-offers.tsx';

const ConfirmSheet = lazy(() => import('../confirm-sheet.tsx'));
const VerifySheet = lazy(() => import('../verify-sheet.tsx'));
const NOT_FOUND = 404;

interface ListingAgentsProps {
  readonly listing: OwnListing;
  readonly agent: Me;
}

interface Heir {
  readonly agentId: string;
  readonly fullName: string;
}

/**
 * Who works on the listing. Its owner invites others by their address, removes them, and offers the listing to them.
 * An assigned agent can leave.
 */
export function ListingAgents({ listing: { propertyId, ownerAgentId }, agent }: ListingAgentsProps) {
  const { api, notices, queries } = useSite();
  const { t } = useText();
  const { isBusy, act } = useAct();
  const [heir, setHeir] = useState<Heir | null>(null);
  /** The heir for whom the owner's code is waited for. */
  const [unverified, setUnverified] = useState<string | null>(null);
  const { data: agents } = useQuery(listingAgents(api, propertyId));
  const isOwner = ownerAgentId === agent.id;
  const refresh = () =>
    Promise.all(
      [listingAgents(api, propertyId).queryKey, myListing(api, propertyId).queryKey, OFFERS].map((queryKey) =>
        queries.invalidateQueries({ queryKey }),
      ),
    );
  const invite = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = event.currentTarget;
    const email = String(new FormData(form).get('email') ?? '').trim();
    const isForOwner = (event.nativeEvent as SubmitEvent).submitter?.getAttribute('value') === 'OWNERSHIP';
    void act(async () => {
      const found = await agentWith(email);
      if (found === null) return notices.say('studio.agents.unknown');
      if (isForOwner) return setHeir(found);
      await api.properties.offerAssignment({ propertyId, agentId: found.agentId });
      form.reset();
      notices.say('studio.agents.invited');
      await refresh();
    });
  };
  const give = (to: string): void =>
    void act(async () => {
      try {
        await api.properties.offerOwnership({ propertyId, agentId: to });
      } catch (error) {
        if (failureOf(error).errorCode !== 'VERIFICATION_REQUIRED') throw error;
        await api.users.requestVerification();
        return setUnverified(to);
      }
      notices.say('studio.agents.offered');
      await refresh();
    });
  const agentWith = async (email: string): Promise<Heir | null> => {
    try {
      return await api.users.findAgent({ email });
    } catch (error) {
      if (failureOf(error).httpStatus === NOT_FOUND) return null;
      throw error;
    }
  };
  return (
    <Section title={t('studio.agents.title')}>
      {agents === undefined ? <Skeleton height="8rem" /> : null}
      {(agents ?? []).map(({ agentId, fullName, photoUrl, officeName, isOwner: owns }) => (
        <ListRow
          key={agentId}
          title={
            <span className="row">
              <Avatar name={fullName} image={photoUrl} />
              {fullName}
            </span>
          }
          detail={[officeName, owns ? t('studio.agents.owner') : null]
            .filter((part) => part !== null)
            .join(' · ')}
        >
          {isOwner && !owns ? (
            <div className="row">
              <Button kind="quiet" isDisabled={isBusy} onPress={() => setHeir({ agentId, fullName })}>
                {t('studio.agents.offer')}
              </Button>
              <Button
                kind="quiet"
                isDisabled={isBusy}
                onPress={() =>
                  void act(async () => {
                    await api.properties.unassignAgent({ propertyId, agentId });
                    await refresh();
                  })
                }
              >
                {t('studio.agents.remove')}
              </Button>
            </div>
          ) : agentId === agent.id && !owns ? (
            <Leave propertyId={propertyId} />
          ) : null}
        </ListRow>
      ))}
      {isOwner ? (
        <>
          <MadeOffers propertyId={propertyId} />
          <form className="stack" onSubmit={invite}>
            <Field label={t('studio.agents.email')}>
              <input
                className="input"
                type="email"
                name="email"
                required
                maxLength={254}
                autoComplete="off"
              />
            </Field>
            <div className="row">
              <Button type="submit" isDisabled={isBusy}>
                {t('studio.agents.add')}
              </Button>
              <Button type="submit" value="OWNERSHIP" kind="quiet" isDisabled={isBusy}>
                {t('studio.agents.offer')}
              </Button>
            </div>
          </form>
        </>
      ) : null}
      <Suspense>
        {heir === null ? null : (
          <ConfirmSheet
            title={t('studio.agents.offerTitle', { name: heir.fullName })}
            text={t('studio.agents.offerText', { name: heir.fullName })}
            action={t('studio.agents.offer')}
            onClose={() => setHeir(null)}
            onConfirm={() => {
              setHeir(null);
              give(heir.agentId);
            }}
          />
        )}
        {unverified === null ? null : (
          <VerifySheet
            onClose={() => setUnverified(null)}
            onVerified={() => {
              setUnverified(null);
              give(unverified);
            }}
          />
        )}
      </Suspense>
    </Section>
  );
}

function Leave({ propertyId }: { readonly propertyId: string }) {
  const { api, notices, queries } = useSite();
  const { t } = useText();
  const router = useRouter();
  const { isBusy, act } = useAct();
  const [isAsked, setAsked] = useState(false);
  const leave = async (): Promise<void> => {
    await api.properties.leave({ propertyId });
    notices.say('studio.agents.left');
    await router.navigate({ to: '/studio' });
    await queries.invalidateQueries({ queryKey: myListings(api).queryKey });
  };
  return (
    <>
      <Button kind="quiet" isDisabled={isBusy} onPress={() => setAsked(true)}>
        {t('studio.agents.leave')}
      </Button>
      <Suspense>
        {isAsked ? (
          <ConfirmSheet
            title={t('studio.agents.leaveTitle')}
            text={t('studio.agents.leaveText')}
            action={t('studio.agents.leave')}
            onClose={() => setAsked(false)}
            onConfirm={() => {
              setAsked(false);
              void act(leave);
            }}
          />
        ) : null}
      </Suspense>
    </>
  );
}
