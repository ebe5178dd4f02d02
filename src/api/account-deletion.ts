import { ACCOUNT_DELETED } from '../../machines/tour.ts';
import {
  deleteAccount,
  type OpenTour,
  openToursOf,
  ownsListings,
} from '../../persistence/accounts/account-deletion.ts';
import { withRetries } from '../../supervisors/actors/retry-policy.ts';
import type { Addressee } from '../auth/account-codes.ts';
import { PublicError } from '../errors/errors.ts';
import type { Caller } from '../limits/caller-limits.ts';
import { coarseNetworkOf } from '../limits/client-network.ts';
import { logSecurityEvent } from '../security-events.ts';
import type { Services } from './services.ts';

/**
 * Deletes an account in two calls, with a mailed code between them. Open tours are canceled first, each by its
 * machine, so that the other side sees the reason. Then one transaction deletes the account, unless a new obstacle
 * has appeared. After a crash in between, the account is unchanged but has fewer open tours; the code stays usable
 * until it expires. Staging jobs and descriptions continue: they belong to listings, and by then those listings
 * belong to other agents.
 */
const MAX_ROUNDS = 5;
const TOURS_A_ROUND = 200;

/** Mails the code. Rejects an agent who still owns listings. */
export async function requestDeletion(services: Services, person: Addressee): Promise<void> {
  if (await ownsListings(services.pool, person.userId)) throw new PublicError('LISTINGS_OWNED');
  await services.accountCodes.mail(person, 'deletion');
}

/** Deletes the account. @throws PublicError CODE_INVALID, LISTINGS_OWNED, CONFLICT, UNAUTHORIZED. */
export async function confirmDeletion(services: Services, caller: Caller, code: string): Promise<void> {
  const { pool, accountCodes, logger } = services;
  const { userId } = caller;
  const codeHash = await accountCodes.check(caller, { purpose: 'deletion', code });
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const outcome = await withRetries(services, () => deleteAccount(pool, { userId, codeHash }));
    switch (outcome) {
      case 'deleted':
        logSecurityEvent(logger, 'ACCOUNT_DELETED', { userId, network: coarseNetworkOf(caller.ip) });
        return;
      case 'gone':
        throw new PublicError('UNAUTHORIZED');
      case 'owns-listings':
        throw new PublicError('LISTINGS_OWNED');
      case 'code-used':
        throw new PublicError('CODE_INVALID');
      case 'has-open-tours':
        await callOffTours(services, userId);
    }
  }
  throw new PublicError('CONFLICT');
}

async function callOffTours({ pool, actorSystem, clock }: Services, userId: string): Promise<void> {
  for (const tour of await openToursOf(pool, { userId, limit: TOURS_A_ROUND })) {
    const event = { at: clock.now(), actor: tour.side, userId, note: ACCOUNT_DELETED };
    // A tour whose state has changed in the meantime is read again in the next round.
    await actorSystem.deliver(
      { to: 'tour', id: tour.tourId, event: { ...event, type: endOf(tour) } },
      { by: `user:${userId}` },
    );
  }
}

/** An agent declines a request; either side cancels every other open tour. */
const endOf = ({ side, status }: OpenTour) =>
  side === 'agent' && status === 'REQUESTED' ? 'REQUEST_DECLINED' : 'TOUR_CALLED_OFF';
