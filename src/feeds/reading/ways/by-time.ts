import { keyOf, newestOf, type Row, rowTime, sortRows } from '../answers.ts';
import {
  type ByGroup,
  type ByTime,
  type ByTimeAndKey,
  FeedError,
  type FeedPosition,
} from '../feed-reading.ts';
import { keyField, literal, rowsUrl, TIME_FIELD } from '../requests.ts';
import { movedTime, timeLiteral } from '../times.ts';
import type { Way } from './way.ts';

/**
 * By ModificationTimestamp. More rows of one time than a page has are not lost: after a row the next request takes the
 * rest of its time by key. Where a feed cannot do that, or cuts digits so that it finds the same rows again, the page
 * grows until the group fits, and beyond the largest page the group is read by its keys.
 */
export const timeAndKey: Way<ByTimeAndKey> = {
  plan({ source, resource }, { since, time, key }) {
    const field = keyField(resource);
    const after =
      time === null || key === null
        ? since && `${TIME_FIELD} ge ${timeLiteral(since)}`
        : `(${TIME_FIELD} eq ${timeLiteral(time)} and ${field} gt ${literal(key)}) or ${TIME_FIELD} gt ${timeLiteral(time)}`;
    const orderBy = [`${TIME_FIELD} asc`, `${field} asc`];
    return {
      url: rowsUrl(source, resource, {
        filters: [after],
        orderBy,
        top: source.profile.page.size,
        expand: true,
      }),
    };
  },
  advance({ source, resource }, at, { rows }) {
    const newest = newestOf(rows, at.newest);
    const last = rows.at(-1);
    // A server may give fewer rows than requested, so only an empty page is the end.
    if (last === undefined) return { at: null, newest };
    requireOrder(rows);
    const time = rowTime(last);
    if (time === null) throw new FeedError('BROKEN_ANSWER', 'the last row of a page by time has no time');
    const position: FeedPosition = repeats(resource, at, rows)
      ? { way: 'TIME', from: at.time, top: source.profile.page.size, newest }
      : { ...at, time, key: keyOf(resource, last), newest };
    return { ...sortRows(source, resource, rows), at: position };
  },
};

/** Whether a page has the row after which it should begin, or an older one. */
function repeats(resource: string, { time, key }: ByTimeAndKey, rows: readonly Row[]): boolean {
  if (time === null) return false;
  return rows.some((row) => {
    const other = rowTime(row);
    return other !== null && (other < time || (other === time && keyOf(resource, row) === key));
  });
}

export const byTime: Way<ByTime> = {
  plan({ source, resource }, { from, top }) {
    const { counts, ordersByBoth } = source.profile.replication;
    const orderBy = [`${TIME_FIELD} asc`, ...(ordersByBoth ? [`${keyField(resource)} asc`] : [])];
    const filters = [from && `${TIME_FIELD} ge ${timeLiteral(from)}`];
    return { url: rowsUrl(source, resource, { filters, orderBy, top, count: counts, expand: true }) };
  },
  advance({ source, resource }, at, { rows, count, next }) {
    const newest = newestOf(rows, at.newest);
    if (rows.length === 0) return { at: null, newest };
    requireOrder(rows);
    const last = newestOf(rows, null);
    if (last === null || (at.from !== null && last < at.from))
      throw new FeedError('BROKEN_ANSWER', 'a page by time has only older rows');
    const sorted = sortRows(source, resource, rows);
    if (at.from === null || last > at.from)
      return { ...sorted, at: { way: 'TIME', from: last, top: source.profile.page.size, newest } };
    // From here on all rows are of one time.
    const isFull =
      next !== null || rows.length >= at.top || (count ?? Number.POSITIVE_INFINITY) > rows.length;
    if (!isFull) return { ...sorted, at: null, newest };
    const { most } = source.profile.page;
    const position: FeedPosition =
      at.top < most && rows.length >= at.top
        ? { ...at, top: Math.min(most, at.top * 2), newest }
        : { way: 'GROUP', time: last, after: null, newest };
    return { ...sorted, at: position };
  },
};

export const byGroup: Way<ByGroup> = {
  plan({ source, resource }, { time, after }) {
    const field = keyField(resource);
    const [from, to] = [movedTime(time, 0), movedTime(time, 1)];
    const filters = [
      `${TIME_FIELD} ge ${timeLiteral(from)} and ${TIME_FIELD} lt ${timeLiteral(to)}`,
      after && `${field} gt ${literal(after)}`,
    ];
    const top = source.profile.page.most;
    return { url: rowsUrl(source, resource, { filters, orderBy: [`${field} asc`], top, expand: true }) };
  },
  advance({ source, resource }, at, { rows }) {
    const newest = newestOf(rows, at.newest);
    const last = rows.at(-1);
    const { size } = source.profile.page;
    if (last === undefined)
      return { at: { way: 'TIME', from: movedTime(at.time, 1), top: size, newest }, newest };
    if (rows.some((row) => keyOf(resource, row) === at.after))
      throw new FeedError('BROKEN_ANSWER', 'a page by key repeats');
    return { ...sortRows(source, resource, rows), at: { ...at, after: keyOf(resource, last), newest } };
  },
};

/** A feed that does not order as requested cannot be read by time. */
function requireOrder(rows: readonly Row[]): void {
  let before: string | null = null;
  for (const row of rows) {
    const time = rowTime(row);
    if (before !== null && time !== null && time < before)
      throw new FeedError('BROKEN_ANSWER', 'the rows are not in the requested order');
    before = time ?? before;
  }
}
