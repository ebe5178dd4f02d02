import { z } from 'zod';
import {
  DELIVERY_PROBLEMS,
  DELIVERY_STATES,
  TEST_EVENT,
  type WebhookDelivery,
} from '../../../persistence/webhooks/deliveries.ts';
import {
  WEBHOOK_EVENTS,
  WEBHOOK_OFF_REASONS,
  WEBHOOK_STATES,
  type WebhookEndpoint,
} from '../../../persistence/webhooks/endpoints.ts';
import { instant, iso, pageLimit, pageOutput, uuid } from '../text.ts';

/** Shapes of webhooks (docs/contract.md#webhooks-out). */
export const MAX_WEBHOOK_URL = 500;

export const webhookUrl = z
  .string()
  .trim()
  .max(MAX_WEBHOOK_URL)
  .refine((value) => URL.canParse(value) && /^[\x21-\x7e]+$/.test(value) && !value.includes('#'), {
    message: 'Give an https address without a fragment.',
  });
export const webhookEvents = z
  .array(z.enum(WEBHOOK_EVENTS))
  .min(1)
  .refine((events) => new Set(events).size === events.length, { message: 'Name each event once.' })
  .transform((events) => events.toSorted());

export const webhook = z.object({
  webhookId: z.string(),
  url: z.string(),
  events: z.array(z.enum(WEBHOOK_EVENTS)),
  state: z.enum(WEBHOOK_STATES),
  /** Why it is off; null while it is on. */
  offReason: z.enum(WEBHOOK_OFF_REASONS).nullable(),
  offAt: instant.nullable(),
  createdAt: instant,
  /** When a delivery was last taken. */
  deliveredAt: instant.nullable(),
  /** Until when the secret before the last rotation signs as well; null when it does not. */
  formerSecretUntil: instant.nullable(),
  /** Deliveries that wait, counted up to 1,000. */
  waiting: z.int(),
});
export const webhooksOutput = z.object({ items: z.array(webhook), limit: z.int() });
export const createWebhookInput = z.strictObject({ url: webhookUrl, events: webhookEvents });
/** The secret is shown this once. */
export const createdWebhook = z.object({ webhook, secret: z.string() });
export const webhookIdInput = z.strictObject({ webhookId: uuid });
export const webhookIdOutput = z.object({ webhookId: z.string() });
export const updateWebhookInput = z.strictObject({
  webhookId: uuid,
  url: webhookUrl.optional(),
  events: webhookEvents.optional(),
  isOn: z.boolean().optional(),
});
export const rotatedOutput = z.object({
  webhookId: z.string(),
  secret: z.string(),
  formerSecretUntil: instant,
});
export const deliveryIdInput = z.strictObject({ deliveryId: uuid });
export const deliveryIdOutput = z.object({ deliveryId: z.string() });
export const listDeliveriesInput = z.strictObject({
  webhookId: uuid,
  cursor: z
    .string()
    .regex(/^\d{1,18}$/)
    .nullish(),
  limit: pageLimit,
});
const webhookDelivery = z.object({
  /** The `webhook-id` of its requests. */
  deliveryId: z.string(),
  event: z.enum([...WEBHOOK_EVENTS, TEST_EVENT]),
  propertyId: z.string().nullable(),
  state: z.enum(DELIVERY_STATES),
  attempts: z.int(),
  createdAt: instant,
  /** Of the next try; null for one that has ended. */
  nextAttemptAt: instant.nullable(),
  endedAt: instant.nullable(),
  /** Of the last answer. */
  status: z.int().nullable(),
  problem: z.enum(DELIVERY_PROBLEMS).nullable(),
  tookMs: z.int().nullable(),
});
export const listDeliveriesOutput = pageOutput(webhookDelivery);

export const toWebhook = (
  { id: webhookId, offAt, createdAt, deliveredAt, formerUntil, ...rest }: WebhookEndpoint,
  at: number,
): z.output<typeof webhook> => ({
  webhookId,
  ...rest,
  offAt: iso(offAt),
  createdAt: iso(createdAt),
  deliveredAt: iso(deliveredAt),
  formerSecretUntil: formerUntil !== null && formerUntil > at ? iso(formerUntil) : null,
});

export const toDelivery = ({
  id: deliveryId,
  seq: _seq,
  subjectId: _subject,
  number: _number,
  createdAt,
  nextAttemptAt,
  endedAt,
  ...rest
}: WebhookDelivery): z.output<typeof webhookDelivery> => ({
  deliveryId,
  ...rest,
  createdAt: iso(createdAt),
  nextAttemptAt: rest.state === 'WAITING' ? iso(nextAttemptAt) : null,
  endedAt: iso(endedAt),
});
