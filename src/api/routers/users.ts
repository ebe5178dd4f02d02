import {
  agentByEmail,
  becomeAgent,
  readProfile,
  type UserProfile,
  updateProfile,
} from '../../../persistence/accounts/user-queries.ts';
import { PublicError } from '../../errors/errors.ts';
import { found } from '../../errors/found.ts';
import { coarseNetworkOf } from '../../limits/client-network.ts';
import { logSecurityEvent } from '../../security-events.ts';
import { noInput } from '../../wire/text.ts';
import {
  becomeAgentInput,
  findAgentInput,
  findAgentOutput,
  meOutput,
  toMe,
  updateProfileInput,
} from '../../wire/users.ts';
import { agentProcedure, router, sessionProcedure } from '../base.ts';
import type { Services } from '../services.ts';
import { accountProcedures } from './account.ts';
import { listOffersProcedure } from './listing-offers.ts';
import { sessionProcedures } from './sessions.ts';

/** `users.*` (docs/contract.md#accounts): the caller's profile, account and sessions, and the search for agents. */
export function usersRouter(services: Services) {
  const { pool, clock, logger, lookupLimits, settings } = services;
  // The account was deleted after the session was read: the caller is unauthenticated now.
  const me = (profile: UserProfile | null) => {
    if (profile === null) throw new PublicError('UNAUTHORIZED');
    return toMe(profile);
  };
  return router({
    ...accountProcedures(services),
    ...sessionProcedures(services),
    getMe: sessionProcedure
      .input(noInput)
      .output(meOutput)
      .query(async ({ ctx }) => me(await readProfile(pool, ctx.user.id))),
    updateProfile: sessionProcedure
      .input(updateProfileInput)
      .output(meOutput)
      .mutation(async ({ ctx, input }) =>
        me(await updateProfile(pool, { userId: ctx.user.id, change: input, at: clock.now() })),
      ),
    becomeAgent: sessionProcedure
      .input(becomeAgentInput)
      .output(meOutput)
      .mutation(async ({ ctx: { user, request }, input }) => {
        const profile = me(
          await becomeAgent(pool, {
            userId: user.id,
            ...input,
            needsApproval: settings.agentApproval === 'manual',
            at: clock.now(),
          }),
        );
        if (user.role !== 'agent') {
          const network = coarseNetworkOf(request.remoteAddress);
          logSecurityEvent(logger, 'ROLE_CHANGED', { userId: user.id, newRole: 'agent', network });
        }
        return profile;
      }),
    findAgent: agentProcedure
      .meta({ errors: ['NOT_FOUND'] })
      .input(findAgentInput)
      .output(findAgentOutput)
      .query(async ({ ctx, input }) => {
        await lookupLimits.admit({ userId: ctx.user.id, ip: ctx.request.remoteAddress });
        return found(await agentByEmail(pool, input.email));
      }),
    listOffers: listOffersProcedure(services),
  });
}
