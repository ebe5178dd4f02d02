import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { FAVORITE_PAGES } from '../../api/queries.ts';
import { useDraft, useStoreAfterPause } from '../../primitives/use-draft.ts';
import { useTurns } from '../../primitives/use-turns.ts';
import { useSite, useText } from '../../site/use-site.ts';

const MOST = 500;

interface NoteFieldProps {
  readonly propertyId: string;
  /** Street and unit. */
  readonly address: string;
  readonly note: string | null;
}

/** The person's own words about a saved home, which are saved by themselves. */
export function NoteField({ propertyId, address, note }: NoteFieldProps) {
  const { t } = useText();
  const { stored, hasFailed, isSaved, save } = useNote(propertyId, note ?? '');
  const draft = useDraft(stored);
  const store = (text: string): void => draft.settle(text.trim() === stored || save(text.trim()));
  useStoreAfterPause(draft, store);
  return (
    <div className="saved-note-field">
      <label className="field">
        <span className="field-label">
          {t('favorites.note')}
          <span className="visually-hidden">{` · ${address}`}</span>
        </span>
        <textarea
          className="input"
          value={draft.value}
          maxLength={MOST}
          rows={2}
          dir="auto"
          placeholder={t('favorites.noteHint')}
          onChange={({ currentTarget }) => draft.type(currentTarget.value)}
          onBlur={() => store(draft.value)}
        />
      </label>
      <p className="saved-note-state" role="status">
        {hasFailed
          ? t('favorites.noteNotStored')
          : isSaved && !draft.isTyped
            ? t('favorites.noteStored')
            : null}
      </p>
    </div>
  );
}

/** The note as the server has it, and how it is saved: one text after the other, so that the last one counts. */
function useNote(propertyId: string, note: string) {
  const { api } = useSite();
  const queries = useQueryClient();
  const [stored, setStored] = useState(note);
  const [outcome, setOutcome] = useState<'saved' | 'failed' | null>(null);
  const inTurn = useTurns();
  const send = async (text: string): Promise<boolean> => {
    try {
      await api.favorites.setNote({ propertyId, note: text === '' ? null : text });
    } catch {
      setOutcome('failed');
      return false;
    }
    setStored(text);
    setOutcome('saved');
    // Other orders of the list have the note too.
    void queries.invalidateQueries({ queryKey: FAVORITE_PAGES, refetchType: 'none' });
    return true;
  };
  return {
    stored,
    hasFailed: outcome === 'failed',
    isSaved: outcome === 'saved',
    save: (text: string): Promise<boolean> => inTurn(() => send(text)),
  };
}
