import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { MAX_MESSAGE_TEXT } from '../../../../../machines/limits.ts';
import { problemText } from '../../../api/failures.ts';
import type { ThreadKey } from '../../../api/queries.ts';
import { Button } from '../../../primitives/button.tsx';
import { Field } from '../../../primitives/parts.tsx';
import { type Me, me } from '../../../session/person.ts';
import { useSite, useText } from '../../../site/use-site.ts';
import { keepUnsent, type UnsentMessage, unsentMessage } from './unsent-messages.ts';

interface ComposerProps {
  readonly place: ThreadKey;
  readonly person: Me;
  /** Null for a customer who has not asked anything yet. */
  readonly threadId: string | null;
  /** Whether answers are offered that agents often give. */
  readonly isAgent: boolean;
  /** Something was typed. */
  readonly onTouch: () => void;
  readonly onSent: () => Promise<unknown>;
}

/** Writes a message. It is kept under one id until the server has it, so it is sent once, whatever happens to the page. */
export function Composer({ place, person, threadId, isAgent, onTouch, onSent }: ComposerProps) {
  const site = useSite();
  const { api, queries } = site;
  const words = useText();
  const { t } = words;
  const { propertyId, customerId } = place;
  const personId = person.id;
  const owner = { propertyId, customerId, personId };
  const [unsent, setUnsent] = useState<UnsentMessage | null>(null);
  const [text, setText] = useState('');
  // The document does not know what the browser keeps, so it is put in after the page has become alive.
  useEffect(() => {
    const left = unsentMessage({ propertyId, customerId, personId });
    if (left === null) return;
    setUnsent(left);
    setText((typed) => typed || left.text);
  }, [propertyId, customerId, personId]);
  // What is typed stays while the answer is under way.
  const [isNameless] = useState(person.name === '');
  const { error, isPending, mutate } = useMutation({
    mutationFn: async (name: string) => {
      const typed = text.trim();
      const message = unsent?.text === typed ? unsent : { messageId: crypto.randomUUID(), text: typed };
      setUnsent(message);
      keepUnsent(owner, message);
      if (isNameless) queries.setQueryData(me(site).queryKey, await api.users.updateProfile({ name }));
      if (threadId === null) await api.messages.open({ propertyId, ...message });
      else await api.messages.send({ threadId, ...message });
      keepUnsent(owner, null);
      setUnsent(null);
      setText('');
      await onSent();
    },
  });
  const send = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    onTouch();
    mutate(String(new FormData(event.currentTarget).get('name') ?? '').trim());
  };
  const change = (next: string): void => {
    setText(next);
    onTouch();
  };
  return (
    <form className="stack" onSubmit={send}>
      {isNameless ? (
        <Field label={t('inbox.yourName')}>
          <input className="input" name="name" autoComplete="name" required maxLength={100} />
        </Field>
      ) : null}
      {isAgent ? <QuickAnswers onChoose={change} /> : null}
      <Field label={t('inbox.message')} problem={problemText(words, error)}>
        <textarea
          className="input"
          value={text}
          maxLength={MAX_MESSAGE_TEXT}
          required
          onChange={({ target }) => change(target.value)}
        />
      </Field>
      <div>
        <Button kind="primary" type="submit" isDisabled={isPending || text.trim() === ''}>
          {t('inbox.send')}
        </Button>
      </div>
    </form>
  );
}

/** Put into the field, where they can be changed before they are sent. */
function QuickAnswers({ onChoose }: { readonly onChoose: (text: string) => void }) {
  const { t } = useText();
  const answers = [t('inbox.quick.available'), t('inbox.quick.tour'), t('inbox.quick.later')];
  return (
    <fieldset className="choices">
      <legend className="field-label">{t('inbox.quick')}</legend>
      {answers.map((answer) => (
        <Button key={answer} kind="pill" onPress={() => onChoose(answer)}>
          {answer}
        </Button>
      ))}
    </fieldset>
  );
}
