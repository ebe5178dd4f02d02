import { definitionOf } from '../../../persistence/actors/actor-kinds.ts';
import { jobOf, type SeenActor } from '../../../persistence/console/actors.ts';
import { shortId } from '../labels.ts';
import type { TextScreen } from '../shown-text.ts';
import { clockTimeAndSpan } from '../time-texts.ts';
import { explainJob } from './explain-job.ts';
import type { Explanation, WaitContext } from './wait-context.ts';

/**
 * Why an actor of any kind does not move; null when it waits for nothing. Texts of other parties go through
 * `screen`.
 */
export function explainWait(
  seen: SeenActor,
  waitContext: WaitContext,
  screen: TextScreen,
): Explanation | null {
  const explanation = explain(seen, waitContext);
  return explanation && { ...explanation, sentence: screen(explanation.sentence) };
}

function explain(seen: SeenActor, waitContext: WaitContext): Explanation | null {
  const { at } = waitContext;
  const when = (instant: number) => clockTimeAndSpan(instant, at);
  const wait = definitionOf(seen.kind).page.wait(seen.actor, { at, when, short: shortId }, seen.beside);
  if (wait !== 'job') return wait;
  const job = jobOf(seen);
  return job && explainJob(job, waitContext);
}
