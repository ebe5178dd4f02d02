import { each, type Invariant } from './pipeline-state.ts';

const ENDED = new Set(['SUCCESS', 'FAILED', 'CANCELED']);

export const OWNERSHIP_INVARIANTS: readonly Invariant[] = [
  {
    id: 'I13',
    sentence: 'Lease epochs only grow along the journal, and never beyond the latest lease.',
    when: 'always',
    sql: `
      select format('%s %s has epoch %s after %s', "actorKind", "actorId", "leaseEpoch", before) from (
        select "actorKind", "actorId", "leaseEpoch",
          max("leaseEpoch") over (partition by "actorKind", "actorId" order by seq
            rows between unbounded preceding and 1 preceding) as before
        from actor_transitions) epochs
      where "leaseEpoch" < before`,
    breaches: ({ jobs, attempts, journal }) =>
      each([...jobs, ...attempts], ({ kind, id }) => {
        const epochs = (journal.get(id) ?? []).flatMap(({ leaseEpoch }) => leaseEpoch ?? []);
        return epochs.some((epoch, index) => epoch < (epochs[index - 1] ?? 0))
          ? `${kind} ${id} has epochs ${epochs.join(', ')}`
          : null;
      }),
  },
  {
    id: 'I14',
    sentence: 'A final job has no lease.',
    when: 'always',
    sql: `
      select format('job %s is %s and held by %s', id, status, "leaseOwner") from ai_jobs
      where status in ('SUCCESS', 'FAILED', 'CANCELED') and "leaseOwner" is not null`,
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
