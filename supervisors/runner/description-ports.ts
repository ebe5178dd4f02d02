import type { DescriptionFailure } from '../../machines/description-job.ts';
import type { AttemptErrorCode } from '../../machines/failure-classes.ts';
import type { UnconfirmedCause } from '../../machines/provider-attempt-model.ts';
import type { DescriptionDetails, DescriptionStore } from '../../persistence/actors/description-store.ts';
import type { DescriptionService } from '../actors/description-desk.ts';
import type { Chance, Checkpoint, StartsAllowed } from '../ports.ts';
import type { RunPorts } from './held-job.ts';

/** What the provider says of a text prediction, reduced to what the machine needs. */
export type TextView =
  | { kind: 'unfinished'; predictionId: string; providerStatus: string }
  /** `text` is null when the provider has nothing to show, or no more. */
  | { kind: 'succeeded'; predictionId: string; providerStatus: string; text: string | null }
  | { kind: 'canceled'; predictionId: string; providerStatus: string }
  | { kind: 'failed'; predictionId: string; providerStatus: string; errorCode: AttemptErrorCode };

export type TextCreateAnswer =
  | { kind: 'created'; prediction: TextView }
  | { kind: 'refused'; errorCode: AttemptErrorCode; retryAfterMs: number | null }
  /** It may have been accepted, or not. */
  | { kind: 'unknown'; cause: UnconfirmedCause }
  /** Not sent, because `mayBuy` said no. */
  | { kind: 'withheld' };
export type TextGetAnswer =
  | { kind: 'found'; prediction: TextView }
  | { kind: 'gone' }
  | { kind: 'unavailable'; throttledMs: number | null };

export interface TextProvider {
  /** Sends the create call exactly once; never repeats it. It cannot be aborted, as with pictures. */
  create(request: {
    jobId: string;
    details: DescriptionDetails;
    mayBuy(): boolean;
  }): Promise<TextCreateAnswer>;
  get(predictionId: string, signal: AbortSignal): Promise<TextGetAnswer>;
  cancel(predictionId: string, signal: AbortSignal): Promise<void>;
}

/** Whether a text may be shown to the agent as a draft; `why` is for the log. */
export type TextVerdict =
  | { kind: 'good'; text: string }
  | { kind: 'refused'; errorCode: DescriptionFailure; why: string };
export type TextCheck = (text: string | null, details: DescriptionDetails) => TextVerdict;

/** What running description jobs takes. */
export interface DescriptionPorts extends RunPorts {
  descriptions: DescriptionStore;
  descriptionService: DescriptionService;
  texts: TextProvider;
  checkText: TextCheck;
  chance: Chance;
  checkpoint: Checkpoint;
  startsAllowed: StartsAllowed;
  pollIntervalMs: number;
}
