import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { problemText } from '../../api/failures.ts';
import { Button } from '../../primitives/button.tsx';
import { codeIn } from '../../primitives/mailed-code.ts';
import { Field, Problem } from '../../primitives/parts.tsx';
import { Sheet } from '../../primitives/sheet.tsx';
import { useSite, useText } from '../../site/use-site.ts';

interface VerifySheetProps {
  readonly onClose: () => void;
  readonly onVerified: () => void;
}

/** Asks for the code that was just mailed, before something that a session alone must not do. */
export default function VerifySheet({ onClose, onVerified }: VerifySheetProps) {
  const { api } = useSite();
  const text = useText();
  const { t } = text;
  const { error, isPending, mutate } = useMutation({
    mutationFn: (code: string) => api.users.verifySession({ code }),
    onSuccess: onVerified,
  });
  const verify = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    mutate(codeIn(String(new FormData(event.currentTarget).get('code') ?? '')));
  };
  return (
    <Sheet title={t('studio.verify.title')} onClose={onClose}>
      <form className="stack" onSubmit={verify}>
        <p>{t('studio.verify.text')}</p>
        <Field label={t('signIn.code')}>
          <input
            className="input"
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            required
            maxLength={200}
          />
        </Field>
        <Problem text={problemText(text, error)} />
        <Button kind="primary" type="submit" isDisabled={isPending}>
          {t('studio.verify.confirm')}
        </Button>
      </form>
    </Sheet>
  );
}
