import { inTransaction } from '../../../../persistence/actors/postgres-actor-store.ts';
import { changeAlertSettings, readAlertSettings } from '../../../../persistence/alerts/alert-settings.ts';
import { found } from '../../../errors/found.ts';
import { endAlerts } from '../../../mail/alerts/end-alerts.ts';
import {
  alertSettings,
  toAlertSettings,
  unsubscribeInput,
  unsubscribeOutput,
  updateAlertSettingsInput,
} from '../../../wire/listings/saved-searches.ts';
import { noInput } from '../../../wire/text.ts';
import { publicProcedure, router, sessionProcedure } from '../../base.ts';
import type { Services } from '../../services.ts';

/** `alerts.*` (docs/contract.md#alerts-about-homes): alerts about saved homes, and the end of alerts by mail. */
export function alertsRouter({ pool, clock, alertTokens }: Services) {
  return router({
    getSettings: sessionProcedure
      .input(noInput)
      .output(alertSettings)
      .query(async ({ ctx }) => toAlertSettings(await readAlertSettings(pool, ctx.user.id))),
    updateSettings: sessionProcedure
      .input(updateAlertSettingsInput)
      .output(alertSettings)
      .mutation(async ({ ctx, input }) => {
        const change = { ...input, userId: ctx.user.id, at: clock.now() };
        return toAlertSettings(await inTransaction(pool, (client) => changeAlertSettings(client, change)));
      }),
    /** By the token of a mail alone. Idempotent. */
    unsubscribe: publicProcedure
      .meta({ errors: ['NOT_FOUND'] })
      .input(unsubscribeInput)
      .output(unsubscribeOutput)
      .mutation(({ input: { token, all } }) => {
        const topic = found(alertTokens.read(token));
        return endAlerts(pool, all ? { userId: topic.userId, about: 'ALL' } : topic, clock.now());
      }),
  });
}
