/**
 * The events that only the present holder of the job's lease may send. Claims and decisions are guarded by the lease
 * epoch. A fact that only its sender has (a prediction id) is accepted from any worker, however late, so that no
 * purchase is lost. Send errors are guarded too: a late one is about an earlier send. Source:
 * ARCHITECTURE.md#the-life-of-an-event.
 */
const LEASED = new Set<string>([
  'WORKER_STARTED',
  'RETRY_DUE',
  'NOTHING_TO_CANCEL',
  'RUNNER_CRASHED',
  'RUNNER_RESTARTED',
  'SEND_CLAIMED',
  'SEND_REFUSED',
  'SEND_UNKNOWN',
  'SEND_WITHDRAWN',
  'WINDOW_PASSED',
  'PREDICTION_GONE',
  'PREDICTION_SEEN',
  'PREDICTION_SUCCEEDED',
  'PREDICTION_FAILED',
  'PREDICTION_CANCELED',
  'LISTING_GONE',
  'OUTPUT_STORED',
  'TEXT_STORED',
  'OUTPUT_REFUSED',
  'DOWNLOAD_FAILED',
  'STORAGE_FAILED',
]);

export function needsLease(eventType: string): boolean {
  return LEASED.has(eventType);
}

/** A purchase follows the event, so it is refused on a database server that may have forgotten purchases. */
export function precedesPurchase(eventType: string): boolean {
  return eventType === 'SEND_CLAIMED';
}
