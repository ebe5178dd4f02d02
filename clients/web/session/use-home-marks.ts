import { useEffect, useSyncExternalStore } from 'react';
import type { HomeMarks } from '../site/site.ts';
import { useSite } from '../site/use-site.ts';
import { usePerson } from './person.ts';

/** What a page that the server draws knows, which is the same for everyone. */
const NO_MARKS: HomeMarks = { seen: [], hidden: [], compared: [] };
const NEVER = () => () => {};

/** What `select` finds in the marks. It must give the same value for the same marks: a text, a number or one of their lists. */
export function useHomeMarks<Found>(select: (marks: HomeMarks) => Found): Found {
  const { marks } = useSite();
  return useSyncExternalStore(
    marks?.subscribe ?? NEVER,
    () => select(marks?.current() ?? NO_MARKS),
    () => select(NO_MARKS),
  );
}

/** Asks for the marks of the person who is signed in, as soon as that is known. For lists of homes, once a page. */
export function useMarksOfPerson(): void {
  const { marks } = useSite();
  const personId = usePerson()?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: whose marks they are is known by then
  useEffect(() => marks?.refresh(), [marks, personId]);
}
