import { singleKind } from '../../../persistence/actors/actor-kinds.ts';
import type { SeenActor } from '../../../persistence/console/actors.ts';
import { shortId } from '../labels.ts';
import type { TextScreen } from '../shown-text.ts';
import { clockTimeAndSpan } from '../time-texts.ts';
import { explainJob } from './explain-job.ts';
import type { Explanation, WaitContext } from './wait-context.ts';

/** Why an actor of any kind does not move; null when nothing is waited for. What others wrote goes through `screen`. */
export function explainWait(
  seen: SeenActor,
  waitContext: WaitContext,
  screen: TextScreen,
): Explanation | null {
  const explanation = explain(seen, waitContext);
  return explanation && { ...explanation, sentence: screen(explanation.sentence) };
}

function explain(seen: SeenActor, waitContext: WaitContext): Explanation | null {
  switch (seen.kind) {
    case 'stagingJob':
    case 'descriptionJob':
      return explainJob(seen, waitContext);
    case 'providerAttempt':
      return explainAttempt(seen, waitContext);
    default: {
      const { at } = waitContext;
      const when = (instant: number) => clockTimeAndSpan(instant, at);
      return singleKind(seen.kind).page.wait(seen.actor, { at, when, short: shortId });
    }
  }
}

/** An attempt waits for what its job waits for, as long as it is the one under way. */
function explainAttempt(
  { actor, job }: Extract<SeenActor, { kind: 'providerAttempt' }>,
  waitContext: WaitContext,
): Explanation | null {
  if (job === null || actor.context.finishedAt !== null || job.attempts.at(-1)?.id !== actor.id) return null;
  return explainJob(job, waitContext);
}
