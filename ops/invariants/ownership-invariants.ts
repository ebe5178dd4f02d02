import { FINAL_JOB_STATUSES } from '../../machines/vocabulary.ts';
import { LEASES_OUT_OF_ORDER } from '../../persistence/console/invariant-sql.ts';
import { oneOf } from '../../persistence/database/sql-values.ts';
import { each, type Invariant } from './pipeline-state.ts';

const ENDED = new Set(['SUCCESS', 'FAILED', 'CANCELED']);

export const OWNERSHIP_INVARIANTS: readonly Invariant[] = [
  {
    id: 'I13',
    sentence: 'Lease epochs only grow along the journal, and never beyond the latest lease.',
    when: 'always',
    sql: LEASES_OUT_OF_ORDER,
    breaches: ({ jobs, attempts, journal }) => {
      const latest = new Map(jobs.map(({ id, leaseEpoch }) => [id, leaseEpoch]));
      const owned = [
        ...jobs.map(({ kind, id }) => ({ kind, id, jobId: id })),
        ...attempts.map(({ kind, id, jobId }) => ({ kind, id, jobId })),
      ];
      return owned.flatMap(({ kind, id, jobId }) => {
        const epochs = (journal.get(id) ?? []).flatMap(({ leaseEpoch }) => leaseEpoch ?? []);
        const most = Math.max(0, ...epochs);
        const known = latest.get(jobId) ?? most;
        return [
          ...(epochs.some((epoch, index) => epoch < (epochs[index - 1] ?? 0))
            ? [`${kind} ${id} has epochs ${epochs.join(', ')}`]
            : []),
          ...(most > known
            ? [`${kind} ${id} was moved under epoch ${most}, the latest lease is ${known}`]
            : []),
        ];
      });
    },
  },
  {
    id: 'I14',
    sentence: 'A final job has no lease.',
    when: 'always',
    sql: `
      select format('job %s is %s and held by %s', id, status, "leaseOwner") from ai_jobs
      where status in ${oneOf(FINAL_JOB_STATUSES)} and "leaseOwner" is not null`,
    breaches: ({ jobs }) =>
      each(jobs, ({ id, state, lease }) =>
        ENDED.has(state) && lease !== null ? `job ${id} is ${state} and held by ${lease.owner}` : null,
      ),
  },
  {
    id: 'I14b',
    sentence: 'A final job has no queue entry.',
    when: 'quiet',
    sql: null,
    breaches: ({ jobs, world }) =>
      each(jobs, ({ id, state }) =>
        ENDED.has(state) && world?.queueEntries.has(id) ? `job ${id} is ${state} and still queued` : null,
      ),
  },
];
