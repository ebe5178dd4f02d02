import { type DeletionItemEvent, deletionItemMachine } from '../../../machines/deletion-item.ts';
import { DELETION_CLAIM_MS } from '../../../machines/limits.ts';
import { step } from '../../../machines/step.ts';
import type { Delivery } from '../../../supervisors/actors/messages.ts';
import { answer, DATABASE_CLOCK, type DeletionModel, type StagingModel, take } from './staging-model.ts';

/** The object store's answer in one drain; `nothing`: it never answers, so claims expire. */
export type DrainAnswer = 'deleted' | 'transient' | 'needs-person' | 'nothing';

/** Later than every database clock, so that everything queued by it is due. */
export const FAR = Date.UTC(2200, 0, 1);

/** Runs one drain of the outbox; returns the number of deleted objects. */
export function drain(
  model: StagingModel,
  { answer: said, at }: { answer: DrainAnswer; at: number },
): number {
  for (const item of model.deletions)
    if (item.state === 'PROCESSING' && (item.context.claimedAt ?? 0) < at - DELETION_CLAIM_MS)
      tell(item, { type: 'CLAIM_EXPIRED', at });
  const due = model.deletions.filter((item) => item.state === 'PENDING' && isDue(item, at));
  for (const item of due) {
    tell(item, { type: 'CLAIMED', at, by: 'node-a' });
    if (isNeeded(model, item.objectKey)) tell(item, { type: 'STILL_REFERENCED', at });
  }
  const claimed = due.filter(({ state }) => state === 'PROCESSING');
  if (said === 'nothing') return 0;
  for (const item of claimed)
    tell(
      item,
      said === 'deleted'
        ? { type: 'OBJECT_DELETED', at }
        : { type: 'DELETE_FAILED', at, errorClass: said, error: said, jitter: 0 },
    );
  return said === 'deleted' ? claimed.length : 0;
}

export function retryDeletion(
  { deletions }: StagingModel,
  { objectKey, force, at }: { objectKey: string; force: boolean; at: number },
): Delivery {
  const item = deletions.find((one) => one.objectKey === objectKey);
  return item ? tell(item, { type: 'RETRY_ASKED', at, force }) : { outcome: 'missing' };
}

function tell(item: DeletionModel, event: DeletionItemEvent): Delivery {
  const decided = step(deletionItemMachine, item, event);
  if (decided.outcome === 'ignored') return answer('ignored', item);
  take(item, decided.next);
  return answer('applied', item);
}

const isDue = ({ context }: DeletionModel, at: number): boolean =>
  context.nextAttemptAt === DATABASE_CLOCK ? at >= FAR : context.nextAttemptAt <= at;

function isNeeded({ original, images, jobs }: StagingModel, key: string): boolean {
  const attempts = jobs.flatMap((job) => job.attempts);
  return (
    (original !== null && [original.objectKey, original.providerInputKey].includes(key)) ||
    images.some(({ objectKey }) => objectKey === key) ||
    attempts.some(({ state, context }) => state === 'COLLECTING' && context.objectKey === key)
  );
}
