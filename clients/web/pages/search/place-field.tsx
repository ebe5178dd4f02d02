import { useEffect, useId, useRef } from 'react';
import { Button } from '../../primitives/button.tsx';
import { Icon } from '../../primitives/icon.tsx';
import { useText } from '../../site/use-site.ts';
import type { SearchState } from './search-state.ts';
import { useCombobox } from './use-combobox.ts';
import type { Group } from './use-suggestions.ts';
import './place-field.css';

interface PlaceFieldProps {
  /** Of the input; the only one of the page. */
  readonly id: string;
  /** What the page searches now; suggestions keep its other filters. */
  readonly state: SearchState;
  /** The name of the place that is searched now. */
  readonly shown: string;
}

/**
 * The field of a place in a form, with its button: suggestions while one types, recent searches before. Without
 * JavaScript it is a plain field.
 */
export function PlaceField({ id, state, shown }: PlaceFieldProps) {
  const { t } = useText();
  const list = useId();
  const input = useRef<HTMLInputElement>(null);
  const known = useRef(shown);
  const { isListed, isWaiting, groups, active, count, close, choose, onText, onKeyDown } = useCombobox(
    state,
    shown,
  );
  useEffect(() => {
    // What was typed before the scripts were there stays.
    if (known.current === shown || input.current === null) return;
    known.current = shown;
    input.current.value = shown;
  }, [shown]);
  const said = t('search.suggestionCount', { count });
  return (
    <div className="place-field">
      <label className="visually-hidden" htmlFor={id}>
        {t('search.place')}
      </label>
      <input
        ref={input}
        id={id}
        className="input"
        type="search"
        name="q"
        defaultValue={shown}
        placeholder={t('search.placeHint')}
        maxLength={200}
        autoComplete="off"
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isListed}
        aria-controls={list}
        aria-activedescendant={isListed && active >= 0 ? `${list}-${active}` : undefined}
        onInput={({ currentTarget }) => onText(currentTarget.value)}
        onClick={({ currentTarget }) => onText(currentTarget.value)}
        onKeyDown={onKeyDown}
        onBlur={close}
      />
      <Button kind="icon" type="submit" aria-label={t('search.go')}>
        <Icon name="search" />
      </Button>
      <SuggestionList id={list} isShown={isListed} {...{ groups, active, isWaiting, choose }} />
      <p className="visually-hidden" role="status">
        {isListed && !isWaiting ? said : null}
      </p>
    </div>
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
