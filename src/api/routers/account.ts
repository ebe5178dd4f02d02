import { clearedSessionCookie } from '../../auth/session-cookie.ts';
import {
  codeInput,
  codeMailedOutput,
  dataExport,
  deletedOutput,
  exportInput,
} from '../../wire/data-export.ts';
import { noInput } from '../../wire/text.ts';
import { confirmDeletion } from '../account-deletion.ts';
import { type RequestContext, type SessionUser, sessionProcedure } from '../base.ts';
import { exportData } from '../data-export.ts';
import type { Services } from '../services.ts';

type Call = Pick<RequestContext, 'request'> & { user: SessionUser };

const callerOf = ({ user, request }: Call) => ({ userId: user.id, ip: request.remoteAddress });
const addresseeOf = (call: Call) => {
  const { email, locale } = call.user;
  return { ...callerOf(call), email, locale };
};

/**
 * The procedures of `users.*` about the whole account (docs/contract.md#accounts): its deletion, and the export of
 * its data.
 */
export function accountProcedures(services: Services) {
  const cleared = clearedSessionCookie(services.settings.publicBaseUrl);
  return {
    requestDeletion: sessionProcedure
      .meta({ whileSuspended: true })
      .input(noInput)
      .output(codeMailedOutput)
      .mutation(async ({ ctx }) => {
        await services.accountCodes.mail(addresseeOf(ctx), 'deletion');
        return { codeSent: true };
      }),
    confirmDeletion: sessionProcedure
      .meta({ whileSuspended: true, errors: ['CODE_INVALID', 'CONFLICT', 'NOT_YET_DURABLE'] })
      .input(codeInput)
      .output(deletedOutput)
      .mutation(async ({ ctx, input: { code } }) => {
        await confirmDeletion(services, callerOf(ctx), code);
        // Also replaces a renewed cookie.
        ctx.responseHeaders.set('set-cookie', cleared);
        return { deleted: true };
      }),
    requestExport: sessionProcedure
      .meta({ whileSuspended: true })
      .input(noInput)
      .output(codeMailedOutput)
      .mutation(async ({ ctx }) => {
        await services.accountCodes.mail(addresseeOf(ctx), 'export');
        return { codeSent: true };
      }),
    exportMyData: sessionProcedure
      .meta({ whileSuspended: true, errors: ['CODE_INVALID'] })
      .input(exportInput)
      .output(dataExport)
      .mutation(({ ctx, input: { code, cursor = null } }) => {
        ctx.responseHeaders.set('cache-control', 'no-store');
        return exportData(services, callerOf(ctx), { code, cursor });
      }),
  };
}
