import { databaseFailure } from '../persistence/database-failure.ts';
import type { HeldJob, JobWork, RunPorts, StopSignals } from './held-job.ts';
import { setAside } from './job-crash.ts';

/**
 * The loop over one held job: read the row, do one pass of the effect that it asks for, look again, until
 * nothing is left to do here. It owns no truth: it may die at any point, and whoever adopts the job goes on
 * from the row. Source: architecture.md section 3 step 7.
 */
const CRASH_WAIT_MS = 1_000;
const OUTAGE_WAIT_MS = 500;
/** A whole job needs fewer passes in a row than this; more mean that the row does not move. */
const MAX_EAGER_PASSES = 20;
/** A job whose crash cannot even be recorded this often is set aside. */
const MAX_UNRECORDED_CRASHES = 5;

export async function runHeldJob(
  ports: RunPorts,
  work: JobWork,
  { held, stop }: { held: HeldJob; stop: StopSignals },
): Promise<void> {
  let unrecordedCrashes = 0;
  let eagerPasses = 0;
  while (!held.lost.aborted && !stop.draining.aborted) {
    try {
      const waitMs = await work.pass(held, stop);
      if (waitMs === null) return;
      unrecordedCrashes = 0;
      eagerPasses = waitMs === 0 ? eagerPasses + 1 : 0;
      // A pass that leaves the row as it was (under a lease just lost, say) must not spin.
      const pauseMs = eagerPasses > MAX_EAGER_PASSES ? OUTAGE_WAIT_MS : waitMs;
      if (pauseMs > 0 && !stop.draining.aborted) await held.doorbell.wait(pauseMs);
    } catch (error) {
      if (databaseFailure(error) === 'unavailable') {
        await ports.timers.sleep(OUTAGE_WAIT_MS, held.lost);
        continue;
      }
      ports.reporter.problem('a runner crashed', error, { jobId: held.jobId });
      unrecordedCrashes = (await work.recordCrash(held)) ? 0 : unrecordedCrashes + 1;
      if (unrecordedCrashes >= MAX_UNRECORDED_CRASHES)
        return setAside(ports, { kind: work.kind, id: held.jobId }, error);
      // Not the doorbell: recording the crash has rung it.
      await ports.timers.sleep(CRASH_WAIT_MS, AbortSignal.any([held.lost, stop.draining]));
    }
  }
}
