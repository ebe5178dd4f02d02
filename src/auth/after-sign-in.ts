import { createAuthMiddleware } from 'better-auth/api';
import type { Pool } from 'pg';
import { storeSignInMail } from '../../persistence/accounts/sign-in-mails.ts';
import type { Clock } from '../../supervisors/ports.ts';
import { coarseNetworkOf } from '../limits/client-network.ts';
import { logSecurityEvent } from '../security-events.ts';
import type { Logger } from '../telemetry/logger.ts';
import { deviceNames } from '../wire/user-agent.ts';
import { CLIENT_IP_HEADER } from './auth-request.ts';
import type { DeviceCookies } from './device-cookie.ts';
import { notedQuery } from './noted-pool.ts';
import type { RequestNotes } from './request-notes.ts';

interface SignInParts {
  pool: Pool;
  clock: Clock;
  logger: Logger;
  notes: RequestNotes;
  devices: DeviceCookies;
}

/**
 * After every sign-in: the device becomes known for the address, the sign-in is logged, and its owner gets a mail when the
 * device was new, except at the first sign-in of all. The mail is a row, so a mail server that is away delays it only.
 */
export function afterSignIn({ pool, clock, logger, notes, devices }: SignInParts) {
  return createAuthMiddleware(async (context) => {
    const made = context.context.newSession;
    if (!context.path.startsWith('/sign-in/') || made === null) return;
    const { session, user } = made;
    const network = coarseNetworkOf(context.headers?.get(CLIENT_IP_HEADER) ?? '');
    const device = devices.of(context.headers?.get('cookie'), user.email);
    const isKnown = device !== null && devices.isKnown(device, user.email);
    logSecurityEvent(logger, 'SIGNED_IN', {
      way: context.path === '/sign-in/social' ? context.body.provider : 'code',
      device: isKnown ? 'known' : 'new',
      userId: user.id,
      sessionId: session.id,
      network,
    });
    if (!isKnown && !notes.hasMadePerson()) {
      const names = deviceNames(session.userAgent ?? null);
      const mail = { userId: user.id, signedInAt: clock.now(), network, ...names };
      await notedQuery(notes, () => storeSignInMail(pool, mail));
    }
    const { name, value, attributes } = devices.kept(devices.knownFor(device ?? devices.fresh(), user.email));
    context.setCookie(name, value, attributes);
  });
}
