import { PublicError } from '../errors/errors.ts';

/**
 * Waits until a call is counted.
 * @param counted the seconds until another call may come, 0 for now
 * @throws PublicError RATE_LIMITED; SERVICE_UNAVAILABLE when counting is not possible
 */
export async function admitted(counted: Promise<number>): Promise<void> {
  const retryAfterSeconds = await counted.catch((cause: unknown) => {
    throw new PublicError('SERVICE_UNAVAILABLE', { cause });
  });
  if (retryAfterSeconds > 0) throw new PublicError('RATE_LIMITED', { retryAfterSeconds });
}
