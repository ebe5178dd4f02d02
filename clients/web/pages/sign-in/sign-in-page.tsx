import { useMutation } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { AddressQuery } from '../../addresses/address-query.ts';
import { problemText } from '../../api/failures.ts';
import type { Provider } from '../../api/site-api.ts';
import { Button } from '../../primitives/button.tsx';
import { Problem } from '../../primitives/parts.tsx';
import { finishPendingFavorite, safeReturn } from '../../session/pending-action.ts';
import { me } from '../../session/person.ts';
import { askProvider, type ProviderAnswer, takeProviderAnswer } from '../../session/provider-sign-in.ts';
import { takesCookies } from '../../site/keeper.ts';
import { markPage } from '../../site/still-here.ts';
import { useSite, useText } from '../../site/use-site.ts';
import { CodeForm, EmailForm, NameForm } from './forms.tsx';

const route = getRouteApi('/sign-in');

type Step =
  | { readonly name: 'email' }
  | { readonly name: 'code'; readonly email: string }
  | { readonly name: 'name'; readonly path: string };

/** Signing in with a mailed code: address, code, and the name of a new person. Then back to where it began. */
export function Component() {
  const { t } = useText();
  const query: AddressQuery = route.useSearch();
  const [step, setStep] = useState<Step>({ name: 'email' });
  const path = safeReturn(query.return);
  const [isBlocked, setBlocked] = useState(false);
  useEffect(() => setBlocked(!takesCookies()), []);
  const finish = useFinish();
  const welcome = useWelcome();
  const signedIn = async (to: string): Promise<void> => {
    const who = await welcome();
    if (who === 'no one') setBlocked(true);
    else if (who === 'new') setStep({ name: 'name', path: to });
    else await finish(to);
  };
  return (
    <div className="page page-narrow">
      <h1>{t('signIn.title')}</h1>
      <noscript>
        <p>{t('common.needsJavaScript')}</p>
      </noscript>
      <Problem text={isBlocked ? t('signIn.cookiesBlocked') : null} />
      {step.name === 'email' ? (
        <>
          <EmailForm onSent={(email) => setStep({ name: 'code', email })} />
          <Providers path={path} onSignedIn={signedIn} />
        </>
      ) : step.name === 'code' ? (
        <CodeForm
          email={step.email}
          onBack={() => setStep({ name: 'email' })}
          onSignedIn={() => signedIn(path)}
        />
      ) : (
        <NameForm onNamed={() => void finish(step.path)} />
      )}
    </div>
  );
}

/** Finishes the pending action, and goes back there. */
function useFinish(): (path: string) => Promise<void> {
  const { api, notices } = useSite();
  const router = useRouter();
  return async (path) => {
    const isStillHere = markPage();
    if (!(await finishPendingFavorite(api))) notices.say('favorites.notSaved');
    if (isStillHere()) await router.navigate({ href: path, replace: true });
  };
}

/** Reads who has signed in. A new person has no name yet; no one has where the browser keeps no cookie. */
function useWelcome(): () => Promise<'new' | 'known' | 'no one'> {
  const site = useSite();
  return async () => {
    site.person?.signedIn();
    const person = await site.queries.fetchQuery({ ...me(site), staleTime: 0 });
    if (person === null) return 'no one';
    return person.name === '' ? 'new' : 'known';
  };
}

const PROVIDERS = [
  { provider: 'google', key: 'signIn.withGoogle' },
  { provider: 'apple', key: 'signIn.withApple' },
] as const;

interface ProvidersProps {
  readonly path: string;
  readonly onSignedIn: (path: string) => Promise<void>;
}

/** The identity providers that this installation knows. What a provider has sent is taken when the page comes up. */
function Providers({ path, onSignedIn }: ProvidersProps) {
  const { account, settings } = useSite();
  const text = useText();
  const { t } = text;
  const { error, isPending, mutate } = useMutation({
    mutationFn: async (answer: ProviderAnswer) => {
      await account?.signInWith(answer.provider, answer.idToken, answer.state);
      await onSignedIn(safeReturn(answer.path));
    },
  });
  const going = useMutation({
    mutationFn: async (to: { readonly provider: Provider; readonly clientId: string }) => {
      const request = await account?.beginWithProvider();
      if (request !== undefined) location.assign(askProvider({ ...to, path }, request));
    },
  });
  const [hasFailed, setFailed] = useState(false);
  const took = useRef(false);
  useEffect(() => {
    // Once: what was sent is taken away from the address.
    if (took.current) return;
    took.current = true;
    const answer = takeProviderAnswer();
    setFailed(answer === 'failed');
    if (answer !== 'none' && answer !== 'failed') mutate(answer);
  });
  const known = PROVIDERS.flatMap((one) => {
    const clientId = settings.providers[one.provider];
    return clientId === null ? [] : [{ ...one, clientId }];
  });
  if (known.length === 0) return null;
  return (
    <div className="stack">
      <p className="muted">{t('signIn.or')}</p>
      {known.map(({ provider, key, clientId }) => (
        <Button
          key={provider}
          isDisabled={isPending || going.isPending}
          onPress={() => going.mutate({ provider, clientId })}
        >
          {t(key)}
        </Button>
      ))}
      <Problem
        text={problemText(text, error ?? going.error) ?? (hasFailed ? t('signIn.providerFailed') : null)}
      />
    </div>
  );
}
