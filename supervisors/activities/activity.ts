import type { ActorStore } from '../../persistence/actors/actor-store.ts';
import type { ProviderAttemptActor } from '../../persistence/actors/rows/attempt-row.ts';
import type { JobAggregate } from '../../persistence/actors/rows/job-row.ts';
import type { ActorSystem } from '../actors/deliver.ts';
import type { AttemptMessage, Origin, SeenDelivery } from '../actors/messages.ts';
import type { Semaphore } from '../concurrency/semaphore.ts';
import type {
  Chance,
  Checkpoint,
  Clock,
  GetAnswer,
  InputPreparer,
  JobQueues,
  OutputCollector,
  Polls,
  Provider,
  Reporter,
  TextCheck,
  Timers,
} from '../ports.ts';

/**
 * An activity is what a state does in the outside world (`meta.activity`). One pass does one piece of it, sends the
 * events that result, and returns the wait before the next pass if the state stays the same. Every pass is safe to
 * repeat after a crash at any point.
 */
export type Activity = (scope: ActivityScope) => Promise<ActivityResult>;
export interface ActivityResult {
  /** Look at the job again after this; at once when 0. */
  waitMs: number;
  /** The job as the pass has left it, when that is known and no wait follows. */
  now?: JobAggregate | undefined;
}
export const LOOK_AGAIN: ActivityResult = { waitMs: 0 };
/** Goes on at once with the job as the event has left it. */
export const goOn = ({ now }: SeenDelivery): ActivityResult => ({ waitMs: 0, now });

export interface ActivityScope {
  attempt: ProviderAttemptActor;
  aggregate: JobAggregate;
  origin: Origin;
  /** Aborted when the lease is lost, the state moved on, or the grace of a shutdown is over. */
  signal: AbortSignal;
  /**
   * Checked before the claim and at the moment of the POST: purchases are switched on, no stop was requested, and the
   * lease is still ours.
   */
  mayBuy(): boolean;
  /** Called when an event of this pass has changed the row. */
  moved?(): void;
  ports: ActivityPorts;
}
export interface ActivityPorts {
  actorSystem: ActorSystem;
  store: ActorStore;
  provider: Provider;
  polls: Polls;
  inputs: InputPreparer;
  collector: OutputCollector;
  checkText: TextCheck;
  queues: JobQueues;
  clock: Clock;
  timers: Timers;
  chance: Chance;
  reporter: Reporter;
  checkpoint: Checkpoint;
  /** The local work in this process (`local-pass.ts`). */
  localWork: Semaphore;
  pollIntervalMs: number;
  /** Where a claim must be on a standby before the purchase: whether it is. Absent where the primary's commit is enough. */
  confirmClaim?(): Promise<boolean>;
}

/** Delivers an event to the scope's attempt under the scope's lease. */
export async function sendEvent(
  { ports, aggregate, attempt, origin, moved }: ActivityScope,
  event: AttemptMessage,
): Promise<SeenDelivery> {
  const message = { to: 'providerAttempt', id: attempt.id, event } as const;
  const delivery = await ports.actorSystem.deliverAsSeen(aggregate, message, origin);
  if (delivery.outcome === 'applied') moved?.();
  return delivery;
}

/**
 * Gets the attempt's prediction from the provider. A 404 is sent to the machine, which decides (PREDICTION_GONE), and a
 * later answer revokes it; the caller acts on `found` only.
 */
export async function askAbout(
  scope: ActivityScope,
  predictionId: string,
  ask: Provider['get'] = scope.ports.provider.get,
): Promise<GetAnswer> {
  const { attempt, ports, signal } = scope;
  const answer = await ask(predictionId, signal);
  if (signal.aborted) return answer;
  const at = ports.clock.now();
  if (answer.kind === 'gone')
    await sendEvent(scope, { type: 'PREDICTION_GONE', at, jitter: ports.chance.jitter() });
  else if (answer.kind === 'found' && attempt.context.goneSince !== null)
    await sendEvent(scope, { type: 'PREDICTION_SEEN', at });
  return answer;
}
