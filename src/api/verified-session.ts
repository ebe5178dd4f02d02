import type { Clock } from '../../supervisors/ports.ts';
import { PublicError } from '../errors/errors.ts';
import type { SessionUser } from './base.ts';

/** How long a session counts as verified after its mailed code. */
const VERIFIED_MS = 10 * 60_000;

/** When the session stops counting as verified. */
export const verifiedUntil = (verifiedAt: number): number => verifiedAt + VERIFIED_MS;

/**
 * For acts that a session alone must not do, because it may be someone else's: a mailed code has confirmed this very
 * session a few minutes ago (`users.requestVerification`, `users.verifySession`).
 * @throws PublicError VERIFICATION_REQUIRED
 */
export function requireVerified({ verifiedAt }: SessionUser, clock: Clock): void {
  if (verifiedAt === null || verifiedUntil(verifiedAt.getTime()) <= clock.now())
    throw new PublicError('VERIFICATION_REQUIRED');
}
