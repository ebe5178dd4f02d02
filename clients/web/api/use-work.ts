import { useState } from 'react';
import { problemKey } from './failures.ts';

/** Work that a form starts: whether it is running, and the key of the message when it has failed. */
export function useWork() {
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const run = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setProblem(null);
    try {
      await work();
    } catch (error) {
      setProblem(problemKey(error));
    } finally {
      setBusy(false);
    }
  };
  return { problem, isBusy, run };
}
