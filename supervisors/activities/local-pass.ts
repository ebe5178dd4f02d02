import { type LocalPass, runsAlone } from '../../machines/crashes.ts';
import { jobMachine } from '../../machines/staging-job.ts';
import { isFinalState } from '../../machines/step.ts';
import { type ActivityResult, type ActivityScope, LOOK_AGAIN } from './activity.ts';

/** An error in a pass of local work; the job caused it. */
export class LocalPassError extends Error {
  override readonly name = 'LocalPassError';
}

/**
 * Does a pass of local work for the scope's attempt, which may crash the process. Ordinary jobs share the local work of
 * this process. A suspected job works alone, so that it certainly caused a crash. The pass is written to the job's row
 * before it begins and cleared when it is over; a result that moves the attempt clears it too, in its own transaction.
 * So the worker that takes over a job after a crash can tell whether the job may be the cause (`machines/crashes.ts`).
 * Nothing is done when the job no longer has this lease.
 * @throws the signal's reason when it aborts before the job's turn
 */
export async function inLocalPass(
  { ports, aggregate: { job }, attempt, origin: { lease }, signal }: ActivityScope,
  pass: LocalPass,
  work: () => Promise<ActivityResult>,
): Promise<ActivityResult> {
  const { store, localWork, reporter } = ports;
  if (!lease) throw new Error(`${pass} of job ${job.id} without a lease`);
  const held = { jobId: job.id, ...lease };
  const alone = runsAlone(job.context);
  const leave = await localWork.take({ alone, signal });
  try {
    if (!(await store.markLocalPass({ ...held, pass, alone, version: attempt.version }))) return LOOK_AGAIN;
    const result = await work().catch((error: unknown) => {
      throw signal.aborted ? error : new LocalPassError(`${pass} of job ${job.id} failed`, { cause: error });
    });
    // With its job a pass is over as well.
    if (result.now && isFinalState(jobMachine, result.now.job.state)) return result;
    await store
      .clearLocalPass(held)
      .catch((error) =>
        reporter.problem('a pass could not be cleared; the next one will', error, { jobId: job.id }),
      );
    return result;
  } finally {
    leave();
  }
}
