import { keyOf, newestOf, sortRows } from '../answers.ts';
import { type BySkip, FeedError } from '../feed-reading.ts';
import { keyField, rowsUrl, TIME_FIELD } from '../requests.ts';
import { timeLiteral } from '../times.ts';
import { afterWalk, freshSkip, MOST_RESTARTS, walked } from './walks.ts';
import type { Way } from './way.ts';

/** The keys of a page's end that the next page must have, so that nothing slipped through between the two. */
const TAIL = 20;

/** By `$top` and `$skip`, ordered by key. A page without the end of the one before is looked for further back. */
export const bySkip: Way<BySkip> = {
  plan({ source, resource }, at) {
    return {
      url: rowsUrl(source, resource, {
        filters: [at.since && `${TIME_FIELD} ge ${timeLiteral(at.since)}`],
        orderBy: [`${keyField(resource)} asc`],
        top: source.profile.page.size,
        skip: skipOf(at),
        count: source.profile.replication.counts,
        expand: true,
      }),
    };
  },
  advance(look, at, answer) {
    const { source, resource } = look;
    const newest = newestOf(answer.rows, at.newest);
    const keys = answer.rows.map((row) => keyOf(resource, row));
    const sorted = sortRows(source, resource, answer.rows);
    const skipped = skipOf(at);
    const found = at.tail.length === 0 ? -1 : keys.findLastIndex((key) => at.tail.includes(key));
    if (at.tail.length > 0 && found === -1) return { ...sorted, at: steppedBack(look.source, at, skipped) };
    const fresh = keys.length - found - 1;
    const ended = walked(at, { ...answer, rows: answer.rows.slice(found + 1) }, newest);
    // More rows than the overlap, none of them new: rows were inserted before it, or the page repeats.
    const isEnd = fresh === 0 && keys.length <= at.tail.length;
    if (isEnd) return { ...sorted, at: afterWalk(look, withoutLastPage(ended), freshSkip), newest };
    const tail = fresh === 0 ? at.tail : [...at.tail, ...keys.slice(found + 1)].slice(-TAIL);
    return { ...sorted, at: { ...ended, way: 'SKIP', skip: skipped + keys.length, tail }, newest };
  },
};

const skipOf = ({ skip, tail }: BySkip): number => Math.max(0, skip - tail.length);

/** The empty page at the end is no page. */
const withoutLastPage = <Ended extends { pages: number }>(ended: Ended): Ended => ({
  ...ended,
  pages: ended.pages - 1,
});

function steppedBack(source: { profile: { page: { size: number } } }, at: BySkip, skipped: number): BySkip {
  if (skipped > 0)
    return { ...at, skip: Math.max(0, skipped - source.profile.page.size / 2) + at.tail.length };
  if (at.restarts >= MOST_RESTARTS)
    throw new FeedError('BROKEN_ANSWER', 'the pages move while they are read');
  return freshSkip({ ...at, restarts: at.restarts + 1 });
}
