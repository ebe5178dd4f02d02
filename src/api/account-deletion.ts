import { ACCOUNT_DELETED } from '../../machines/tour.ts';
import {
  deleteAccount,
  type OpenTour,
  openToursOf,
  photosOfOwner,
  withdrawListings,
} from '../../persistence/accounts/account-deletion.ts';
import { deleteOriginal } from '../../supervisors/actors/original-deletion.ts';
import { withRetries } from '../../supervisors/actors/retry-policy.ts';
import { PublicError } from '../errors/errors.ts';
import type { Caller } from '../limits/caller-limits.ts';
import { coarseNetworkOf } from '../limits/client-network.ts';
import { logSecurityEvent } from '../security-events.ts';
import type { Services } from './services.ts';

/**
 * Deletes an account in two calls, with a mailed code between them. Open tours are canceled first, each by its
 * machine, so that the other side sees the reason. The person's listings leave the market, and then their photos are
 * deleted, each as an agent would delete it. Then one transaction deletes the account, unless a new obstacle has
 * appeared. After a crash in between, the account is unchanged but has fewer open tours and photos; the code stays
 * usable until it expires, and the same call continues. Staging jobs and descriptions of listings that belong to other
 * agents continue.
 */
const MAX_ROUNDS = 5;
const TOURS_A_ROUND = 200;
const PHOTOS_A_PAGE = 200;

/** Deletes the account. @throws PublicError CODE_INVALID, CONFLICT, UNAUTHORIZED. */
export async function confirmDeletion(services: Services, caller: Caller, code: string): Promise<void> {
  const { pool, accountCodes, clock, logger } = services;
  const { userId } = caller;
  const codeHash = await accountCodes.check(caller, { purpose: 'deletion', code });
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const account = { userId, codeHash, at: clock.now() };
    const outcome = await withRetries(services, () => deleteAccount(pool, account));
    switch (outcome) {
      case 'deleted':
        logSecurityEvent(logger, 'ACCOUNT_DELETED', { userId, network: coarseNetworkOf(caller.ip) });
        return;
      case 'gone':
        throw new PublicError('UNAUTHORIZED');
      case 'code-used':
        throw new PublicError('CODE_INVALID');
      case 'has-open-tours':
        await callOffTours(services, userId);
        break;
      case 'has-photos':
        await clearListings(services, userId);
    }
  }
  throw new PublicError('CONFLICT');
}

async function clearListings(services: Services, userId: string): Promise<void> {
  const { pool, actorSystem, clock, search } = services;
  const withdrawn = { userId, at: clock.now() };
  for (const propertyId of await withRetries(services, () => withdrawListings(pool, withdrawn)))
    search.propertyChanged(propertyId);
  for (;;) {
    const photos = await photosOfOwner(pool, { userId, limit: PHOTOS_A_PAGE });
    for (const { imageId } of photos)
      await deleteOriginal(actorSystem, { imageId, at: clock.now(), by: `user:${userId}` });
    for (const propertyId of new Set(photos.map((photo) => photo.propertyId)))
      search.propertyChanged(propertyId);
    if (photos.length < PHOTOS_A_PAGE) return;
  }
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
