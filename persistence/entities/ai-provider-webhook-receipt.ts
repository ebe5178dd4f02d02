import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

export const AI_WEBHOOK_OUTCOMES = ['APPLIED', 'IGNORED', 'UNKNOWN_ATTEMPT'] as const;
export type AiWebhookOutcome = (typeof AI_WEBHOOK_OUTCOMES)[number];

/** A verified callback; the unique `webhookId` makes its repetition a no-op. */
export const AiProviderWebhookReceiptEntity = defineEntity({
  name: 'AiProviderWebhookReceipt',
  tableName: 'ai_provider_webhook_receipts',
  properties: {
    id: p.uuid().primary().defaultRaw('gen_random_uuid()'),
    webhookId: p.text().unique(),
    providerAttemptId: p.uuid(),
    providerPredictionId: p.text().nullable(),
    providerStatus: p.text().nullable(),
    receivedAt: p.datetime().defaultRaw('now()'),
    outcome: p.enum(AI_WEBHOOK_OUTCOMES).nativeEnumName('ai_webhook_outcome'),
  },
});
export type AiProviderWebhookReceipt = InferEntity<typeof AiProviderWebhookReceiptEntity>;
