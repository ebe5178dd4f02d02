import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** An old `stage-room` message that has been answered. */
export const LegacyMessageEntity = defineEntity({
  name: 'LegacyMessage',
  tableName: 'legacy_messages',
  properties: {
    messageKey: p.text().primary(),
    disposition: p.text(),
    /** The job that the message made or met; it may be gone since. */
    aiJobId: p.uuid().nullable(),
    answeredAt: p.datetime(),
  },
});
export type LegacyMessage = InferEntity<typeof LegacyMessageEntity>;
