import type { ReactNode } from 'react';
import { ButtonLink } from '../../primitives/button.tsx';
import { EmptyState, Skeleton } from '../../primitives/parts.tsx';
import { SignInPrompt } from '../../primitives/sign-in-prompt.tsx';
import { type Me, usePerson } from '../../session/person.ts';
import { useSite, useText } from '../../site/use-site.ts';

/** A page of the studio: for agents, and the way to become one for everyone else. @param path where signing in returns */
export function AgentsOnly({
  path,
  children,
}: {
  readonly path: string;
  readonly children: (agent: Me) => ReactNode;
}) {
  const { settings } = useSite();
  const { t } = useText();
  const person = usePerson();
  if (person === undefined)
    return (
      <div className="page">
        <h1>{t('studio.title')}</h1>
        <Skeleton height="20rem" />
      </div>
    );
  if (person?.role === 'agent') return children(person);
  return (
    <div className="page">
      <h1>{t('studio.title')}</h1>
      {person === null ? (
        <SignInPrompt title={t('studio.promptTitle')} text={t('studio.promptText')} path={path} />
      ) : (
        <EmptyState
          title={t('studio.forAgents')}
          action={
            settings.agentsNeedInvitation ? null : (
              <ButtonLink kind="primary" to="/menu">
                {t('studio.becomeAgent')}
              </ButtonLink>
            )
          }
        >
          <p className="muted">
            {t(settings.agentsNeedInvitation ? 'errors.invitationRequired' : 'studio.promptText')}
          </p>
        </EmptyState>
      )}
    </div>
  );
}
