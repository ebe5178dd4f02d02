import { OnlineMigration } from './online-migration.ts';

/**
 * What operators change: the start gate, one row for the whole installation, and the journal rows of the gate and of
 * search documents. The index holds only the jobs that wait for a person, so that the cost of finding them depends on
 * their number.
 */
export class Operations extends OnlineMigration {
  static override readonly online = [
    { index: 'ai_jobs_quarantined_idx', on: 'ai_jobs (id) where "quarantinedAt" is not null' },
    {
      constraint: 'actor_transitions_actorKind_next',
      on: 'actor_transitions',
      must: `check ("actorKind" in ('stagingJob', 'providerAttempt', 'imageReview', 'deletionItem', 'tour',
        'descriptionJob', 'startGate', 'searchDocument'))`,
    },
  ];

  override up(): void {
    this.addSql(START_GATE);
    this.addSql(JOURNAL_KINDS);
  }
}

// The check allows this one row only; a deleted row counts as closed.
const START_GATE = `
  create type start_gate_status as enum ('OPEN', 'PAUSED');
  create table start_gate (
    id uuid primary key,
    status start_gate_status not null default 'OPEN',
    "changedAt" timestamptz,
    version integer not null default 0,
    constraint start_gate_one_row_check check (id = '00000000-0000-4000-8000-000000000001')
  );
  insert into start_gate (id) values ('00000000-0000-4000-8000-000000000001')`;

const JOURNAL_KINDS = `
  alter table actor_transitions drop constraint "actor_transitions_actorKind_check";
  alter table actor_transitions rename constraint "actor_transitions_actorKind_next"
    to "actor_transitions_actorKind_check"`;
