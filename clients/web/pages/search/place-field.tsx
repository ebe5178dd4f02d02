import { type ComponentType, useEffect, useId, useRef, useState } from 'react';
import { Button } from '../../primitives/button.tsx';
import { Icon } from '../../primitives/icon.tsx';
import { useSite, useText } from '../../site/use-site.ts';
import type { Listed, PlaceSuggestions } from './place-suggestions.tsx';
import type { SearchState } from './search-state.ts';
import type { Combobox } from './use-combobox.ts';
import './place-field.css';

interface PlaceFieldProps {
  /** Of the input; the only one of the page. */
  readonly id: string;
  /** What the page searches now; suggestions keep its other filters. */
  readonly state: SearchState;
  /** The name of the place that is searched now. */
  readonly shown: string;
}

const CLOSED: Listed = { isListed: false, active: undefined };

/**
 * The field of a place in a form, with its button. Suggestions are loaded when it is first used; until they are there,
 * and without JavaScript, it is a plain field.
 */
export function PlaceField({ id, state, shown }: PlaceFieldProps) {
  const { t } = useText();
  const list = useId();
  const input = useRef<HTMLInputElement>(null);
  const known = useRef(shown);
  const keys = useRef<Combobox | null>(null);
  const [listed, setListed] = useState(CLOSED);
  const { Suggestions, entered, load, enter } = useLoadedSuggestions(keys);
  useEffect(() => {
    // What was typed before the scripts were there stays.
    if (known.current === shown || input.current === null) return;
    known.current = shown;
    input.current.value = shown;
  }, [shown]);
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
        aria-expanded={listed.isListed}
        aria-controls={list}
        aria-activedescendant={listed.active}
        onFocus={load}
        onInput={({ currentTarget }) => enter(currentTarget.value)}
        onClick={({ currentTarget }) => enter(currentTarget.value)}
        onKeyDown={(event) => keys.current?.onKeyDown(event)}
        onBlur={() => keys.current?.close()}
      />
      <Button kind="icon" type="submit" aria-label={t('search.go')}>
        <Icon name="search" />
      </Button>
      {Suggestions === null ? null : (
        <Suggestions id={list} entered={entered()} onListed={setListed} {...{ state, shown, keys }} />
      )}
    </div>
  );
}

/** Loads the suggestions and their words. Where they cannot be loaded, the field stays a plain one. */
function useLoadedSuggestions(keys: { readonly current: Combobox | null }) {
  const { language } = useSite();
  const [Suggestions, setSuggestions] = useState<ComponentType<
    Parameters<typeof PlaceSuggestions>[0]
  > | null>(null);
  /** What was entered until they are there. */
  const waiting = useRef<string | null>(null);
  const isAsked = useRef(false);
  return {
    Suggestions,
    entered: () => waiting.current,
    load: (): void => {
      if (isAsked.current) return;
      isAsked.current = true;
      Promise.all([import('./place-suggestions.tsx'), language.addWords(['search', 'features'])]).then(
        ([{ PlaceSuggestions: Loaded }]) => setSuggestions(() => Loaded),
        () => {
          isAsked.current = false;
        },
      );
    },
    enter: (text: string): void => {
      if (keys.current === null) waiting.current = text;
      else keys.current.onText(text);
    },
  };
}
