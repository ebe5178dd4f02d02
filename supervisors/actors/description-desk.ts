import { type DescriptionJobEvent, descriptionJobMachine } from '../../machines/description-job.ts';
import type { Effect } from '../../machines/effects.ts';
import { step } from '../../machines/step.ts';
import type {
  DescriptionJobActor,
  DescriptionStore,
  DescriptionTransaction,
} from '../../persistence/actors/description-store.ts';
import type { Reporter, StagingQueue, Timers } from '../ports.ts';
import { signatureOf } from './journal-signature.ts';
import { needsLease } from './leased-events.ts';
import { crashOf } from './local-pass.ts';
import type { Delivery, DescriptionMessage, Origin } from './messages.ts';
import { withRetries } from './retry-policy.ts';

/**
 * The one way to change a description job, as `deliver` is for the staging pipeline: one transaction locks the row,
 * lets the machine decide, writes state and journal and commits; only then is anything reported or offered. A
 * description job is an aggregate of its own that owes no other row, so none of that is here.
 * Always true: an event that changes nothing writes nothing, and a crash loses hints and reports only.
 * Source: ARCHITECTURE.md#the-life-of-an-event.
 */
export interface DescriptionService {
  deliver(jobId: string, message: DescriptionMessage, origin: Origin): Promise<Delivery>;
}

export interface DescriptionServicePorts {
  descriptions: DescriptionStore;
  queue: Pick<StagingQueue, 'enqueue'>;
  reporter: Reporter;
  timers: Timers;
  chance: { jitter(): number };
}

const KIND = 'descriptionJob';

export function createDescriptionService(ports: DescriptionServicePorts): DescriptionService {
  const { descriptions, reporter } = ports;
  return {
    async deliver(jobId, message, origin) {
      const decided = await withRetries(ports, () =>
        descriptions.transaction((tx) => decide(tx, { jobId, message, origin })),
      );
      if (decided === null) return { outcome: 'missing' };
      const { delivery, effects } = decided;
      reporter.transition(KIND, message.type, delivery.outcome);
      for (const effect of effects) followUp(ports, jobId, effect);
      return delivery;
    },
  };
}

/** What a transition owes after its commit; all of it may be lost. */
function followUp({ reporter, queue }: DescriptionServicePorts, jobId: string, effect: Effect): void {
  switch (effect.type) {
    case 'report':
      reporter.report(jobId, effect.params);
      break;
    case 'alert':
      reporter.alert({ kind: KIND, id: jobId }, effect.params);
      break;
    case 'enqueue':
      queue
        .enqueue([jobId], effect.params)
        .catch((error) =>
          reporter.problem('queue entry could not be made; the dispatcher will', error, { jobId }),
        );
      break;
    case 'liftQuarantine':
      // Written with the transition.
      break;
    default:
      throw new Error(`a description job does not emit ${effect.type}`);
  }
}

interface Letter {
  jobId: string;
  message: DescriptionMessage;
  origin: Origin;
}

async function decide(tx: DescriptionTransaction, { jobId, message, origin }: Letter) {
  const job = await tx.lock(jobId);
  if (job === null) return null;
  const { state, version } = job;
  const unchanged = (outcome: 'stale' | 'ignored') => ({
    delivery: { outcome, state, version } satisfies Delivery,
    effects: [],
  });
  if (origin.seenVersion !== undefined && origin.seenVersion !== version) return unchanged('stale');
  if (isStale(job, message, origin)) return unchanged('stale');
  const event = eventOf(job, message);
  if (event === null) return unchanged('ignored');
  const decided = step(descriptionJobMachine, job, event);
  if (decided.outcome === 'ignored') return unchanged('ignored');
  const entry = {
    id: jobId,
    seq: version + 1,
    event,
    from: state,
    to: decided.next.state,
    ...signatureOf(origin),
    leaseEpoch: job.lease?.epoch ?? null,
  };
  if (!(await tx.save(job, decided.next, entry)))
    throw new Error(`description job ${jobId} changed under its own lock`);
  if (decided.effects.some(({ type }) => type === 'liftQuarantine')) await tx.liftQuarantine(jobId);
  return {
    delivery: { outcome: 'applied', state: decided.next.state, version: version + 1 } satisfies Delivery,
    effects: decided.effects,
  };
}

/** The message with what only the deciding transaction knows; null for a crash that concerns this job in nothing. */
function eventOf(job: DescriptionJobActor, message: DescriptionMessage): DescriptionJobEvent | null {
  if (message.type === 'RUNNER_CRASHED') return crashOf(message, job.localPass, job);
  return message.type === 'RELEASE_ASKED' ? { ...message, quarantined: job.quarantined } : message;
}

function isStale({ lease }: DescriptionJobActor, event: { type: string }, origin: Origin): boolean {
  if (!needsLease(event.type)) return false;
  return lease === null || lease.owner !== origin.lease?.owner || lease.epoch !== origin.lease.epoch;
}
