import type { Text } from '../words/text.ts';

/** What pages need to know of a failed call, whether it failed in the browser or on the server. */
export interface Failure {
  readonly httpStatus: number | null;
  readonly errorCode: string | null;
  readonly messageKey: string | null;
}

const UNKNOWN: Failure = { httpStatus: null, errorCode: null, messageKey: null };

/** The error of a call as far as it is one; all null for the network and for defects. */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof Error) || !('httpStatus' in error)) return UNKNOWN;
  return { ...UNKNOWN, ...(error as Partial<Failure>) };
}

/** Whether a call was refused because another person is signed in now. */
export const isOfOther = (error: unknown): boolean => failureOf(error).errorCode === 'PERSON_CHANGED';

/** The key of the message for a failed call: the server's, or one for a call that got no answer of ours. */
export function problemKey(error: unknown): string {
  const { messageKey, httpStatus } = failureOf(error);
  return messageKey ?? (httpStatus === null ? 'errors.notReached' : 'errors.internal');
}

/** The message for a failed mutation; null without an error. */
export const problemText = ({ t }: Text, error: Error | null): string | null =>
  error === null ? null : t(problemKey(error));
