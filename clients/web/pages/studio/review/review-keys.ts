import { useEffect, useRef } from 'react';

export type ReviewKey =
  | 'approve'
  | 'reject'
  | 'next'
  | 'previous'
  | 'blink'
  | 'changes'
  | 'undo'
  | 'nearer'
  | 'farther'
  | 'whole'
  | 'left'
  | 'right'
  | 'up'
  | 'down'
  | 'help';

/** Keys of the review, by what `KeyboardEvent.key` says, in lower case. */
export const REVIEW_KEYS: readonly (readonly [key: string, action: ReviewKey])[] = [
  ['a', 'approve'],
  ['r', 'reject'],
  ['j', 'next'],
  ['k', 'previous'],
  [' ', 'blink'],
  ['c', 'changes'],
  ['z', 'undo'],
  ['+', 'nearer'],
  ['-', 'farther'],
  ['0', 'whole'],
  ['arrowleft', 'left'],
  ['arrowright', 'right'],
  ['arrowup', 'up'],
  ['arrowdown', 'down'],
  ['?', 'help'],
];

const TYPED = 'input:not([type=range], [type=radio], [type=checkbox]), textarea, select, [role=dialog]';
/** What a press of the space bar has a meaning for already. */
const PRESSED = 'button, a, summary, [type=checkbox]';

/**
 * Calls for the keys of the review, but not for what is typed into a field or a dialog. @param onKey returns whether it
 * has done something; otherwise the key does what it does everywhere
 */
export function useReviewKeys(onKey: (action: ReviewKey) => boolean): void {
  const latest = useRef(onKey);
  latest.current = onKey;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const { target, key, ctrlKey, metaKey, altKey } = event;
      if (ctrlKey || metaKey || altKey || event.repeat) return;
      if (target instanceof Element && target.closest(TYPED) !== null) return;
      const action = REVIEW_KEYS.find(([known]) => known === key.toLowerCase())?.[1];
      if (action === undefined) return;
      if (key === ' ' && target instanceof Element && target.closest(PRESSED) !== null) return;
      // Arrows move the slider, and the choice of a view.
      if (key.startsWith('Arrow') && target instanceof Element && target.closest('input') !== null) return;
      if (latest.current(action)) event.preventDefault();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
}
