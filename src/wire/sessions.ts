import { z } from 'zod';
import type { LiveSession } from '../../persistence/accounts/sessions.ts';
import { coarseNetworkOf } from '../limits/client-network.ts';
import { instant, iso, uuid } from './text.ts';
import { deviceNames } from './user-agent.ts';

/** Enough for a person to distinguish their devices; the token and the full address are not shown. */
const shownSession = z.object({
  sessionId: z.string(),
  createdAt: instant,
  /** Rounded to the hour. */
  lastUsedAt: instant,
  /** A browser's name, or `App`. */
  client: z.string().nullable(),
  system: z.string().nullable(),
  /** The network of the sign-in. */
  network: z.string().nullable(),
  /** True for the session of this call. */
  current: z.boolean(),
});
export const listSessionsOutput = z.object({ sessions: z.array(shownSession) });
export const revokeSessionInput = z.strictObject({ sessionId: uuid });
export const revokeSessionOutput = z.object({ sessionId: z.string(), ended: z.boolean() });

/** How many other sessions were ended. */
export const revokeOthersOutput = z.object({ ended: z.int() });

/** Until then the session may do what needs a verified one. */
export const verifySessionOutput = z.object({ verifiedUntil: instant });

export function toShownSession(
  { sessionId, createdAt, lastUsedAt, ipAddress, userAgent }: LiveSession,
  currentId: string,
): z.output<typeof shownSession> {
  const { client, system } = deviceNames(userAgent);
  const network = ipAddress === null ? null : coarseNetworkOf(ipAddress);
  const times = { createdAt: iso(createdAt), lastUsedAt: iso(lastUsedAt) };
  return { sessionId, ...times, client, system, network, current: sessionId === currentId };
}
