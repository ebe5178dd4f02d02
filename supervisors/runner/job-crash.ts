import { LocalPassError } from '../activities/local-pass.ts';
import type { HeldJob, RunnerPorts } from './held-job.ts';

/**
 * Handles internal errors. An error in a pass of local work is a crash that this job certainly caused, and its machine
 * counts it. Any other error says nothing about the job, which may only be waiting for the provider, so it never fails
 * the job. After a few in a row the job is quarantined until a person releases it, so that it does not take the
 * worker's time.
 */
const MAX_FAILURES = 5;

/** True when the job was quarantined. */
export async function countFailure(
  ports: RunnerPorts,
  { held, error }: { held: HeldJob; error: unknown },
): Promise<boolean> {
  const { store, reporter } = ports;
  const { jobId } = held;
  const inPass = error instanceof LocalPassError;
  const cause = inPass ? error.cause : error;
  reporter.problem('a runner crashed', cause, { jobId });
  if (inPass && (await recordCrash(ports, held, { certain: true }))) return false;
  held.failures = await store.noteFailure({ jobId, ...held.origin.lease }).catch((unwritten: unknown) => {
    reporter.problem('a failure could not be recorded', unwritten, { jobId });
    return held.failures + 1;
  });
  if (held.failures < MAX_FAILURES) return false;
  await quarantine(ports, { kind: ports.kind, id: jobId }, cause);
  return true;
}

/** After a pass without an error. */
export async function forgetFailures({ store }: RunnerPorts, held: HeldJob): Promise<void> {
  if (held.failures === 0) return;
  await store.forgetFailures({ jobId: held.jobId, ...held.origin.lease });
  held.failures = 0;
}

/**
 * Delivers a crash during the pass of local work that is marked in the row; `certain` when the pass itself threw. False
 * when no such pass is marked, or when the crash could not be recorded.
 */
export async function recordCrash(
  { kind, actorSystem, clock, reporter }: RunnerPorts,
  { jobId, origin }: HeldJob,
  { certain }: { certain: boolean },
): Promise<boolean> {
  try {
    const event = { type: 'RUNNER_CRASHED', at: clock.now(), certain } as const;
    const delivery = await actorSystem.deliver({ to: kind, id: jobId, event }, origin);
    return delivery.outcome === 'applied';
  } catch (error) {
    reporter.problem('a crash could not be recorded', error, { jobId });
    return false;
  }
}

async function quarantine(
  { store, clock, reporter }: RunnerPorts,
  subject: { kind: string; id: string },
  cause: unknown,
): Promise<void> {
  const error = cause instanceof Error ? cause.message : String(cause);
  await store.quarantine({ jobId: subject.id, at: clock.now(), error });
  reporter.count('jobs_quarantined');
  reporter.alert(subject, { alert: 'quarantined', fields: {} });
}
