import { PublicError } from './errors.ts';

/** The value that was read. @throws PublicError NOT_FOUND when there is none, or none that the caller may see. */
export function found<T>(read: T | null | undefined): T {
  if (read === null || read === undefined) throw new PublicError('NOT_FOUND');
  return read;
}
