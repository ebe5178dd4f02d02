import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { problemText } from '../../../api/failures.ts';
import { Button } from '../../../primitives/button.tsx';
import { Field, Problem } from '../../../primitives/parts.tsx';
import { Sheet } from '../../../primitives/sheet.tsx';
import { usePerson } from '../../../session/person.ts';
import { useSite, useText } from '../../../site/use-site.ts';
import type { SearchState } from '../search-state.ts';
import { CadenceChoice } from './cadence.tsx';
import { filtersInWords, toSave } from './saved-filters.ts';
import {
  type Cadence,
  CHANNELS,
  mailsOf,
  mailsTo,
  type SavedSearch,
  useSavedSearches,
} from './saved-searches.ts';
import { LONGEST_NAME, nameOfSearch } from './search-name.ts';

export interface SaveSheetProps {
  readonly state: SearchState;
  /** Of the typed place, when the address names no place itself. */
  readonly placeId: string | null;
  /** The name of the place that is searched; null without one. */
  readonly place: string | null;
  /** What was saved of this search: it is changed here. */
  readonly saved: SavedSearch | null;
  readonly onClose: () => void;
}

/** Saves a search with its name and how often alerts come, or changes or removes one that is saved. */
export default function SaveSheet({ state, placeId, place, saved: now, onClose }: SaveSheetProps) {
  const { settings } = useSite();
  const { currency } = settings.site;
  const words = useText();
  const { t } = words;
  const searches = useSavedSearches();
  const shown = place === null ? state : { ...state, q: place };
  // What was saved when it was opened: it is no other sheet as soon as it is stored.
  const [saved] = useState(now);
  const [name, setName] = useState(saved?.name ?? nameOfSearch(state, place, words, currency));
  const [cadence, setCadence] = useState<Cadence>(saved === null ? 'DAILY' : mailsOf(saved));
  const { error, isPending, mutate } = useMutation({
    mutationFn: async (what: 'store' | 'remove') => {
      if (what === 'remove') await (saved === null ? null : searches.remove(saved));
      else if (saved !== null)
        await searches.update({ id: saved.id, name: name.trim(), ...mailsTo(saved, cadence) });
      else await searches.save({ ...toSave(state, placeId), name: name.trim(), cadence, channels: CHANNELS });
      onClose();
    },
  });
  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    mutate('store');
  };
  return (
    <Sheet title={t(saved === null ? 'searches.sheetTitle' : 'searches.editTitle')} onClose={onClose}>
      <form className="stack" onSubmit={onSubmit}>
        <p className="muted">
          {filtersInWords(shown, words, currency) || t('searches.everything')}
          {state.open === undefined ? null : ` ${t('searches.openLeftOut')}`}
        </p>
        <Field label={t('searches.name')}>
          <input
            className="input"
            value={name}
            required
            pattern=".*\S.*"
            maxLength={LONGEST_NAME}
            autoComplete="off"
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
        </Field>
        <CadenceChoice value={cadence} onChange={setCadence} />
        <MailedTo cadence={cadence} />
        <Problem text={problemText(words, error)} />
        <div className="row">
          <Button kind="primary" type="submit" isDisabled={isPending}>
            {t(saved === null ? 'search.save' : 'searches.change')}
          </Button>
          {saved === null ? null : (
            <Button kind="danger" isDisabled={isPending} onPress={() => mutate('remove')}>
              {t('searches.remove')}
            </Button>
          )}
        </div>
      </form>
    </Sheet>
  );
}

/** What the choice means, and the address that the mails go to. */
function MailedTo({ cadence }: { readonly cadence: Cadence }) {
  const { t } = useText();
  const email = usePerson()?.email;
  return (
    <p className="muted" role="status">
      {t(`searches.cadenceText.${cadence}`)}
      {cadence === 'NONE' || email === undefined ? null : ` ${t('searches.mailTo', { email })}`}
    </p>
  );
}
