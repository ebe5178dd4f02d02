import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, lazy, Suspense, useState } from 'react';
import { failureOf } from '../../../api/failures.ts';
import { Button } from '../../../primitives/button.tsx';
import { Avatar, Field, ListRow, Section, Skeleton } from '../../../primitives/parts.tsx';
import type { Me } from '../../../session/person.ts';
import { useSite, useText } from '../../../site/use-site.ts';
import { listingAgents, myListing, type OwnListing } from '../studio-queries.ts';
import { useAct } from '../use-act.ts';

const ConfirmSheet = lazy(() => import('../confirm-sheet.tsx'));
const VerifySheet = lazy(() => import('../verify-sheet.tsx'));
const NOT_FOUND = 404;

interface ListingAgentsProps {
  readonly listing: OwnListing;
  readonly agent: Me;
}

/** Who works on the listing. Its owner adds others by their address, takes them off, and gives the listing away. */
export function ListingAgents({ listing: { propertyId, ownerAgentId }, agent }: ListingAgentsProps) {
  const { api, notices } = useSite();
  const { t } = useText();
  const queries = useQueryClient();
  const { isBusy, act } = useAct();
  const [heir, setHeir] = useState<{ readonly agentId: string; readonly fullName: string } | null>(null);
  /** The heir for whom the owner's code is waited for. */
  const [unverified, setUnverified] = useState<string | null>(null);
  const { data: agents } = useQuery(listingAgents(api, propertyId));
  const isOwner = ownerAgentId === agent.id;
  const refresh = () =>
    Promise.all(
      [listingAgents(api, propertyId), myListing(api, propertyId)].map(({ queryKey }) =>
        queries.invalidateQueries({ queryKey }),
      ),
    );
  const add = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = event.currentTarget;
    const email = String(new FormData(form).get('email') ?? '').trim();
    void act(async () => {
      const agentId = await agentWith(email);
      if (agentId === null) return notices.say('studio.agents.unknown');
      await api.properties.assignAgent({ propertyId, agentId });
      form.reset();
      await refresh();
    });
  };
  const give = (to: string): void =>
    void act(async () => {
      try {
        await api.properties.transferOwnership({ propertyId, agentId: to });
      } catch (error) {
        if (failureOf(error).errorCode !== 'VERIFICATION_REQUIRED') throw error;
        await api.users.requestVerification();
        return setUnverified(to);
      }
      await refresh();
    });
  const agentWith = async (email: string): Promise<string | null> => {
    try {
      return (await api.users.findAgent({ email })).agentId;
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
                {t('studio.agents.transfer')}
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
          ) : null}
        </ListRow>
      ))}
      {isOwner ? (
        <form className="stack" onSubmit={add}>
          <Field label={t('studio.agents.email')}>
            <input className="input" type="email" name="email" required maxLength={254} autoComplete="off" />
          </Field>
          <div>
            <Button type="submit" isDisabled={isBusy}>
              {t('studio.agents.add')}
            </Button>
          </div>
        </form>
      ) : null}
      <Suspense>
        {heir === null ? null : (
          <ConfirmSheet
            title={t('studio.agents.transferTitle', { name: heir.fullName })}
            text={t('studio.agents.transferText')}
            action={t('studio.agents.transfer')}
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
