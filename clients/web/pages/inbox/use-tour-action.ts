import { useState } from 'react';
import { problemKey } from '../../api/failures.ts';
import { TOURS } from '../../api/queries.ts';
import { useSite } from '../../site/use-site.ts';

/** Does something with a tour and shows the tours as they are then. What the other side changed meanwhile is shown too. */
export function useTourAction() {
  const { queries, notices } = useSite();
  const [isBusy, setBusy] = useState(false);
  const act = async (work: () => Promise<unknown>): Promise<void> => {
    setBusy(true);
    try {
      await work();
    } catch (error) {
      notices.say(problemKey(error));
    }
    await queries.invalidateQueries({ queryKey: TOURS });
    setBusy(false);
  };
  return { act, isBusy };
}
