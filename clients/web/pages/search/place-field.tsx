import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { Button } from '../../primitives/button.tsx';
import { Icon } from '../../primitives/icon.tsx';
import { useText } from '../../site/use-site.ts';
import type { SearchState } from './search-state.ts';
import { useSuggestions } from './use-suggestions.ts';
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
 * The field of a place in a form, with its button: suggestions while one types, recent searches before. Enter sends the
 * form, unless the arrow keys have gone to a suggestion; suggestions that come later do not open again. Without
 * JavaScript it is a plain field.
 */
export function PlaceField({ id, state, shown }: PlaceFieldProps) {
  const { t } = useText();
  const list = useId();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(shown);
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const { groups, isWaiting } = useSuggestions(isOpen ? text : null, state);
  const choices = groups.flatMap(({ choices: all }) => all);
  const known = useRef(shown);
  useEffect(() => {
    // What was typed before the scripts were there stays.
    if (known.current === shown || input.current === null) return;
    known.current = shown;
    input.current.value = shown;
  }, [shown]);
  const close = (): void => {
    setOpen(false);
    setActive(-1);
  };
  const open = (typed: string): void => {
    setText(typed);
    setActive(-1);
    setOpen(true);
  };
  const choose = (index: number): void => {
    close();
    choices[index]?.choose();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      if (!isOpen) open(event.currentTarget.value);
      else if (choices.length > 0)
        setActive(active < 0 && step < 0 ? choices.length - 1 : (active + step + choices.length) % choices.length);
    } else if (event.key === 'Escape' && isOpen) {
      // The search field of a browser would empty itself.
      event.preventDefault();
      close();
    } else if (event.key === 'Enter') {
      if (isOpen && active >= 0 && active < choices.length) event.preventDefault();
      choose(isOpen ? active : -1);
    }
  };
  const isListed = isOpen && (choices.length > 0 || text.trim() !== '');
  let index = -1;
  return (
    <div className="place-field" onBlur={({ relatedTarget, currentTarget }) => (currentTarget.contains(relatedTarget) ? null : close())}>
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
        onInput={({ currentTarget }) => open(currentTarget.value)}
        onClick={({ currentTarget }) => open(currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <Button kind="icon" type="submit" aria-label={t('search.go')}>
        <Icon name="search" />
      </Button>
      <div className="place-field-list" id={list} role="listbox" aria-label={t('search.suggestions')} hidden={!isListed}>
        {groups.map(({ name, choices: all }) => (
          <div key={name} role="group" aria-label={name}>
            <p className="place-field-group" aria-hidden="true">
              {name}
            </p>
            {all.map(({ id: key, label, count }) => {
              index += 1;
              const at = index;
              return (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and takes the keys
                <div
                  key={key}
                  id={`${list}-${at}`}
                  role="option"
                  tabIndex={-1}
                  className="place-field-item"
                  aria-selected={at === active}
                  // The focus stays in the field.
                  onMouseDown={(event) => event.preventDefault()}
                  onClick={() => choose(at)}
                >
                  <span>{label}</span>
                  {count === null ? null : <span className="muted">{t('search.total', { count })}</span>}
                </div>
              );
            })}
          </div>
        ))}
      </div>
      {isListed && choices.length === 0 ? (
        <p className="place-field-list place-field-group">{t(isWaiting ? 'common.loading' : 'search.noSuggestion')}</p>
      ) : null}
      <p className="visually-hidden" role="status">
        {isListed && !isWaiting ? t('search.suggestionCount', { count: choices.length }) : ''}
      </p>
    </div>
  );
}
