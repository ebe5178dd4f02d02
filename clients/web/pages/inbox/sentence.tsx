import { useText } from '../../site/use-site.ts';
import { deedOf, type Step } from './story.ts';
import type { Tour } from './tour-list.ts';

/** Stands for the name until it is put in, with a direction of its own. */
const NAME = '\u0000';

/** What happened in one sentence, such as `Ann Lee proposed Sat, Dec 5, 4 – 5 PM PST`. */
export function Sentence({
  step,
  tour,
  personId,
}: {
  readonly step: Step;
  readonly tour: Tour;
  readonly personId: string;
}) {
  const { t, timeRange, anyOf } = useText();
  const deed = deedOf(step);
  const { by, actor, slots } = step;
  const times = anyOf(slots.map(({ startsAt, endsAt }) => timeRange(startsAt, endsAt, tour.timeZone)));
  const key = `inbox.story.${deed}`;
  if (by === null) return t(key, { times });
  if (by.userId === personId) return t(`${key}.you`, { times });
  const [before, after = ''] = t(key, { name: NAME, times }).split(NAME);
  return (
    <>
      {before}
      <bdi>{by.name || t(`inbox.nameless.${actor}`)}</bdi>
      {after}
    </>
  );
}
