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
import type { Services } from './services.ts';

/**
 * The end of an account, in two calls with a mailed code between them. Open tours are called off first, each by its
 * machine, so that the other side sees why; then one transaction ends the account if nothing has come up meanwhile.
 * A crash in between leaves the account as it is, with fewer open tours; the same code may be used again until it
 * expires. Staging jobs and descriptions go on: they belong to their listings, and those to other agents by then.
 */
const MAX_ROUNDS = 5;
const TOURS_A_ROUND = 200;

/** Mails the code. An agent who still owns listings is rejected first. */
export async function requestDeletion(services: Services, person: Addressee): Promise<void> {
  if (await ownsListings(services.pool, person.userId)) throw new PublicError('LISTINGS_OWNED');
  await services.accountCodes.mail(person, 'deletion');
}

/** Ends the account. @throws PublicError CODE_INVALID, LISTINGS_OWNED, CONFLICT, UNAUTHORIZED. */
export async function confirmDeletion(services: Services, caller: Caller, code: string): Promise<void> {
  const { pool, accountCodes, logger } = services;
  const { userId } = caller;
  const codeHash = await accountCodes.check(caller, { purpose: 'deletion', code });
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const outcome = await withRetries(services, () => deleteAccount(pool, { userId, codeHash }));
    switch (outcome) {
      case 'deleted':
        logger.info({ event: 'users.deleted', userId }, 'an account was deleted');
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
    // A tour that has moved on since is looked at again in the next round.
    await actorSystem.deliver(
      { to: 'tour', id: tour.tourId, event: { ...event, type: endOf(tour) } },
      { by: `user:${userId}` },
    );
  }
}

/** An agent answers a request with no; everything else is called off by either side. */
const endOf = ({ side, status }: OpenTour) =>
  side === 'agent' && status === 'REQUESTED' ? 'REQUEST_DECLINED' : 'TOUR_CALLED_OFF';
