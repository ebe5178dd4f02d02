import { keyOf, newestOf, sortRows } from '../answers.ts';
import { type ByLink, FeedError, type FeedPosition } from '../feed-reading.ts';
import { keyField, linkUrl, rootOf, rowsUrl, TIME_FIELD } from '../requests.ts';
import { timeLiteral } from '../times.ts';
import { hashOf, markLink } from './loops.ts';
import { afterWalk, freshLink, MOST_RESTARTS, walked } from './walks.ts';
import type { Look, Step, Way, WayAnswer } from './way.ts';

/** So many pages in a row with the same rows are no progress. */
const MOST_REPEATS = 5;

/** By `@odata.nextLink`, an opaque address. */
export const byLink: Way<ByLink> = {
  plan({ source, resource }, { link, since }) {
    if (link !== null) return { url: linkUrl(source, link, rootOf(source)), isLink: true };
    const { page, replication } = source.profile;
    return {
      url: rowsUrl(source, resource, {
        filters: [since && `${TIME_FIELD} ge ${timeLiteral(since)}`],
        ...(replication.orders && { orderBy: [`${keyField(resource)} asc`] }),
        ...(page.by === 'TOP' && { top: page.size }),
        count: replication.counts,
        expand: true,
      }),
      ...(page.by === 'PREFER' && { maxPage: page.size }),
    };
  },
  advance(look, at, answer) {
    if (answer.refused) return { at: restarted(at) };
    const { source, resource } = look;
    const newest = newestOf(answer.rows, at.newest);
    const sorted = sortRows(source, resource, answer.rows);
    const ended = walked(at, answer, newest);
    if (answer.next === null) return { ...sorted, at: afterWalk(look, ended, freshLink), newest };
    return { ...sorted, ...followed(look, at, answer, ended), newest };
  },
};

function followed(look: Look, at: ByLink, answer: WayAnswer, ended: ReturnType<typeof walked>): Step {
  const { source, resource } = look;
  const link = linkUrl(source, answer.next as string, answer.url).href;
  const keys = hashOf(answer.rows.map((row) => keyOf(resource, row)).join('\n'));
  const repeats = keys === at.keys ? at.repeats + 1 : 0;
  const mark = markLink(link, { mark: at.mark, pages: ended.pages });
  if (mark === null || link === at.link || repeats >= MOST_REPEATS) return { at: otherWay(look, at) };
  return { at: { ...ended, way: 'LINK', link, mark, keys, repeats } };
}

/** Links that lead nowhere: by time, where the feed orders. @throws FeedError where it does not */
function otherWay({ source }: Look, { since, newest }: ByLink): FeedPosition {
  if (!source.profile.replication.orders)
    throw new FeedError('BROKEN_ANSWER', 'the links to the next pages lead in a circle');
  return { way: 'TIME', from: since, top: source.profile.page.size, newest };
}

/** A link has expired: the walk begins again. @throws FeedError when that does not help */
function restarted(at: ByLink): FeedPosition {
  if (at.restarts >= MOST_RESTARTS) throw new FeedError('REFUSED', 'the feed refuses its own links');
  return freshLink({ ...at, restarts: at.restarts + 1 });
}
