import { describe, expect, test } from 'vitest';
import type { StagingJobView } from '../../../persistence/jobs/staging-queries.ts';
import { waitReason } from '../../../src/wire/wait-reason.ts';

const AT = 1_000_000;
const job = (given: Partial<StagingJobView>): StagingJobView => ({
  aiJobId: 'j',
  status: 'PENDING',
  phase: 'QUEUED',
  errorCode: null,
  originalImageId: 'o',
  resultImageId: null,
  canonicalRoomType: 'OFFICE',
  canonicalStyle: 'MODERN',
  attempts: [],
  resultReviewStatus: null,
  retryAt: null,
  quarantined: false,
  createdAt: 0,
  heartbeatAt: null,
  cancelRequestedAt: null,
  canceledAt: null,
  groupId: null,
  ...given,
});
type Attempt = StagingJobView['attempts'][number];
const processing = (status: Attempt['status'], nextSendAt: number | null = null) =>
  job({
    status: 'PROCESSING',
    phase: 'ATTEMPT',
    attempts: [{ attemptNumber: 1, status, providerStatus: null, nextSendAt, createdAt: 0 }],
  });
const retrying = (retryAt: number) => job({ status: 'RETRYING', phase: 'BACKOFF', retryAt });

describe('waitReason', () => {
  test.each([
    ['queued', job({}), 'queue'],
    ['switched off', job({ phase: 'PROVIDER_DISABLED' }), 'flag-off'],
    ['reserved', processing('RESERVED'), 'provider'],
    ['refused for the moment', processing('RESERVED', AT + 1), 'back-off'],
    ['about to be sent again', processing('RESERVED', AT), 'provider'],
    ['unconfirmed', processing('UNCONFIRMED'), 'provider'],
    ['collecting', processing('COLLECTING'), 'output'],
    ['before the second try', retrying(AT + 1), 'back-off'],
    ['due for the second try', retrying(AT), 'queue'],
    ['canceling', job({ status: 'CANCEL_REQUESTED', phase: null }), 'cancellation'],
    ['quarantined', job({ quarantined: true }), 'operator'],
    [
      'to be reviewed',
      job({ status: 'SUCCESS', phase: null, resultReviewStatus: 'PENDING_REVIEW' }),
      'review',
    ],
    ['approved', job({ status: 'SUCCESS', phase: null, resultReviewStatus: 'APPROVED' }), null],
    ['rejected', job({ status: 'SUCCESS', phase: null }), null],
    ['failed', job({ status: 'FAILED', phase: null, quarantined: true }), null],
    ['canceled', job({ status: 'CANCELED', phase: null }), null],
  ])('%s', (_, given, expected) => {
    expect(waitReason(given, { at: AT, enabled: true })).toBe(expected);
  });

  test('with the flag off a due second attempt waits for the flag', () => {
    expect(waitReason(retrying(AT), { at: AT, enabled: false })).toBe('flag-off');
    expect(waitReason(retrying(AT + 1), { at: AT, enabled: false })).toBe('back-off');
  });
});
