import type { PurchaseKind } from '../../../machines/purchase-kinds.ts';
import type { PredictionView } from '../../../supervisors/ports.ts';
import { finished, written } from './fake-provider.ts';

/** The two kinds of jobs for tests of what a runner does for both, with what differs. */
export interface KindUnderTest {
  kind: PurchaseKind;
  /** The provider's answer when the purchase is ready. */
  ready(predictionId: string): PredictionView;
  /** The event that stores what was bought. */
  storedBy: string;
  /** Where a job is after its first purchase has failed in a retryable way. */
  afterFailure: string;
}

export const BOTH_KINDS: KindUnderTest[] = [
  { kind: 'stagingJob', ready: finished, storedBy: 'OUTPUT_STORED', afterFailure: 'RETRYING.BACKOFF' },
  {
    kind: 'descriptionJob',
    ready: (predictionId) => written(predictionId),
    storedBy: 'TEXT_STORED',
    afterFailure: 'FAILED',
  },
];
