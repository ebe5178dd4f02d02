import type { ActorTransaction } from '../../persistence/actors/actor-store.ts';
import type { WebhookOutcome, WebhookReceipt } from '../../persistence/actors/webhook-receipts.ts';
import type { Delivery, Message, MessageToAttempt, Origin } from './messages.ts';

/** A callback of the provider, as an event of the attempt that it is about. */
export type CallbackOutcome = WebhookOutcome | 'REPEATED';

export const BY_PROVIDER: Origin = { by: 'provider' };

export function messageOf(receipt: WebhookReceipt): MessageToAttempt {
  const { providerAttemptId: id, providerPredictionId: predictionId, providerStatus, at } = receipt;
  return {
    to: 'providerAttempt',
    id,
    event: { type: 'CALLBACK_RECEIVED', at, predictionId, providerStatus },
  };
}

/**
 * The receipt first, so that a repeat waits for its first and then locks nothing. The hot path takes its locks the other
 * way round, but waits for none of them; where it waits for a receipt, the database ends the rare deadlock and both
 * try again.
 */
export async function takeUnderLocks(
  open: {
    readonly tx: ActorTransaction;
    deliver(message: Message, origin: Origin): Promise<Delivery>;
  },
  receipt: WebhookReceipt,
): Promise<CallbackOutcome> {
  if (!(await open.tx.insertReceipt(receipt))) return 'REPEATED';
  const outcome = (await isOfAnother(open.tx, receipt))
    ? 'CONFLICT'
    : outcomeOf(await open.deliver(messageOf(receipt), BY_PROVIDER));
  await open.tx.settleReceipt({ webhookId: receipt.webhookId, outcome });
  return outcome;
}

/** The attempt is there, and the prediction is another one's. */
async function isOfAnother(
  tx: ActorTransaction,
  { providerAttemptId, providerPredictionId }: WebhookReceipt,
): Promise<boolean> {
  const owner = await tx.attemptOfPrediction(providerPredictionId);
  if (owner === null || owner === providerAttemptId) return false;
  return (await tx.jobIdOfAttempt(providerAttemptId)) !== null;
}

function outcomeOf({ outcome }: Delivery): WebhookOutcome {
  if (outcome === 'missing') return 'UNKNOWN_ATTEMPT';
  return outcome === 'applied' ? 'APPLIED' : 'IGNORED';
}
