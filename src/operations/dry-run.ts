import type { Effect, EffectParams } from '../../machines/effects.ts';
import { providerAttemptMachine } from '../../machines/provider-attempt.ts';
import { jobMachine } from '../../machines/staging-job.ts';
import { type ActorState, descriptionOf, step } from '../../machines/step.ts';
import { ACTOR_KINDS, type ActorKind } from '../../persistence/actors/actor-kinds.ts';
import type { SeenActor } from '../../persistence/console/actors.ts';
import { receiverOf } from '../../supervisors/actors/advance-job.ts';
import type { StateLabel } from './operation.ts';

/**
 * A dry run of an event by the machines themselves: the state that the actor would reach, and the effects as sentences.
 * Null when the machine would ignore it.
 */
export function dryRunOf(
  subject: SeenActor,
  event: { type: string; at: number },
): { to: StateLabel; effects: string[] } | null {
  const { kind, actor } = subject;
  const decided = step(ACTOR_KINDS[kind].machine, actor as never, event as never);
  if (decided.outcome === 'ignored') return null;
  const scene: Scene = { job: decided.next as ActorState<never>, effects: [] };
  for (const effect of decided.effects) follow(scene, subject, effect);
  return { to: toText(kind, scene.job.state), effects: scene.effects };
}

export function toText(kind: ActorKind, state: string): StateLabel {
  return { state, sentence: descriptionOf(ACTOR_KINDS[kind].machine, state) };
}

interface Scene {
  /** The actor after the transition, including the messages that its attempt would send back. */
  job: ActorState<never>;
  effects: string[];
}

function follow(scene: Scene, subject: SeenActor, effect: Effect): void {
  switch (effect.type) {
    case 'sendToAttempt':
      sendToAttempt(scene, subject, effect.params);
      return;
    case 'liftQuarantine':
      scene.effects.push('It is no longer quarantined: a worker takes it up within seconds.');
      return;
    case 'enqueue':
      scene.effects.push(
        effect.params.delayMs > 0
          ? `The queue brings it in ${Math.ceil(effect.params.delayMs / 1000)} seconds, when its retry is due.`
          : 'The queue brings it to a worker, at the start rate.',
      );
      return;
    case 'scheduleDeletion':
      scene.effects.push('The object that it may have stored is queued for deletion.');
      return;
    case 'alert':
      scene.effects.push(`The alert ${effect.params.alert} is raised.`);
      return;
    case 'report':
      scene.effects.push(`${effect.params.event} is logged.`);
      return;
    default:
      scene.effects.push(`${effect.type} is done in the same transaction.`);
  }
}

/** How the attempt would handle its job's message, and what it would send back. */
function sendToAttempt(scene: Scene, subject: SeenActor, message: EffectParams['sendToAttempt']): void {
  const attempt = receiverOf(subject, message);
  if (!attempt) {
    scene.effects.push('No purchase is under way; a worker closes the job within seconds.');
    return;
  }
  const decided = step(providerAttemptMachine, attempt, message);
  if (decided.outcome === 'ignored') return;
  const { state } = decided.next;
  const name = `Attempt ${attempt.context.attemptNumber}`;
  scene.effects.push(
    state === attempt.state
      ? `${name} stays ${state} and is called off as soon as its prediction is known.`
      : `${name} goes from ${attempt.state} to ${state}: ${descriptionOf(providerAttemptMachine, state)}`,
  );
  for (const effect of decided.effects) {
    if (effect.type !== 'sendToJob') follow(scene, subject, effect);
    else {
      const answered = step(jobMachine, scene.job as never, effect.params);
      if (answered.outcome === 'applied') scene.job = answered.next as ActorState<never>;
    }
  }
}
