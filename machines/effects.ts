import type { AttemptErrorCode, FailureCategory } from './failure-classes.ts';
import type { MismatchReportEvent } from './mismatch-report.ts';
import type { AttemptNumber } from './provider-attempt-model.ts';
import type { StorageDeletionReason } from './vocabulary.ts';

/**
 * What a transition causes, as data. Machines emit effects as named actions without a body. The code that commits the
 * transition applies them: rows and messages to the other actor of the aggregate in the same transaction, reports right
 * after the commit.
 */
export interface EffectParams {
  /** Insert the attempt row in RESERVED. */
  reserveAttempt: { attemptId: string; attemptNumber: AttemptNumber; at: number };
  /** Message to the job from its attempt, delivered in the same transaction. */
  sendToJob: AttemptOutcome;
  /**
   * Message to the attempt from its job, delivered in the same transaction: COLLECT_ASKED to the last one, which is over,
   * the others to the live one.
   */
  sendToAttempt:
    | { type: 'CANCEL' | 'ABANDONED'; at: number }
    | { type: 'COLLECT_ASKED'; at: number; objectKey: string };
  /** Insert the private staged image that this attempt produced. */
  insertStagedImage: { imageId: string; at: number };
  /** Store the text that this attempt produced with its job. */
  storeText: { text: string; at: number };
  /** Queue an object for deletion, not before the given instant; null when there is none. */
  scheduleDeletion: {
    objectKey: string | null;
    reason: StorageDeletionReason;
    notBefore: number;
    at: number;
  };
  /** Append a review event with a snapshot of the image row. */
  recordReview: { kind: 'APPROVED' | 'REJECTED'; byUserId: string; reason: string | null; at: number };
  /** Write the provenance record of the image, whose checksums and those of its original are known. */
  recordProvenance: { at: number };
  /** Tell the undecided reports of the image what was decided about it. */
  settleReports: { event: ReportOutcome };
  /** Delete the image row; the deletion trigger queues its objects. */
  removeImageRow: { at: number };
  /** Let workers take a job again that was quarantined. */
  liftQuarantine: { at: number };
  /** Enqueue the job with a delay in milliseconds. */
  enqueue: { delayMs: number };
  /** A structured worker event (docs/contract.md#events), logged after the commit. */
  report: { event: WorkerEvent; fields: Record<string, string | number | null> };
  /** Something a person must look at, logged and counted after the commit. */
  alert: { alert: string; fields: Record<string, string | number | null> };
}

export type EffectType = keyof EffectParams;
export type Effect = { [T in EffectType]: { type: T; params: EffectParams[T] } }[EffectType];

/** What ends the undecided reports of an image. */
export type ReportOutcome = Extract<
  MismatchReportEvent,
  { type: 'PICTURE_WITHDRAWN' | 'WITHDRAWAL_LIFTED' | 'REPORTS_DISMISSED' | 'PICTURE_DELETED' }
>;

export type AttemptOutcome =
  /** `imageId` is null when the result is a text. */
  | { type: 'ATTEMPT_SUCCEEDED'; at: number; imageId: string | null }
  | {
      type: 'ATTEMPT_FAILED';
      at: number;
      attemptNumber: number;
      errorCode: AttemptErrorCode;
      category: FailureCategory;
      retryable: boolean;
      jitter: number;
    }
  | { type: 'ATTEMPT_CANCELED'; at: number }
  | { type: 'ATTEMPT_DISCARDED'; at: number }
  | { type: 'ATTEMPT_LOST'; at: number };

const WORKER_EVENTS = [
  'worker_started',
  'prediction_created',
  'provider_terminal',
  'output_validated',
  'completed',
  'canceled',
  'output_discarded',
  'retry_scheduled',
  'terminal_error',
] as const;
type WorkerEvent = (typeof WORKER_EVENTS)[number];

/** Body of every emit action: machines do nothing themselves. */
export const asData = <P>(_: unknown, _params: P): void => {};

/** Types the emit actions of one machine: `const emit = emitterFor<Context, Event>()`. */
export const emitterFor =
  <C, E>() =>
  <T extends EffectType>(type: T, params: (args: { context: C; event: E }) => EffectParams[T]) => ({
    type,
    params,
  });
