import { useMutation } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { AddressQuery } from '../../addresses/address-query.ts';
import { problemText } from '../../api/failures.ts';
import type { Provider } from '../../api/site-api.ts';
import { Button } from '../../primitives/button.tsx';
import { codeIn } from '../../primitives/mailed-code.ts';
import { Field, Problem } from '../../primitives/parts.tsx';
import { finishPendingFavorite, safeReturn } from '../../session/pending-action.ts';
import { me } from '../../session/person.ts';
import { askProvider, type ProviderAnswer, takeProviderAnswer } from '../../session/provider-sign-in.ts';
import { takesCookies } from '../../site/keeper.ts';
import { markPage } from '../../site/still-here.ts';
import { useSite, useText } from '../../site/use-site.ts';

const route = getRouteApi('/sign-in');

type Step =
  | { readonly name: 'email' }
  | { readonly name: 'code'; readonly email: string }
  | { readonly name: 'name'; readonly path: string };

/** The server sends no second code before that. */
const RESEND_SECONDS = 60;

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

function EmailForm({ onSent }: { readonly onSent: (email: string) => void }) {
  const { account } = useSite();
  const text = useText();
  const { t } = text;
  const { error, isPending, mutate } = useMutation({
    mutationFn: async (email: string) => {
      await account?.sendCode(email);
      onSent(email);
    },
  });
  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    mutate(String(new FormData(event.currentTarget).get('email')).trim());
  };
  return (
    <form className="stack" onSubmit={onSubmit}>
      <p>{t('signIn.emailText')}</p>
      <Field label={t('signIn.email')} problem={problemText(text, error)}>
        <input className="input" type="email" name="email" autoComplete="email" required maxLength={254} />
      </Field>
      <Button kind="primary" type="submit" isDisabled={isPending}>
        {t('signIn.sendCode')}
      </Button>
    </form>
  );
}

interface CodeFormProps {
  readonly email: string;
  readonly onBack: () => void;
  readonly onSignedIn: () => Promise<void>;
}

function CodeForm({ email, onBack, onSignedIn }: CodeFormProps) {
  const { account } = useSite();
  const text = useText();
  const { t } = text;
  const [wait, setWait] = useState(RESEND_SECONDS);
  const { error, isPending, mutate } = useMutation({
    /** @param code what was entered; null asks for another one */
    mutationFn: async (code: string | null) => {
      if (code === null) {
        await account?.sendCode(email);
        setWait(RESEND_SECONDS);
      } else {
        await account?.signIn(email, code);
        await onSignedIn();
      }
    },
  });
  useEffect(() => {
    if (wait === 0) return;
    const timer = setTimeout(() => setWait(wait - 1), 1_000);
    return () => clearTimeout(timer);
  }, [wait]);
  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    mutate(codeIn(String(new FormData(event.currentTarget).get('code'))));
  };
  return (
    <form className="stack" onSubmit={onSubmit}>
      <p>{t('signIn.codeText', { email })}</p>
      <Field label={t('signIn.code')} problem={problemText(text, error)}>
        <input
          className="input"
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          maxLength={200}
        />
      </Field>
      <Button kind="primary" type="submit" isDisabled={isPending}>
        {t('signIn.signIn')}
      </Button>
      <div className="row">
        <Button kind="quiet" onPress={() => mutate(null)} isDisabled={wait > 0 || isPending}>
          {wait > 0 ? t('signIn.resendIn', { count: wait }) : t('signIn.resend')}
        </Button>
        <Button kind="quiet" onPress={onBack}>
          {t('signIn.otherEmail')}
        </Button>
      </div>
    </form>
  );
}

function NameForm({ onNamed }: { readonly onNamed: () => void }) {
  const site = useSite();
  const text = useText();
  const { t, locale } = text;
  const { error, isPending, mutate } = useMutation({
    mutationFn: async (name: string) => {
      const person = await site.api.users.updateProfile({ name, locale });
      site.queries.setQueryData(me(site).queryKey, person);
      onNamed();
    },
  });
  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    mutate(String(new FormData(event.currentTarget).get('name')).trim());
  };
  return (
    <form className="stack" onSubmit={onSubmit}>
      <p>{t('signIn.nameText')}</p>
      <Field label={t('signIn.name')} problem={problemText(text, error)}>
        <input className="input" name="name" autoComplete="name" required maxLength={100} />
      </Field>
      <Button kind="primary" type="submit" isDisabled={isPending}>
        {t('signIn.finish')}
      </Button>
    </form>
  );
}
