import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { streetLine } from '../../../../i18n/address-line.ts';
import { type FavoriteSort, favoritePages } from '../../api/queries.ts';
import { ButtonLink } from '../../primitives/button.tsx';
import { LoadFailed, LoadMore } from '../../primitives/list-parts.tsx';
import { CompareButton } from '../../primitives/mark-buttons.tsx';
import { EmptyState, Field, Skeleton } from '../../primitives/parts.tsx';
import { PropertyCard } from '../../primitives/property-card.tsx';
import { SignInPrompt } from '../../primitives/sign-in-prompt.tsx';
import { usePerson } from '../../session/person.ts';
import { useMarksOfPerson } from '../../session/use-home-marks.ts';
import { useSite, useText } from '../../site/use-site.ts';
import { NoteField } from './note-field.tsx';
import { SavedChange } from './saved-change.tsx';
import { ShareList } from './share-list.tsx';
import './favorites.css';

const SORTS: readonly FavoriteSort[] = ['SAVED', 'CHANGED', 'PRICE_UP', 'PRICE_DOWN'];

/** The homes that the person has saved: what has changed since, the person's notes, and the way to show them to others. */
export function Component() {
  const { t } = useText();
  const person = usePerson();
  useMarksOfPerson();
  return (
    <div className="page">
      <h1>{t('tabs.favorites')}</h1>
      {person === undefined ? (
        <Skeleton height="20rem" />
      ) : person === null ? (
        <SignInPrompt title={t('favorites.promptTitle')} text={t('favorites.promptText')} path="/favorites" />
      ) : (
        <Saved />
      )}
    </div>
  );
}

function Saved() {
  const { api } = useSite();
  const { t } = useText();
  const [sort, setSort] = useState<FavoriteSort>('SAVED');
  const list = useInfiniteQuery({
    ...favoritePages(api, sort),
    // The other order is shown when it is there.
    placeholderData: (before) => before,
  });
  if (list.isPending) return <Skeleton height="20rem" />;
  if (list.isError) return <LoadFailed onRetry={() => void list.refetch()} />;
  const cards = list.data.pages.flatMap(({ items }) => items);
  if (cards.length === 0)
    return (
      <EmptyState
        title={t('favorites.noneTitle')}
        action={<ButtonLink to="/search">{t('search.title')}</ButtonLink>}
      >
        <p className="muted">{t('favorites.noneText')}</p>
      </EmptyState>
    );
  return (
    <>
      <ShareList />
      <SortField sort={sort} onChange={setSort} />
      <ul className="grid-cards">
        {cards.map((card, index) => (
          <li key={card.propertyId} className="saved-home">
            <PropertyCard card={card} isFirst={index === 0} />
            <SavedChange card={card} />
            <NoteField propertyId={card.propertyId} address={streetLine(card)} note={card.note} />
            <div>
              <CompareButton propertyId={card.propertyId} address={streetLine(card)} />
            </div>
          </li>
        ))}
      </ul>
      <LoadMore list={list} />
    </>
  );
}

interface SortFieldProps {
  readonly sort: FavoriteSort;
  readonly onChange: (sort: FavoriteSort) => void;
}

function SortField({ sort, onChange }: SortFieldProps) {
  const { t } = useText();
  return (
    <div className="saved-sort">
      <Field label={t('favorites.sort')}>
        <select
          className="input"
          value={sort}
          onChange={({ currentTarget }) => onChange(currentTarget.value as FavoriteSort)}
        >
          {SORTS.map((one) => (
            <option key={one} value={one}>
              {t(`favorites.sort.${one}`)}
            </option>
          ))}
        </select>
      </Field>
    </div>
  );
}
