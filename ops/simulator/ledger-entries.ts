import type { AppliedFault } from './faults/fault-catalogue.ts';
import type { Prediction, PredictionOutput, PredictionStatus, WebhookEvent } from './prediction.ts';

interface EntryBase {
  /** Milliseconds since the epoch. */
  at: number;
}

/** One create POST that reached the provider, bought or not. */
export interface CreateEntry extends EntryBase {
  kind: 'create';
  accepted: boolean;
  /** The status sent back; null when the answer was withheld. */
  httpStatus: number | null;
  /** Why it was rejected, or which fault changed the answer. */
  reason: string | null;
  model: string | null;
  predictionId: string | null;
  attemptId: string | null;
  webhook: string | null;
  userId: string | null;
  faults: AppliedFault[];
  /** The prediction as accepted; null when rejected. */
  prediction: Prediction | null;
}

interface StatusEntry extends EntryBase {
  kind: 'status';
  predictionId: string;
  status: PredictionStatus;
  output: PredictionOutput | null;
  error: string | null;
  logs: string;
}

/** Every prediction before it is released. */
interface ReleasedEntry extends EntryBase {
  kind: 'released';
}

interface CancelEntry extends EntryBase {
  kind: 'cancel';
  predictionId: string;
  attemptId: string | null;
  statusBefore: PredictionStatus | null;
  httpStatus: number;
  fault: string | null;
}

/** One delivery attempt of one callback. */
export interface WebhookEntry extends EntryBase {
  kind: 'webhook';
  predictionId: string;
  attemptId: string | null;
  webhookId: string;
  event: WebhookEvent;
  /** The status in the body. */
  status: PredictionStatus;
  /** From 1. */
  attempt: number;
  /** Status code of the receiver, or null when there was no answer. */
  httpStatus: number | null;
  problem: string | null;
  fault: string | null;
  /** True when no more deliveries of this webhook id will follow. */
  final: boolean;
}

interface DownloadEntry extends EntryBase {
  kind: 'download';
  predictionId: string;
  path: string;
  httpStatus: number;
  bytes: number;
  complete: boolean;
  fault: string | null;
}

/** One requested page of the list. */
interface ListEntry extends EntryBase {
  kind: 'list';
  /** True for the first page of a list. */
  firstPage: boolean;
  httpStatus: number;
  results: number;
  fault: string | null;
}

export type LedgerEntry =
  | CreateEntry
  | StatusEntry
  | ReleasedEntry
  | CancelEntry
  | WebhookEntry
  | DownloadEntry
  | ListEntry;
