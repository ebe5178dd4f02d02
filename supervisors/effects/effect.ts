import type { ActorStore, JobAggregate, ProviderAttemptActor } from '../../persistence/actor-store.ts';
import type { Mailroom } from '../deliver.ts';
import type { AttemptMessage, Origin, SeenDelivery } from '../messages.ts';
import type {
  Chance,
  Checkpoint,
  Clock,
  InputPreparer,
  OutputCollector,
  Provider,
  Reporter,
  StagingQueue,
  Timers,
} from '../ports.ts';

/**
 * An effect is what a state asks to be done in the world (`meta.effect`). One pass does one piece of it,
 * answers with events, and says how long to wait before the next pass if the state is still the same. Every
 * pass is safe to repeat after a crash at any point of it.
 */
export type Effect = (scope: EffectScope) => Promise<EffectResult>;
export interface EffectResult {
  /** Look at the job again after this; at once when 0. */
  waitMs: number;
}
export const LOOK_AGAIN: EffectResult = { waitMs: 0 };

export interface EffectScope {
  attempt: ProviderAttemptActor;
  aggregate: JobAggregate;
  origin: Origin;
  /** Aborted when the lease is lost, the state moved on, or the grace of a shutdown is over. */
  signal: AbortSignal;
  ports: EffectPorts;
}
export interface EffectPorts {
  mailroom: Mailroom;
  store: ActorStore;
  provider: Provider;
  inputs: InputPreparer;
  collector: OutputCollector;
  queue: StagingQueue;
  clock: Clock;
  timers: Timers;
  chance: Chance;
  reporter: Reporter;
  checkpoint: Checkpoint;
  pollIntervalMs: number;
}

/** Delivers an event to the scope's attempt under the scope's lease. */
export function tell(
  { ports, aggregate, attempt, origin }: EffectScope,
  event: AttemptMessage,
): Promise<SeenDelivery> {
  return ports.mailroom.deliverAsSeen(aggregate, { to: 'providerAttempt', id: attempt.id, event }, origin);
}
