import { type RefObject, useEffect, useLayoutEffect } from 'react';
import { useText } from '../../site/use-site.ts';
import type { SearchState } from './search-state.ts';
import { type Combobox, useCombobox } from './use-combobox.ts';
import type { Group } from './use-suggestions.ts';

/** What the field says of its list. */
export interface Listed {
  readonly isListed: boolean;
  /** The id of the suggestion that the arrow keys have gone to. */
  readonly active: string | undefined;
}

interface PlaceSuggestionsProps {
  /** Of the list. */
  readonly id: string;
  readonly state: SearchState;
  readonly shown: string;
  /** What was entered while this was loading; null for nothing. */
  readonly entered: string | null;
  /** Takes what the field's events call. */
  readonly keys: RefObject<Combobox | null>;
  readonly onListed: (listed: Listed) => void;
}

/** The list under a field of a place: suggestions while one types, recent searches before. Loaded on use. */
export function PlaceSuggestions({ id, state, shown, entered, keys, onListed }: PlaceSuggestionsProps) {
  const { t } = useText();
  const combobox = useCombobox(state, shown, entered);
  const { isListed, isWaiting, groups, active, count, choose } = combobox;
  useLayoutEffect(() => {
    keys.current = combobox;
  });
  const activeId = isListed && active >= 0 ? `${id}-${active}` : undefined;
  useEffect(() => onListed({ isListed, active: activeId }), [isListed, activeId, onListed]);
  return (
    <>
      <SuggestionList id={id} isShown={isListed} {...{ groups, active, isWaiting, choose }} />
      <p className="visually-hidden" role="status">
        {isListed && !isWaiting ? t('search.suggestionCount', { count }) : null}
      </p>
    </>
  );
}

interface SuggestionListProps {
  readonly id: string;
  readonly isShown: boolean;
  readonly isWaiting: boolean;
  readonly groups: readonly Group[];
  /** Counted over all groups. */
  readonly active: number;
  readonly choose: (index: number) => void;
}

function SuggestionList({ id, isShown, isWaiting, groups, active, choose }: SuggestionListProps) {
  const { t } = useText();
  const choices = groups.flatMap(({ choices: all }) => all);
  if (isShown && choices.length === 0)
    return (
      <p className="place-field-list place-field-group" id={id}>
        {t(isWaiting ? 'common.loading' : 'search.noSuggestion')}
      </p>
    );
  return (
    <div
      className="place-field-list"
      id={id}
      role="listbox"
      aria-label={t('search.suggestions')}
      hidden={!isShown}
    >
      {groups.map(({ name, choices: ofGroup }) => (
        // biome-ignore lint/a11y/useSemanticElements: a group of options, not of controls
        <div key={name} role="group" aria-label={name}>
          <p className="place-field-group" aria-hidden="true">
            {name}
          </p>
          {ofGroup.map((choice) => {
            const index = choices.indexOf(choice);
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and takes the keys
              <div
                key={choice.id}
                id={`${id}-${index}`}
                role="option"
                tabIndex={-1}
                className="place-field-item"
                aria-selected={index === active}
                // The focus stays in the field.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => choose(index)}
              >
                <span>{choice.label}</span>
                {choice.count === null ? null : (
                  <span className="muted">{t('search.total', { count: choice.count })}</span>
                )}
              </div>
            );
          })}
        </div>
      ))}
    </div>
  );
}
