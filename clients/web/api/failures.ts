import type { Text } from '../words/text.ts';

/** What pages need to know of a failed call, whether it failed in the browser or on the server. */
export interface Failure {
  readonly httpStatus: number | null;
  readonly errorCode: string | null;
  readonly messageKey: string | null;
  /** When a limit is whole again. */
  readonly resetsAt: string | null;
}

const UNKNOWN: Failure = { httpStatus: null, errorCode: null, messageKey: null, resetsAt: null };

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

/** The message for a failed mutation; null without an error. A limit says until when it holds, in the zone of the browser. */
export const problemText = (text: Text, error: Error | null): string | null =>
  error === null
    ? null
    : limitText(text, { problem: problemKey(error), resetsAt: failureOf(error).resetsAt });

/** The message of a key, with the time when a limit is whole again. */
export function limitText(
  { t, dateTime }: Text,
  { problem, resetsAt }: { readonly problem: string; readonly resetsAt: string | null },
): string {
  if (resetsAt === null) return t(problem);
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return `${t(problem)} ${t('quota.until', { when: dateTime(resetsAt, timeZone) })}`;
}
