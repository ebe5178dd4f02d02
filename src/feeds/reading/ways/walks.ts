import type { RowsAnswer } from '../answers.ts';
import type { ByLink, BySkip, FeedPosition } from '../feed-reading.ts';
import { movedTime } from '../times.ts';
import type { Look } from './way.ts';

/**
 * What walks over moving pages share. Rows are ordered by key where the feed can do that: then a change moves no row. After
 * the last page the walk begins again with what changed since its first page was answered. A walk that gave fewer rows
 * than the feed counted at its beginning has missed some, and is repeated.
 */
const MOST_ROUNDS = 4;
export const MOST_RESTARTS = 3;

type Walking = ByLink | BySkip;
type Began = Pick<Walking, 'round' | 'since' | 'restarts' | 'newest'>;

const freshWalk = ({ round, since, restarts, newest }: Began) => ({
  round,
  since,
  restarts,
  newest,
  begun: null,
  pages: 0,
  rows: 0,
  count: null,
});

/** The walk after one more page. */
export const walked = (at: Walking, { rows, count, at: answeredAt }: RowsAnswer, newest: string | null) => ({
  round: at.round,
  since: at.since,
  restarts: at.restarts,
  newest,
  begun: at.begun ?? answeredAt,
  pages: at.pages + 1,
  rows: at.rows + rows.length,
  count: at.pages === 0 ? count : at.count,
});

export const freshLink = (began: Began): ByLink => ({
  ...freshWalk(began),
  way: 'LINK',
  link: null,
  mark: null,
  keys: null,
  repeats: 0,
});
export const freshSkip = (began: Began): BySkip => ({ ...freshWalk(began), way: 'SKIP', skip: 0, tail: [] });

/** After the last page: the next walk, or null at the end. */
export function afterWalk(
  { source }: Look,
  ended: ReturnType<typeof walked>,
  fresh: (began: Began) => FeedPosition,
): FeedPosition | null {
  const isShort = ended.count !== null && ended.rows < ended.count;
  if (isShort && ended.restarts < MOST_RESTARTS) return fresh({ ...ended, restarts: ended.restarts + 1 });
  // Nothing moves between the pages of a walk of one page.
  if (ended.pages <= 1 || ended.begun === null || ended.round >= MOST_ROUNDS) return null;
  const back = source.profile.replication.overlapMinutes * 60_000;
  return fresh({
    ...ended,
    round: ended.round + 1,
    since: movedTime(ended.begun, -back),
    restarts: ended.restarts,
  });
}
