import type { DescriptionFailure } from '../../machines/description-job.ts';
import type { AttemptErrorCode } from '../../machines/failure-classes.ts';
import type { DescriptionDetails, DescriptionStore } from '../../persistence/description-store.ts';
import type { RunPorts } from '../held-job.ts';
import type { Chance, Checkpoint, StartSwitch } from '../ports.ts';
import type { DescriptionDesk } from './desk.ts';

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
  | { kind: 'unknown' };
export type TextGetAnswer =
  | { kind: 'found'; prediction: TextView }
  | { kind: 'gone' }
  | { kind: 'unavailable'; throttledMs: number | null };
export type TextFindAnswer =
  | { kind: 'found'; prediction: TextView }
  | { kind: 'absent' }
  | { kind: 'unavailable' };

export interface TextProvider {
  /** Sends the create call exactly once; never repeats it. */
  create(request: {
    jobId: string;
    details: DescriptionDetails;
    signal: AbortSignal;
  }): Promise<TextCreateAnswer>;
  get(predictionId: string, signal: AbortSignal): Promise<TextGetAnswer>;
  cancel(predictionId: string, signal: AbortSignal): Promise<void>;
  /** Looks for the prediction of a job among those created since, by the job's name in its prompt. */
  find(request: { jobId: string; createdAfter: number; signal: AbortSignal }): Promise<TextFindAnswer>;
}

/** Whether a text may be shown to the agent as a draft; `why` is for the log. */
export type TextVerdict =
  | { kind: 'good'; text: string }
  | { kind: 'refused'; errorCode: DescriptionFailure; why: string };
export type TextCheck = (text: string | null, details: DescriptionDetails) => TextVerdict;

/** What running description jobs takes. */
export interface DescriptionPorts extends RunPorts {
  descriptions: DescriptionStore;
  desk: DescriptionDesk;
  texts: TextProvider;
  checkText: TextCheck;
  chance: Chance;
  checkpoint: Checkpoint;
  mayStart: StartSwitch;
  pollIntervalMs: number;
}
