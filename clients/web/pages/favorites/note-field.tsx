import { useEffect, useRef, useState } from 'react';
import { sendLast } from '../../api/last-call.ts';
import { FAVORITE_PAGES } from '../../api/queries.ts';
import { useSite, useText } from '../../site/use-site.ts';

const MOST = 500;
/** A pause in typing. */
const PAUSE_MS = 1_000;

type State = 'kept' | 'changed' | 'stored' | 'failed';

interface NoteFieldProps {
  readonly propertyId: string;
  /** Street and unit. */
  readonly address: string;
  readonly note: string | null;
}

/** The person's own words about a saved home: stored after a pause in typing, and when the field or the page is left. */
export function NoteField({ propertyId, address, note }: NoteFieldProps) {
  const { t } = useText();
  const { text, state, change, store } = useNote(propertyId, note);
  return (
    <div className="saved-note-field">
      <label className="field">
        <span className="field-label">
          {t('favorites.note')}
          <span className="visually-hidden">{` · ${address}`}</span>
        </span>
        <textarea
          className="input"
          value={text}
          maxLength={MOST}
          rows={2}
          dir="auto"
          placeholder={t('favorites.noteHint')}
          onChange={({ currentTarget }) => change(currentTarget.value)}
          onBlur={() => void store()}
        />
      </label>
      <p className="saved-note-state" role="status">
        {state === 'stored' ? t('favorites.noteStored') : null}
        {state === 'failed' ? t('favorites.noteNotStored') : null}
      </p>
    </div>
  );
}

function useNote(propertyId: string, note: string | null) {
  const { api, queries, person } = useSite();
  const [text, setText] = useState(note ?? '');
  const [state, setState] = useState<State>('kept');
  /** What the server is known to have, and what it should have. */
  const stored = useRef(note ?? '');
  const wanted = useRef(stored.current);
  const last = useRef(Promise.resolve());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const inputOf = (words: string) => ({ propertyId, note: words === '' ? null : words });
  const send = async (): Promise<void> => {
    const sent = wanted.current.trim();
    if (sent === stored.current) return;
    try {
      await api.favorites.setNote(inputOf(sent));
      stored.current = sent;
      if (wanted.current.trim() === sent) setState('stored');
      // Other orders of the list have the note too.
      void queries.invalidateQueries({ queryKey: FAVORITE_PAGES, refetchType: 'none' });
    } catch {
      setState('failed');
    }
  };
  /** One after the other, so that the last words count. */
  const store = (): Promise<void> => {
    clearTimeout(timer.current);
    last.current = last.current.then(send);
    return last.current;
  };
  const change = (value: string): void => {
    setText(value);
    setState('changed');
    wanted.current = value;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void store(), PAUSE_MS);
  };
  useLeaving({
    toPage: () => void store(),
    fromSite() {
      const words = wanted.current.trim();
      if (words !== stored.current)
        sendLast('favorites.setNote', { personId: person?.current(), input: inputOf(words) });
    },
  });
  return { text, state, change, store };
}

interface Leaving {
  /** Another page of the site is shown. */
  toPage(): void;
  /** The document is left. */
  fromSite(): void;
}

function useLeaving(leaving: Leaving): void {
  const latest = useRef(leaving);
  latest.current = leaving;
  useEffect(() => {
    const leave = () => latest.current.fromSite();
    addEventListener('pagehide', leave);
    return () => {
      removeEventListener('pagehide', leave);
      latest.current.toPage();
    };
  }, []);
}
