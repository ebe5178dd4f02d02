import { descriptionJobMachine } from '../../machines/description-job.ts';
import { activityOf, isFinalState } from '../../machines/step.ts';
import type { DescriptionJobActor } from '../../persistence/actors/description-store.ts';
import { DESCRIPTION_ACTIVITIES } from '../activities/description-effects.ts';
import { linkAbort } from '../concurrency/linked-abort.ts';
import type { StopSignals } from '../supervision/service.ts';
import { UNTRACED } from '../supervision/untraced.ts';
import type { DescriptionPorts } from './description-ports.ts';
import type { HeldJob, JobWork, QueueDelivery } from './held-job.ts';
import { startableMs } from './job-admission.ts';

/** Description jobs, as the runner knows them: what is done is what the state of the row asks for. */
export function descriptionWork(ports: DescriptionPorts): JobWork {
  return {
    kind: 'descriptionJob',
    admit: (held, delivery) => admit(ports, held, delivery),
    pass: (held, stop) => pass(ports, held, stop),
    recordCrash: (held, crash) => recordCrash(ports, held, crash),
    // Only its runner moves a description job, so an effect under way is always the one wanted.
    abortIfMovedOn: async () => {},
  };
}

/** Descriptions have no start rate. */
async function admit(ports: DescriptionPorts, held: HeldJob, delivery: QueueDelivery): Promise<null> {
  const { descriptionService, clock, startsAllowed, checkpoint } = ports;
  const job = await ports.descriptions.read(held.jobId);
  if (job === null) return null;
  const at = clock.now();
  const waitedMs = startableMs(job, { at, delivery });
  await checkpoint('before-reserve', held.jobId);
  await descriptionService.deliver(
    held.jobId,
    { type: 'WORKER_STARTED', at, enabled: startsAllowed(), queueAttempt: delivery.queueAttempt, waitedMs },
    held.origin,
  );
  await checkpoint('after-reserve', held.jobId);
  return null;
}

async function pass(ports: DescriptionPorts, held: HeldJob, stop: StopSignals): Promise<number | null> {
  const job = await ports.descriptions.read(held.jobId);
  if (job === null || isFinalState(descriptionJobMachine, job.state)) return null;
  if (await settleLeftover(ports, held, job)) return 0;
  const name = activityOf(descriptionJobMachine, job.state);
  if (!name) return null;
  // Reserved but not sent, and purchases are switched off now: nothing is bought (I7).
  if (name === 'sendDescription' && !ports.startsAllowed()) return null;
  const activity = DESCRIPTION_ACTIVITIES[name];
  if (!activity) throw new Error(`no effect is called ${name}`);
  const { tracer = UNTRACED } = ports;
  const { signal, release } = linkAbort(held.lost, stop.forced);
  try {
    const mayBuy = () => ports.startsAllowed() && !stop.draining.aborted && !signal.aborted;
    const scope = { job, origin: held.origin, signal, mayBuy, ports };
    return (await tracer.span({ name }, () => activity(scope))).waitMs;
  } catch (error) {
    // An aborted effect may end in any way; the row says what to do next.
    if (signal.aborted) return 0;
    throw error;
  } finally {
    release();
  }
}

/** What a crash or the end of a listing leaves behind; true when the row was moved. */
async function settleLeftover(
  { descriptionService, texts, clock }: DescriptionPorts,
  { jobId, origin, lost }: HeldJob,
  { state, context, details }: DescriptionJobActor,
): Promise<boolean> {
  if (state === 'PROCESSING.SENT') {
    // Not our send, or one that ended without an answer: it counts as sent.
    await descriptionService.deliver(jobId, { type: 'RUNNER_RESTARTED', at: clock.now() }, origin);
    return true;
  }
  if (details.propertyId !== null) return false;
  // A courtesy to the provider; the text is not needed any more, so the answer does not matter.
  if (context.providerPredictionId !== null) await texts.cancel(context.providerPredictionId, lost);
  const delivery = await descriptionService.deliver(jobId, { type: 'LISTING_GONE', at: clock.now() }, origin);
  return delivery.outcome === 'applied';
}

/** The machine counts it, if a pass of local work was under way. */
async function recordCrash(
  { descriptionService, clock, reporter }: DescriptionPorts,
  { jobId, origin }: HeldJob,
  { certain }: { certain: boolean },
): Promise<boolean> {
  try {
    const event = { type: 'RUNNER_CRASHED', at: clock.now(), certain } as const;
    return (await descriptionService.deliver(jobId, event, origin)).outcome === 'applied';
  } catch (error) {
    reporter.problem('a crash could not be recorded', error, { jobId });
    return false;
  }
}
