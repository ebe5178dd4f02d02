import { singleKind } from '../../../persistence/actors/actor-kinds.ts';
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
    default: {
      const { at } = situation;
      const when = (instant: number) => clockTimeAndSpan(instant, at);
      return singleKind(seen.kind).page.wait(seen.actor, { at, when, short: shortId });
    }
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
