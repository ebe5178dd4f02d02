import { useRouterState } from '@tanstack/react-router';
import { type MouseEvent, type RefObject, useEffect, useRef } from 'react';

/** The link that each entry of the history was left by, latest last. */
const left = new Map<string, string>();
const MOST = 50;

/**
 * Gives the focus back to the link by which a list was left, when Back leads to it. The router gives back how far it was
 * scrolled.
 * @param isShown whether the list has its links
 * @returns for the clicks of the list
 */
export function useReturn(list: RefObject<HTMLElement | null>, isShown: boolean) {
  const entry = useRouterState({ select: ({ location }) => location.state.__TSR_key ?? '' });
  const isDone = useRef(false);
  useEffect(() => {
    if (isDone.current || !isShown) return;
    isDone.current = true;
    const href = left.get(entry);
    if (href === undefined) return;
    const links = list.current?.querySelectorAll('a') ?? [];
    [...links].find((link) => link.getAttribute('href') === href)?.focus({ preventScroll: true });
  }, [entry, isShown, list]);
  return ({ target }: MouseEvent): void => {
    const href = target instanceof Element ? target.closest('a')?.getAttribute('href') : null;
    if (href == null) return;
    left.delete(entry);
    left.set(entry, href);
    const [oldest] = left.keys();
    if (left.size > MOST && oldest !== undefined) left.delete(oldest);
  };
}
