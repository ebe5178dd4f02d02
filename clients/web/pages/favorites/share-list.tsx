import { useQuery } from '@tanstack/react-query';
import { useId, useRef, useState } from 'react';
import { problemKey } from '../../api/failures.ts';
import { sharing } from '../../api/queries.ts';
import { Button } from '../../primitives/button.tsx';
import { CheckboxRow } from '../../primitives/choices.tsx';
import { Field, Problem } from '../../primitives/parts.tsx';
import { usePerson } from '../../session/person.ts';
import { useSite, useText } from '../../site/use-site.ts';

/** Shows the saved homes to others: an address that is made here, and ended here. */
export function ShareList() {
  const { api } = useSite();
  const { t } = useText();
  const { data } = useQuery(sharing(api));
  const [made, setMade] = useState<Made | null>(null);
  const shared = data?.sharing ?? null;
  // Another window may have made a newer address, which ends this one.
  const url = made !== null && made.sharedAt === shared?.sharedAt ? made.url : null;
  return (
    <details className="panel saved-share">
      <summary>{t(shared === null ? 'share.title' : 'share.titleShared')}</summary>
      {shared === null ? null : <Shared sharing={shared} url={url} />}
      {data === undefined ? null : <ShareForm isAgain={shared !== null} onMade={setMade} />}
    </details>
  );
}

interface Made {
  readonly url: string;
  readonly sharedAt: string;
}

interface SharedProps {
  readonly sharing: { readonly name: string; readonly withNotes: boolean; readonly sharedAt: string };
  /** Null when it was made before: only its hash is stored. */
  readonly url: string | null;
}

function Shared({ sharing: { name, withNotes, sharedAt }, url }: SharedProps) {
  const { api, queries, notices } = useSite();
  const { t, date } = useText();
  const field = useRef<HTMLInputElement>(null);
  const copy = async (address: string): Promise<void> => {
    field.current?.select();
    try {
      await navigator.clipboard.writeText(address);
      notices.say('share.copied');
    } catch {
      // The address is selected: the keyboard copies it.
    }
  };
  const end = async (): Promise<void> => {
    try {
      await api.favorites.unshare();
      notices.say('share.ended');
    } catch (error) {
      notices.say(problemKey(error));
    }
    await queries.invalidateQueries({ queryKey: sharing(api).queryKey });
  };
  return (
    <div className="stack">
      <p>{t(withNotes ? 'share.seenWithNotes' : 'share.seen', { name, date: date(sharedAt) })}</p>
      {url === null ? (
        <p className="muted">{t('share.addressOnce')}</p>
      ) : (
        <Field label={t('share.address')}>
          <input ref={field} className="input saved-address" readOnly value={url} />
        </Field>
      )}
      <div className="row">
        {url === null ? null : (
          <Button kind="primary" onPress={() => void copy(url)}>
            {t('share.copy')}
          </Button>
        )}
        <Button kind="danger" onPress={() => void end()}>
          {t('share.end')}
        </Button>
      </div>
    </div>
  );
}

interface ShareFormProps {
  /** The address that there is ends with the new one. */
  readonly isAgain: boolean;
  readonly onMade: (made: Made) => void;
}

function ShareForm({ isAgain, onMade }: ShareFormProps) {
  const { api, queries } = useSite();
  const { t } = useText();
  const person = usePerson();
  const [name, setName] = useState(person?.name ?? '');
  const [withNotes, setWithNotes] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const id = useId();
  const share = async (): Promise<void> => {
    setProblem(null);
    try {
      const { url, ...now } = await api.favorites.share({ name, withNotes });
      queries.setQueryData(sharing(api).queryKey, { sharing: now });
      onMade({ url, sharedAt: now.sharedAt });
    } catch (error) {
      setProblem(t(problemKey(error)));
      // A failed call may have ended the address all the same.
      await queries.invalidateQueries({ queryKey: sharing(api).queryKey });
    }
  };
  return (
    <form
      className="stack"
      aria-labelledby={id}
      onSubmit={(event) => {
        event.preventDefault();
        void share();
      }}
    >
      <p id={id}>{t(isAgain ? 'share.again' : 'share.text')}</p>
      <Field label={t('share.name')}>
        <input
          className="input"
          value={name}
          required
          maxLength={100}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
      </Field>
      <CheckboxRow label={t('share.withNotes')} isChosen={withNotes} onChange={setWithNotes} />
      <Problem text={problem} />
      <div>
        <Button type="submit">{t(isAgain ? 'share.makeAgain' : 'share.make')}</Button>
      </div>
    </form>
  );
}
