import { useState } from 'react';
import { useSite } from '../../app/use-site.ts';
import { problemKey } from './problems.ts';

/** Does something for the agent, one thing at a time; a failure is said over the page. */
export function useAct() {
  const { notices } = useSite();
  const [isBusy, setBusy] = useState(false);
  /** @returns whether it was done */
  const act = async (work: () => Promise<unknown>): Promise<boolean> => {
    setBusy(true);
    try {
      await work();
      return true;
    } catch (error) {
      notices.say(problemKey(error));
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, act };
}
