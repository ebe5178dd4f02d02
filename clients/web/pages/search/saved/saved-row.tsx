import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { problemText } from '../../../api/failures.ts';
import { Button } from '../../../primitives/button.tsx';
import { Problem, StatusBadge } from '../../../primitives/parts.tsx';
import { useSite, useText } from '../../../site/use-site.ts';
import { writeState } from '../search-state.ts';
import { CadenceSelect } from './cadence.tsx';
import { filtersInWords, stateOf } from './saved-filters.ts';
import { mailsOf, mailsTo, type SavedSearch, useSavedSearches } from './saved-searches.ts';
import { LONGEST_NAME } from './search-name.ts';

type Change = Omit<Parameters<ReturnType<typeof useSavedSearches>['update']>[0], 'id'>;

/** A saved search: what it finds, what is new in it, and how often mails tell of it. */
export function SavedRow({ search }: { readonly search: SavedSearch }) {
  const { settings } = useSite();
  const { currency, areaUnits } = settings.site;
  const text = useText();
  const { t } = text;
  const { update, remove } = useSavedSearches();
  const [isNaming, setNaming] = useState(false);
  const { id, name, newHomes } = search;
  const state = stateOf(search, areaUnits);
  const { error, isPending, mutate, variables } = useMutation({
    mutationFn: (change: Change | null) => (change === null ? remove(search) : update({ id, ...change })),
  });
  const end = (): void => setNaming(false);
  const wanted = isPending ? variables : null;
  return (
    <li className="panel saved-search">
      {isNaming ? (
        <NameField
          name={name}
          onName={(next) => {
            end();
            if (next !== name) mutate({ name: next });
          }}
          onCancel={end}
        />
      ) : (
        <div className="saved-search-head">
          <h2>
            <Link to="/search" search={writeState(state)}>
              {wanted?.name ?? name}
            </Link>
          </h2>
          {newHomes === 0 ? null : (
            <StatusBadge tone="primary">{t('searches.newHomes', { count: newHomes })}</StatusBadge>
          )}
        </div>
      )}
      <p className="muted">{filtersInWords(state, text, currency) || t('searches.everything')}</p>
      <div className="saved-search-foot">
        <div className="saved-search-mails">
          <CadenceSelect
            of={name}
            value={mailsOf({ ...search, ...wanted })}
            onChange={(next) => mutate(mailsTo(search, next))}
          />
        </div>
        <div className="row">
          <RenameButton name={name} isNaming={isNaming} onPress={() => setNaming(true)} />
          <Button kind="quiet" isDisabled={isPending} onPress={() => mutate(null)}>
            {t('searches.remove')}
            <span className="visually-hidden">{name}</span>
          </Button>
        </div>
      </div>
      <Problem text={problemText(text, error)} />
    </li>
  );
}

interface RenameButtonProps {
  readonly name: string;
  readonly isNaming: boolean;
  readonly onPress: () => void;
}

/** Takes the focus back when the name is given. */
function RenameButton({ name, isNaming, onPress }: RenameButtonProps) {
  const { t } = useText();
  const place = useRef<HTMLSpanElement>(null);
  const wasNaming = useRef(false);
  useEffect(() => {
    if (wasNaming.current && !isNaming) place.current?.querySelector('button')?.focus();
    wasNaming.current = isNaming;
  }, [isNaming]);
  return (
    <span ref={place}>
      <Button kind="quiet" isDisabled={isNaming} onPress={onPress}>
        {t('searches.rename')}
        <span className="visually-hidden">{name}</span>
      </Button>
    </span>
  );
}

interface NameFieldProps {
  readonly name: string;
  readonly onName: (name: string) => void;
  readonly onCancel: () => void;
}

/** Enter takes the name, Escape leaves it as it was. */
function NameField({ name, onName, onCancel }: NameFieldProps) {
  const { t } = useText();
  const [draft, setDraft] = useState(name);
  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    onName(draft.trim());
  };
  return (
    <form className="saved-search-head" onSubmit={onSubmit}>
      <input
        className="input"
        aria-label={t('searches.name')}
        value={draft}
        required
        pattern=".*\S.*"
        maxLength={LONGEST_NAME}
        autoComplete="off"
        // biome-ignore lint/a11y/noAutofocus: it was asked for by a press
        autoFocus
        onFocus={({ currentTarget }) => currentTarget.select()}
        onChange={({ currentTarget }) => setDraft(currentTarget.value)}
        onKeyDown={({ key }) => (key === 'Escape' ? onCancel() : undefined)}
      />
      <Button type="submit">{t('common.save')}</Button>
    </form>
  );
}
