import type { ProviderAttemptContext, ProviderAttemptEvent } from '../../machines/provider-attempt-model.ts';
import { MANUAL_EPOCH as AT } from '../support/manual-time.ts';
import type { Rule } from './rules.ts';

type AttemptRule = Rule<ProviderAttemptContext, ProviderAttemptEvent>;

const withdrawn = { type: 'SEND_WITHDRAWN', at: AT } as const;
const refused = (errorCode: 'PROVIDER_THROTTLED' | 'PROVIDER_BILLING') =>
  ({ type: 'SEND_REFUSED', at: AT, errorCode, retryAfterMs: null, jitter: 0 }) as const;

const ofAnotherClaim = [withdrawn, refused('PROVIDER_THROTTLED'), refused('PROVIDER_BILLING')].flatMap(
  (event) =>
    [false, true].map((cancelAsked): AttemptRule => {
      const what = 'errorCode' in event ? event.errorCode : 'withdrawn';
      return {
        event: { ...event, claimedAt: AT - 1 },
        when: `${what}, of another claim${cancelAsked ? ', cancel asked' : ''}`,
        given: { sentAt: AT - 2, cancelAsked },
        to: null,
      };
    }),
);

/** How a claim in SENT ends without a purchase, and that no event of another claim ends it. */
export const endOfClaim: readonly AttemptRule[] = [
  { event: withdrawn, when: 'from an older journal', to: 'RESERVED', context: { sendTries: 0 } },
  {
    event: { ...withdrawn, claimedAt: AT - 1 },
    given: { sentAt: AT - 1 },
    to: 'RESERVED',
    context: { sendTries: 0 },
  },
  {
    event: withdrawn,
    when: 'cancel asked',
    given: { cancelAsked: true },
    to: 'CANCELED',
    context: { finishedAt: AT },
    effects: [['sendToJob', { type: 'ATTEMPT_CANCELED', at: AT }]],
  },
  ...ofAnotherClaim,
];
