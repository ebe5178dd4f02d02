import { liveAttempt } from './advance-job.ts';
import type { HeldJob, RunnerPorts, RunPorts } from './held-job.ts';

/**
 * What is done about a runner that crashed on a job: the machine counts it, and gives the job up when it
 * happens again and again without progress. A job whose crash cannot be written down is set aside, so that
 * it does not take the worker's time from the others; a person releases it.
 */
export async function recordCrash(ports: RunnerPorts, { jobId, origin }: HeldJob): Promise<boolean> {
  try {
    const aggregate = await ports.store.readJob(jobId);
    const attempt = aggregate && liveAttempt(aggregate);
    const event = {
      type: 'RUNNER_CRASHED',
      at: ports.clock.now(),
      progressMark: attempt?.version ?? 0,
    } as const;
    await ports.mailroom.deliver({ to: 'stagingJob', id: jobId, event }, origin);
    return true;
  } catch (error) {
    ports.reporter.problem('a crash could not be recorded', error, { jobId });
    return false;
  }
}

export async function setAside(
  { store, clock, reporter }: RunPorts,
  subject: { kind: string; id: string },
  cause: unknown,
): Promise<void> {
  const error = cause instanceof Error ? cause.message : String(cause);
  await store.quarantine({ jobId: subject.id, at: clock.now(), error });
  reporter.count('jobs_quarantined');
  reporter.alert(subject, { alert: 'quarantined', fields: {} });
}
