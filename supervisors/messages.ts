import type { DeletionItemEvent } from '../machines/deletion-item.ts';
import type { ImageReviewEvent } from '../machines/image-review.ts';
import type { ProviderAttemptEvent } from '../machines/provider-attempt-model.ts';
import type { StagingJobEvent } from '../machines/staging-job.ts';

/** What became of an event. */
export type Delivery =
  | { outcome: 'applied'; state: string; version: number }
  | { outcome: 'ignored'; state: string; version: number }
  /** The caller's lease is not the job's any more. */
  | { outcome: 'stale'; state: string; version: number }
  | { outcome: 'missing' };

/** Who brings the event, and under which lease when it is a claim or a decision. */
export interface Origin {
  by: string;
  lease?: { owner: string; epoch: number };
}

export type Message =
  | { to: 'stagingJob'; id: string; event: StagingJobEvent }
  | AttemptLetter
  | { to: 'imageReview'; id: string; event: ImageReviewEvent }
  | { to: 'deletionItem'; id: string; event: DeletionItemEvent };

export interface AttemptLetter {
  to: 'providerAttempt';
  id: string;
  event: AttemptMessage;
}

/** `variantExists` is read in the deciding transaction, so the bearer of OUTPUT_STORED does not know it. */
export type AttemptMessage =
  | Exclude<ProviderAttemptEvent, { type: 'OUTPUT_STORED' }>
  | Omit<Extract<ProviderAttemptEvent, { type: 'OUTPUT_STORED' }>, 'variantExists'>;
