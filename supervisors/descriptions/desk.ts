import { type DescriptionJobEvent, descriptionJobMachine } from '../../machines/description-job.ts';
import { step } from '../../machines/step.ts';
import type {
  DescriptionJobActor,
  DescriptionStore,
  DescriptionTransaction,
} from '../../persistence/description-store.ts';
import { needsLease } from '../leased-events.ts';
import type { Delivery, Origin } from '../messages.ts';
import type { Reporter, Timers } from '../ports.ts';
import { withRetries } from '../retry-policy.ts';

/**
 * The one way to change a description job, as `deliver` is for the staging pipeline: one transaction locks the row,
 * lets the machine decide, writes state and journal and commits; only then is anything reported. A description job
 * is an aggregate of its own that owes no other row and has no queue entry to settle, so none of that is here.
 * Always true: an event that changes nothing writes nothing, and a crash loses reports only.
 * Source: architecture.md section 3.
 */
export interface DescriptionDesk {
  deliver(jobId: string, event: DescriptionJobEvent, origin: Origin): Promise<Delivery>;
}

export interface DeskPorts {
  descriptions: DescriptionStore;
  reporter: Reporter;
  timers: Timers;
  chance: { jitter(): number };
}

const KIND = 'descriptionJob';

export function createDescriptionDesk(ports: DeskPorts): DescriptionDesk {
  const { descriptions, reporter } = ports;
  return {
    async deliver(jobId, event, origin) {
      const decided = await withRetries(ports, () =>
        descriptions.transaction((tx) => decide(tx, { jobId, event, origin })),
      );
      if (decided === null) return { outcome: 'missing' };
      const { delivery, orders } = decided;
      reporter.transition(KIND, event.type, delivery.outcome);
      for (const order of orders) {
        if (order.type === 'report') reporter.report(jobId, order.params);
        else if (order.type === 'alert') reporter.alert({ kind: KIND, id: jobId }, order.params);
        else throw new Error(`a description job does not order ${order.type}`);
      }
      return delivery;
    },
  };
}

interface Letter {
  jobId: string;
  event: DescriptionJobEvent;
  origin: Origin;
}

async function decide(tx: DescriptionTransaction, { jobId, event, origin }: Letter) {
  const job = await tx.lock(jobId);
  if (job === null) return null;
  const { state, version } = job;
  const unchanged = (outcome: 'stale' | 'ignored') => ({
    delivery: { outcome, state, version } satisfies Delivery,
    orders: [],
  });
  if (isStale(job, event, origin)) return unchanged('stale');
  const decided = step(descriptionJobMachine, job, event);
  if (decided.outcome === 'ignored') return unchanged('ignored');
  const entry = {
    id: jobId,
    seq: version + 1,
    event,
    from: state,
    to: decided.next.state,
    by: origin.by,
    leaseEpoch: job.lease?.epoch ?? null,
  };
  if (!(await tx.save(job, decided.next, entry)))
    throw new Error(`description job ${jobId} changed under its own lock`);
  return {
    delivery: { outcome: 'applied', state: decided.next.state, version: version + 1 } satisfies Delivery,
    orders: decided.orders,
  };
}

function isStale({ lease }: DescriptionJobActor, event: DescriptionJobEvent, origin: Origin): boolean {
  if (!needsLease(event.type)) return false;
  return lease === null || lease.owner !== origin.lease?.owner || lease.epoch !== origin.lease.epoch;
}
