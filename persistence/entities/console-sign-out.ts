import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** An operator's session that was signed out, and when it would have ended by itself. */
export const ConsoleSignOutEntity = defineEntity({
  name: 'ConsoleSignOut',
  tableName: 'console_sign_outs',
  properties: {
    sessionId: p.uuid().primary(),
    endsAt: p.datetime(),
  },
});
export type ConsoleSignOut = InferEntity<typeof ConsoleSignOutEntity>;
