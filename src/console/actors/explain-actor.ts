import { DELETION_CLAIM_MS, MAX_DELETION_TRIES, TOUR_OUTCOME_PATIENCE_MS } from '../../../machines/limits.ts';
import type { SeenActor } from '../../../persistence/console/actors.ts';
import type { TextScreen } from '../shown-text.ts';
import { clockTimeAndSpan } from '../time-words.ts';
import { shortId } from '../words.ts';
import { explainDescriptionJob, explainStagingJob } from './explain-job.ts';
import type { Explanation, Situation } from './situation.ts';

/** Why an actor of any kind does not move; null when nothing is waited for. What others wrote goes through `screen`. */
export function explainWait(seen: SeenActor, situation: Situation, screen: TextScreen): Explanation | null {
  const explanation = explain(seen, situation);
  return explanation && { ...explanation, sentence: screen(explanation.sentence) };
}

function explain(seen: SeenActor, situation: Situation): Explanation | null {
  switch (seen.kind) {
    case 'stagingJob':
      return explainStagingJob(seen, situation);
    case 'descriptionJob':
      return explainDescriptionJob(seen, situation);
    case 'providerAttempt':
      return explainAttempt(seen, situation);
    case 'imageReview':
      return seen.actor.state === 'PENDING_REVIEW'
        ? { word: 'review', sentence: "Waits for the agent's review.", person: false }
        : null;
    case 'deletionItem':
      return explainDeletion(seen, situation);
    case 'tour':
      return explainTour(seen, situation);
    case 'startGate':
      return seen.actor.state === 'PAUSED'
        ? {
            word: 'operator',
            sentence: 'Closed: no purchase begins until an operator resumes starting.',
            person: true,
          }
        : null;
    case 'searchDocument':
      return seen.actor.context.dirtySince === null
        ? null
        : {
            word: 'rebuild',
            sentence: `Owes a rebuild since ${clockTimeAndSpan(seen.actor.context.dirtySince, situation.at)}.`,
            person: false,
          };
  }
}

/** An attempt waits for what its job waits for, as long as it is the one under way. */
function explainAttempt(
  { actor, job }: Extract<SeenActor, { kind: 'providerAttempt' }>,
  situation: Situation,
): Explanation | null {
  if (job === null || actor.context.finishedAt !== null || job.attempts.at(-1)?.id !== actor.id) return null;
  return explainStagingJob(job, situation);
}

function explainDeletion(
  { actor: { state, context } }: Extract<SeenActor, { kind: 'deletionItem' }>,
  { at }: Situation,
): Explanation | null {
  switch (state) {
    case 'PENDING': {
      const after = context.attempts === 0 ? '' : ` after ${context.attempts} of ${MAX_DELETION_TRIES} tries`;
      const sentence =
        context.nextAttemptAt > at
          ? `Backs off${after} until ${clockTimeAndSpan(context.nextAttemptAt, at)}.`
          : `Is due since ${clockTimeAndSpan(context.nextAttemptAt, at)} and waits for the next drain.`;
      return { word: context.nextAttemptAt > at ? 'back-off' : 'queue', sentence, person: false };
    }
    case 'PROCESSING': {
      const claimedAt = context.claimedAt ?? at;
      const until = clockTimeAndSpan(claimedAt + DELETION_CLAIM_MS, at);
      const sentence = `Held by worker ${shortId(context.claimedBy ?? 'unknown')}, whose claim ends ${until}.`;
      return { word: 'queue', sentence, person: false };
    }
    case 'FAILED':
      return {
        word: 'operator',
        sentence: `Waits for a person: the object store answered ${context.lastError ?? 'nothing that was kept'}.`,
        person: true,
      };
    default:
      return null;
  }
}

function explainTour(
  { actor: { state, context } }: Extract<SeenActor, { kind: 'tour' }>,
  { at }: Situation,
): Explanation | null {
  const until =
    context.proposalExpiresAt === null ? '' : ` until ${clockTimeAndSpan(context.proposalExpiresAt, at)}`;
  switch (state) {
    case 'REQUESTED':
      return { word: 'agent', sentence: `Waits for the agent's answer${until}.`, person: false };
    case 'RESCHEDULE_PROPOSED': {
      const other = context.proposedBy === 'agent' ? 'customer' : 'agent';
      return { word: other, sentence: `Waits for the ${other}'s answer${until}.`, person: false };
    }
    case 'CONFIRMED': {
      const held = context.heldSlot;
      if (held === null) return null;
      const sentence =
        held.startsAt > at
          ? `Waits for the visit at ${clockTimeAndSpan(held.startsAt, at)}.`
          : `Waits for the agent to tell what became of the visit, until ${clockTimeAndSpan(held.endsAt + TOUR_OUTCOME_PATIENCE_MS, at)}.`;
      return { word: held.startsAt > at ? 'visit' : 'agent', sentence, person: false };
    }
    default:
      return null;
  }
}
