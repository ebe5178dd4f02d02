import { useNavigate, useSearch } from '@tanstack/react-router';
import { useRef } from 'react';
import type { Variant } from '../studio-queries.ts';
import { VIEWS, type View } from './compare-picture.tsx';

/** The state of the page that its address holds, so that a reload shows the same. */
interface ReviewAddress {
  readonly picture?: string;
  readonly view?: View | 'several';
}

/** Which picture of the queue is looked at, and in which view. */
export function useReviewPlace(propertyId: string, queue: readonly Variant[]) {
  const { picture, view: chosenView } = useSearch({ from: '/studio/$propertyId/review' }) as ReviewAddress;
  const navigate = useNavigate();
  const last = useRef(0);
  const found = queue.findIndex(({ imageId }) => imageId === picture);
  // A picture that another agent has decided on gives its place to the next one.
  const index = found < 0 ? Math.max(0, Math.min(last.current, queue.length - 1)) : found;
  last.current = index;
  const show = (next: ReviewAddress): void =>
    void navigate({
      to: '/studio/$propertyId/review',
      params: { propertyId },
      search: {
        ...(picture === undefined ? {} : { picture }),
        ...(chosenView === undefined ? {} : { view: chosenView }),
        ...next,
      },
      replace: true,
      resetScroll: false,
    });
  const showPicture = (next: Variant | undefined): void => {
    if (next !== undefined) show({ picture: next.imageId });
  };
  return {
    index,
    current: queue[index],
    view: VIEWS.find((known) => known === chosenView) ?? 'slider',
    isSeveral: chosenView === 'several',
    setView: (view: View | 'several') => show({ view }),
    /** After the last one comes the first. */
    turn: (by: number) => showPicture(queue[(index + by + queue.length) % queue.length]),
    /** Leaves a picture that was decided for the one after it, at the end of the queue for the one before. */
    leave: () => showPicture(queue[index + 1] ?? queue[index - 1]),
  };
}
