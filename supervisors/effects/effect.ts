import type { LocalPass } from '../../machines/crashes.ts';
import type { ActorStore, JobAggregate, ProviderAttemptActor } from '../../persistence/actors/actor-store.ts';
import type { Mailroom } from '../actors/deliver.ts';
import { doLocally } from '../actors/local-pass.ts';
import type { AttemptMessage, Origin, SeenDelivery } from '../actors/messages.ts';
import type { LocalWorkGate } from '../concurrency/local-work-gate.ts';
import type {
  Chance,
  Checkpoint,
  Clock,
  GetAnswer,
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
  /** Asked before the claim and in the moment of the POST: purchases are switched on, nobody wants to stop, and the lease is still ours. */
  mayBuy(): boolean;
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
  localWork: LocalWorkGate;
  pollIntervalMs: number;
}

/** Does a pass of local work for the scope's attempt, when it is its turn; looks again when it is not any more. */
export async function inLocalPass(
  { ports, aggregate: { job }, attempt, origin, signal }: EffectScope,
  pass: LocalPass,
  work: () => Promise<EffectResult>,
): Promise<EffectResult> {
  const of = { jobId: job.id, version: attempt.version, crashCount: job.context.crashCount, origin, signal };
  return (await doLocally(ports, { ...of, pass }, work)) ?? LOOK_AGAIN;
}

/** Delivers an event to the scope's attempt under the scope's lease. */
export function tell(
  { ports, aggregate, attempt, origin }: EffectScope,
  event: AttemptMessage,
): Promise<SeenDelivery> {
  return ports.mailroom.deliverAsSeen(aggregate, { to: 'providerAttempt', id: attempt.id, event }, origin);
}

/**
 * Asks the provider what became of the attempt's prediction. A 404 is a fact that the machine weighs (PREDICTION_GONE),
 * and an answer after one takes it back; whoever asked acts on `found` only.
 */
export async function askAbout(scope: EffectScope, predictionId: string): Promise<GetAnswer> {
  const { attempt, ports, signal } = scope;
  const answer = await ports.provider.get(predictionId, signal);
  if (signal.aborted) return answer;
  const at = ports.clock.now();
  if (answer.kind === 'gone')
    await tell(scope, { type: 'PREDICTION_GONE', at, jitter: ports.chance.jitter() });
  else if (answer.kind === 'found' && attempt.context.goneSince !== null)
    await tell(scope, { type: 'PREDICTION_SEEN', at });
  return answer;
}
