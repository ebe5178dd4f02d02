import { providerAttemptMachine } from '../../machines/provider-attempt.ts';
import { isFinalState } from '../../machines/step.ts';
import {
  JOBS_THAT_NOTHING_WAKES,
  silentJobs,
  WEBHOOKS_APPLIED_TWICE,
} from '../../persistence/console/invariant-sql.ts';
import { STALE_THRESHOLDS } from '../../src/telemetry/alerts.ts';
import { attemptsOf, each, type Invariant, type PipelineState, repeated } from './pipeline-state.ts';

const ENDED = new Set(['SUCCESS', 'FAILED', 'CANCELED']);

export const DELIVERY_INVARIANTS: readonly Invariant[] = [
  {
    id: 'I15',
    sentence:
      'Something will wake every job that is not over: it is due, held, to be rescued or quarantined.',
    when: 'always',
    sql: JOBS_THAT_NOTHING_WAKES,
    breaches: (state) => [
      ...each(state.jobs, ({ id, state: status, quarantined, context }) => {
        if (ENDED.has(status) || quarantined) return null;
        const wakes =
          status === 'PROCESSING.ATTEMPT'
            ? attemptsOf(state, id).some((one) => !isFinalState(providerAttemptMachine, one.state))
            : status !== 'RETRYING.BACKOFF' || context.retryAt !== null;
        return wakes ? null : `nothing wakes job ${id}, which is ${status}`;
      }),
    ],
  },
  {
    id: 'I23',
    sentence: 'A callback of the provider is applied once, together with its receipt.',
    when: 'always',
    sql: WEBHOOKS_APPLIED_TWICE,
    breaches: callbacksWithoutTheirReceipt,
  },
  {
    id: 'I26',
    sentence: 'No job has been silent for longer than the alerts allow.',
    when: 'quiet',
    sql: silentJobs(STALE_THRESHOLDS),
    breaches: ({ at, jobs }) =>
      each(jobs, ({ id, state, quarantined, createdAt, heartbeatAt }) => {
        const [status = ''] = state.split('.');
        if (ENDED.has(status) || quarantined || state === 'PENDING.PROVIDER_DISABLED') return null;
        const silentMs = at - (status === 'PENDING' ? createdAt : (heartbeatAt ?? createdAt));
        return silentMs > patienceWith(status)
          ? `job ${id} is ${status} and has been silent for ${Math.floor(silentMs / 1_000)} seconds`
          : null;
      }),
  },
];

function callbacksWithoutTheirReceipt({ attempts, journal, receipts }: PipelineState): string[] {
  if (receipts === undefined) return [];
  const applied = Map.groupBy(
    receipts.filter((receipt) => receipt.applied),
    ({ attemptId }) => attemptId,
  );
  return [
    ...repeated(receipts.map(({ webhookId }) => webhookId)).map((id) => `webhook ${id} was received twice`),
    ...each(attempts, ({ id }) => {
      const changes = (journal.get(id) ?? []).filter(
        ({ event, by }) => event.type === 'CALLBACK_RECEIVED' && by === 'provider',
      ).length;
      const received = applied.get(id)?.length ?? 0;
      return changes === received
        ? null
        : `attempt ${id} was changed by ${changes} callbacks, and ${received} were received`;
    }),
  ];
}

function patienceWith(status: string): number {
  if (status === 'PENDING') return STALE_THRESHOLDS.pendingMs;
  return status === 'RETRYING' ? STALE_THRESHOLDS.retryingMs : STALE_THRESHOLDS.activeMs;
}
