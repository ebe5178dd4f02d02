import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { problemText } from '../../api/failures.ts';
import { Button } from '../../primitives/button.tsx';
import { codeIn } from '../../primitives/mailed-code.ts';
import { Field } from '../../primitives/parts.tsx';
import { me } from '../../session/person.ts';
import { useSite, useText } from '../../site/use-site.ts';

/** The server sends no second code before that. */
const RESEND_SECONDS = 60;
const CODE_DIGITS = 6;

/** Asks for the address that the code is mailed to. */
export function EmailForm({ onSent }: { readonly onSent: (email: string) => void }) {
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

/** Takes the mailed code. It is sent as soon as it is whole, whether typed, pasted or filled in by the browser. */
export function CodeForm({ email, onBack, onSignedIn }: CodeFormProps) {
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
  // Each code is sent once: a wrong one is there to be mended.
  const sent = useRef('');
  const onInput = ({ currentTarget }: FormEvent<HTMLInputElement>): void => {
    const code = codeIn(currentTarget.value);
    if (code.length !== CODE_DIGITS || code === sent.current || isPending) return;
    sent.current = code;
    currentTarget.form?.requestSubmit();
  };
  return (
    <form className="stack" onSubmit={onSubmit}>
      <p>{t('signIn.codeText', { email })}</p>
      <Field label={t('signIn.code')} problem={problemText(text, error)}>
        <input
          className="input"
          name="code"
          // biome-ignore lint/a11y/noAutofocus: the step before was left to get here
          autoFocus
          onInput={onInput}
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

/** Asks a new person for the name that agents see. */
export function NameForm({ onNamed }: { readonly onNamed: () => void }) {
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
        <input
          className="input"
          name="name"
          // biome-ignore lint/a11y/noAutofocus: the step before was left to get here
          autoFocus
          autoComplete="name"
          required
          maxLength={100}
        />
      </Field>
      <Button kind="primary" type="submit" isDisabled={isPending}>
        {t('signIn.finish')}
      </Button>
    </form>
  );
}
