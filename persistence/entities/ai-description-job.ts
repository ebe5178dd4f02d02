import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { DESCRIPTION_LOCALES } from '../../machines/vocabulary.ts';
import { UNCONFIRMED_CAUSES } from './ai-provider-attempt.ts';

export const DESCRIPTION_SEND_STATES = ['RESERVED', 'SENT', 'UNCONFIRMED', 'RUNNING'] as const;
export type DescriptionSendState = (typeof DESCRIPTION_SEND_STATES)[number];

/** What a description job was asked for, its one purchase (`sendState` while it is under way), and the draft. */
export const AiDescriptionJobEntity = defineEntity({
  name: 'AiDescriptionJob',
  tableName: 'ai_description_jobs',
  properties: {
    aiJobId: p.uuid().primary(),
    locale: p.enum(DESCRIPTION_LOCALES),
    facts: p.json<unknown>(),
    prompt: p.text(),
    promptVersion: p.text(),
    providerModel: p.text(),
    sendState: p.enum(DESCRIPTION_SEND_STATES).nullable(),
    sendTries: p.integer().default(0),
    throttledSends: p.integer().default(0),
    nextSendAt: p.datetime().nullable(),
    sentAt: p.datetime().nullable(),
    unconfirmedSince: p.datetime().nullable(),
    unconfirmedCause: p.enum(UNCONFIRMED_CAUSES).nullable(),
    goneSince: p.datetime().nullable(),
    notListedAt: p.datetime().nullable(),
    providerPredictionId: p.text().nullable().unique(),
    strayPredictionId: p.text().nullable(),
    providerStatus: p.text().nullable(),
    text: p.text().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
export type AiDescriptionJob = InferEntity<typeof AiDescriptionJobEntity>;
