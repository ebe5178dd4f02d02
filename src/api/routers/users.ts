import { inviteColleague } from '../../../persistence/accounts/agent-invitations.ts';
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
import { hashOfSecret } from '../../mail/invitation-secret.ts';
import { logSecurityEvent } from '../../security-events.ts';
import { iso, noInput } from '../../wire/text.ts';
import {
  becomeAgentInput,
  findAgentInput,
  findAgentOutput,
  inviteColleagueInput,
  inviteColleagueOutput,
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
      .meta({ errors: ['INVITATION_REQUIRED'] })
      .input(becomeAgentInput)
      .output(meOutput)
      .mutation(async ({ ctx: { user, request }, input }) => {
        const { licenseNumber, officeName = null, phone, invitation } = input;
        const made = await becomeAgent(pool, {
          userId: user.id,
          licenseNumber,
          officeName,
          phone,
          secretHash: invitation == null ? null : hashOfSecret(invitation),
          needsInvitation: settings.signUp !== 'open',
          needsApproval: settings.agentApproval === 'manual',
          at: clock.now(),
        });
        if (made === 'uninvited') throw new PublicError('INVITATION_REQUIRED');
        const profile = me(made);
        if (user.role !== 'agent') {
          const network = coarseNetworkOf(request.remoteAddress);
          logSecurityEvent(logger, 'ROLE_CHANGED', { userId: user.id, newRole: 'agent', network });
        }
        return profile;
      }),
    inviteColleague: agentProcedure
      .meta({ errors: ['CONFLICT', 'QUOTA_REACHED'] })
      .input(inviteColleagueInput)
      .output(inviteColleagueOutput)
      .mutation(async ({ ctx: { user, request, keepAnswer }, input: { email } }) => {
        const at = clock.now();
        const { id: agentId, locale } = user;
        const answerOf = ({ expiresAt }: { expiresAt: number }) => ({ expiresAt: iso(expiresAt) });
        const invited = await inviteColleague(pool, { agentId, email, locale, at }, (client, made) =>
          keepAnswer(client, answerOf(made)),
        );
        if (invited === null) throw new PublicError('CONFLICT');
        const network = coarseNetworkOf(request.remoteAddress);
        logSecurityEvent(logger, 'AGENT_INVITED', { userId: agentId, network });
        return answerOf(invited);
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
