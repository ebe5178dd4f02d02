import {
  becomeAgent,
  readProfile,
  type UserProfile,
  updateProfile,
} from '../../../persistence/user-queries.ts';
import { PublicError } from '../../errors.ts';
import type { Services } from '../../web/services.ts';
import { becomeAgentInput, meOutput, toMe, updateProfileInput } from '../../wire/users.ts';
import { router, sessionProcedure } from '../base.ts';

/** `users.*` (decisions.md section 4): one's own profile. */
export function usersRouter({ pool, clock }: Services) {
  // The account went away after the session was read: nobody is signed in any more.
  const me = (profile: UserProfile | null) => {
    if (profile === null) throw new PublicError('UNAUTHORIZED');
    return toMe(profile);
  };
  return router({
    getMe: sessionProcedure
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
      .mutation(async ({ ctx, input }) =>
        me(await becomeAgent(pool, { userId: ctx.user.id, ...input, at: clock.now() })),
      ),
  });
}
