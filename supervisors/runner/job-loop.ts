import { isTemporary } from '../actors/retry-policy.ts';
import { linkAbort } from '../concurrency/linked-abort.ts';
import type { StopSignals } from '../supervision/service.ts';
import type { HeldJob, RunnerPorts } from './held-job.ts';
import { countFailure, forgetFailures } from './job-crash.ts';
import { pass } from './job-pass.ts';

/**
 * The loop over one held job: read the row, do one pass of its activity, repeat, until nothing is left to do here. It
 * owns no state: it may die at any point, and the worker that rescues the job continues from the row. Source:
 * ARCHITECTURE.md#the-life-of-an-event.
 */
const FAILURE_WAIT_MS = 1_000;
const OUTAGE_WAIT_MS = 500;
/** A whole job needs fewer passes in a row than this; with more, the row does not move. */
const MAX_EAGER_PASSES = 20;

export async function runHeldJob(
  ports: RunnerPorts,
  { held, stop }: { held: HeldJob; stop: StopSignals },
): Promise<void> {
  let eagerPasses = 0;
  while (!held.lost.aborted && !stop.draining.aborted) {
    try {
      const waitMs = await pass(ports, held, stop);
      await forgetFailures(ports, held);
      if (waitMs === null) return;
      eagerPasses = waitMs === 0 ? eagerPasses + 1 : 0;
      // A pass that leaves the row unchanged (under a lease just lost, say) must not spin.
      const pauseMs = eagerPasses > MAX_EAGER_PASSES ? OUTAGE_WAIT_MS : waitMs;
      if (pauseMs > 0 && !stop.draining.aborted) await held.timer.wait(pauseMs);
    } catch (error) {
      const temporary = isTemporary(error);
      if (!temporary && (await countFailure(ports, { held, error }))) return;
      // Not the wakeable timer: recording the crash has woken it.
      const over = linkAbort(held.lost, stop.draining);
      await ports.timers.sleep(temporary ? OUTAGE_WAIT_MS : FAILURE_WAIT_MS, over.signal);
      over.release();
    }
  }
}
