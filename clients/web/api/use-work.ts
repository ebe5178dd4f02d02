import { useState } from 'react';
import { failureOf } from './failures.ts';

/** Sign-in's own codes have their message under `errors.`; other errors name it. @returns a key of the catalogs */
function problemOf(error: unknown): string {
  const { messageKey, errorCode } = failureOf(error);
  if (messageKey !== null) return messageKey;
  if (errorCode === null) return 'errors.notReached';
  return `errors.${errorCode.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())}`;
}

/** Work that a form starts: whether it goes on, and the key of the message when it has failed. */
export function useWork() {
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const run = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setProblem(null);
    try {
      await work();
    } catch (error) {
      setProblem(problemOf(error));
    } finally {
      setBusy(false);
    }
  };
  return { problem, isBusy, run };
}
