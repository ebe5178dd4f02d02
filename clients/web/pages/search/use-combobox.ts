import { type KeyboardEvent, useState } from 'react';
import type { SearchState } from './search-state.ts';
import { useSuggestions } from './use-suggestions.ts';

/**
 * The suggestions of a text field and its keys. Enter sends the field's form, unless the arrow keys have gone to a
 * suggestion; then it takes that. What is suggested after that does not open again.
 * @param entered what was entered before, which opens it; null for nothing
 */
export function useCombobox(state: SearchState, shown: string, entered: string | null) {
  const [text, setText] = useState(entered ?? shown);
  const [isOpen, setOpen] = useState(entered !== null);
  const [active, setActive] = useState(-1);
  const { groups, isWaiting } = useSuggestions(isOpen ? text : null, state);
  const choices = groups.flatMap(({ choices: all }) => all);
  const close = (): void => {
    setOpen(false);
    setActive(-1);
  };
  const onText = (typed: string): void => {
    setText(typed);
    setActive(-1);
    setOpen(true);
  };
  const choose = (index: number): void => {
    close();
    choices[index]?.choose();
  };
  const move = (step: number): void => {
    const from = active < 0 && step < 0 ? 0 : active;
    if (choices.length > 0) setActive((from + step + choices.length) % choices.length);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      if (isOpen) move(step);
      else onText(event.currentTarget.value);
    } else if (event.key === 'Escape' && isOpen) {
      // The search field of a browser would empty itself.
      event.preventDefault();
      close();
    } else if (event.key === 'Enter' && active in choices) {
      event.preventDefault();
      choose(active);
    } else if (event.key === 'Enter') close();
  };
  return {
    /** Whether there is something to show, were it only that nothing is suggested. */
    isListed: isOpen && (choices.length > 0 || text.trim() !== ''),
    isWaiting,
    groups,
    /** The suggestion of the arrow keys, counted over all groups; -1 for none. */
    active,
    count: choices.length,
    close,
    choose,
    onText,
    onKeyDown,
  };
}

export type Combobox = ReturnType<typeof useCombobox>;
