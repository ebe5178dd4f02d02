import { Migration } from '@mikro-orm/migrations';

/**
 * The trace of a job: the span in which it was submitted (epoch 0) and the span of each hold of its lease, as W3C
 * traceparents. It is stored here because queue entries hold only ids and may be lost, and a worker's memory is lost
 * when it dies. Written only while tracing is on. No decision depends on it, and any row may be deleted at any time.
 */
export class JobTraces extends Migration {
  override up(): void {
    this.addSql(`
      create table ai_job_traces (
        "aiJobId" uuid not null references ai_jobs (id) on delete cascade,
        "leaseEpoch" integer not null,
        traceparent text not null,
        "createdAt" timestamptz not null default now(),
        primary key ("aiJobId", "leaseEpoch"),
        constraint ai_job_traces_traceparent_check
          check (traceparent ~ '^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$')
      )`);
  }
}
