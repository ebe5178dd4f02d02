import { readStanding, stagingQuota } from '../../../persistence/jobs/staging-quotas.ts';
import { PublicError } from '../../errors/errors.ts';
import { quotaOutput, toQuota } from '../../wire/staging-jobs.ts';
import { noInput } from '../../wire/text.ts';
import { agentProcedure } from '../base.ts';
import type { Services } from '../services.ts';

/** What an agent may still stage, and what a picture costs, apart from the procedures that buy (docs/contract.md#costs). */
export function stagingQuotaProcedures({ pool, clock, settings }: Services) {
  return {
    getQuota: agentProcedure
      .input(noInput)
      .output(quotaOutput)
      .query(async ({ ctx }) => {
        const standing = await readStanding(pool, ctx.user.id);
        if (standing === null) throw new PublicError('UNAUTHORIZED');
        const given = { standing, limits: settings.stagingLimits, at: clock.now() };
        const costMicrousd = settings.costMicrousd[settings.providerInputs.quality] ?? null;
        return toQuota(await stagingQuota(pool, given), costMicrousd);
      }),
  };
}
