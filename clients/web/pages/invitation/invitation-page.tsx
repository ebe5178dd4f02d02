import { useEffect, useState } from 'react';
import { ButtonLink } from '../../primitives/button.tsx';
import { EmptyState, Field, Skeleton } from '../../primitives/parts.tsx';
import { SignInPrompt } from '../../primitives/sign-in-prompt.tsx';
import { textOf, WorkForm } from '../../primitives/work-form.tsx';
import { forgetInvitation, takeInvitation } from '../../session/invitation.ts';
import { me, usePerson } from '../../session/person.ts';
import { useSite, useText } from '../../site/use-site.ts';

/** Where an invitation is accepted: by a person who is signed in, with the license number. */
export function Component() {
  const { t } = useText();
  const person = usePerson();
  const [secret, setSecret] = useState<string | null>();
  useEffect(() => setSecret(takeInvitation()), []);
  return (
    <div className="page page-narrow">
      <h1>{t('invitation.title')}</h1>
      {person === undefined || secret === undefined ? (
        <Skeleton height="12rem" />
      ) : person?.role === 'agent' ? (
        <EmptyState
          title={t('invitation.alreadyAgent')}
          action={
            <ButtonLink kind="primary" to="/studio">
              {t('menu.studio')}
            </ButtonLink>
          }
        />
      ) : secret === null ? (
        <p>{t('invitation.noLink')}</p>
      ) : person === null ? (
        <SignInPrompt title={t('signIn.title')} text={t('invitation.promptText')} path="/invitation" />
      ) : (
        <Accept secret={secret} />
      )}
    </div>
  );
}

function Accept({ secret }: { readonly secret: string }) {
  const site = useSite();
  const { t } = useText();
  const accept = async (form: FormData): Promise<void> => {
    const person = await site.api.users.becomeAgent({
      licenseNumber: textOf(form, 'licenseNumber'),
      invitation: secret,
    });
    forgetInvitation();
    site.queries.setQueryData(me(site).queryKey, person);
  };
  return (
    <WorkForm submit={t('invitation.accept')} kind="primary" work={accept}>
      <p>{t('invitation.text')}</p>
      <Field label={t('menu.licenseNumber')}>
        <input className="input" name="licenseNumber" required maxLength={64} />
      </Field>
    </WorkForm>
  );
}
