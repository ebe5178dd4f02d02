import { useState } from 'react';
import { problemKey } from '../../api/failures.ts';
import { useTurns } from '../../primitives/use-turns.ts';
import { useSite } from '../../site/use-site.ts';

/** Does something for the agent, one thing after the other; a failure is said over the page. */
export function useAct() {
  const { notices } = useSite();
  const [open, setOpen] = useState(0);
  const inTurn = useTurns();
  const run = async (work: () => Promise<unknown>): Promise<boolean> => {
    try {
      await work();
      return true;
    } catch (error) {
      notices.say(problemKey(error));
      return false;
    } finally {
      setOpen((count) => count - 1);
    }
  };
  /** @returns whether it was done */
  const act = (work: () => Promise<unknown>): Promise<boolean> => {
    setOpen((count) => count + 1);
    return inTurn(() => run(work));
  };
  return { isBusy: open > 0, act };
}
