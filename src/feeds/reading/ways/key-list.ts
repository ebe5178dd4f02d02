import { keyOf, modifiedAt } from '../answers.ts';
import { FeedError, type KeyListing } from '../feed-reading.ts';
import { keyField, linkUrl, literal, rootOf, rowsUrl, TIME_FIELD } from '../requests.ts';
import { markLink } from './loops.ts';
import { MOST_RESTARTS } from './walks.ts';
import type { Look, Step, Way, WayAnswer } from './way.ts';

export const freshList = (restarts: number): KeyListing => ({
  way: 'LIST',
  after: null,
  link: null,
  mark: null,
  pages: 0,
  listed: 0,
  count: null,
  restarts,
});

/**
 * The list of all keys of a resource. By key where the feed orders, so that nothing moves; else by links. It is whole
 * when it came to its end and has at least as many keys as the feed counted at its beginning.
 */
export const keyList: Way<KeyListing> = {
  plan({ source, resource }, { after, link }) {
    const { page, replication, deletion } = source.profile;
    if (link !== null) return { url: linkUrl(source, link, rootOf(source)), isLink: true };
    const field = keyField(resource);
    const sends = replication.orders || page.by === 'TOP';
    return {
      url: rowsUrl(source, resource, {
        filters: [
          deletion.sign === 'FIELD' ? `${deletion.field} eq ${!deletion.value}` : null,
          after && `${field} gt ${literal(after)}`,
        ],
        select: [field, TIME_FIELD],
        ...(replication.orders && { orderBy: [`${field} asc`] }),
        ...(sends && { top: page.keys }),
        count: replication.counts,
      }),
      ...(!sends && { maxPage: page.keys }),
    };
  },
  advance(look, at, answer) {
    if (answer.refused) {
      if (at.restarts >= MOST_RESTARTS) throw new FeedError('REFUSED', 'the feed refuses its own links');
      return { at: freshList(at.restarts + 1) };
    }
    const { resource } = look;
    const keys = answer.rows.map((row) => ({ key: keyOf(resource, row), modifiedAt: modifiedAt(row) }));
    if (at.after !== null && keys.some(({ key }) => key === at.after))
      throw new FeedError('BROKEN_ANSWER', 'a page of keys repeats');
    const listed = at.listed + keys.length;
    const count = at.pages === 0 ? answer.count : at.count;
    const next = { ...at, pages: at.pages + 1, listed, count };
    return look.source.profile.replication.orders
      ? byKey(look, next, keys)
      : byLinks(look, next, keys, answer);
  },
};

type Keys = NonNullable<Step['keys']>['keys'];

function byKey(look: Look, at: KeyListing, keys: Keys): Step {
  const last = keys.at(-1);
  return last === undefined
    ? ended(look, at, keys)
    : { at: { ...at, after: last.key }, keys: page(look, at, keys, null) };
}

function byLinks(look: Look, at: KeyListing, keys: Keys, answer: WayAnswer): Step {
  if (answer.next === null) return ended(look, at, keys);
  const link = linkUrl(look.source, answer.next, answer.url).href;
  const mark = markLink(link, at);
  if (mark === null || link === at.link)
    throw new FeedError('BROKEN_ANSWER', 'the links to the next keys lead in a circle');
  return { at: { ...at, link, mark }, keys: page(look, at, keys, null) };
}

function ended(look: Look, at: KeyListing, keys: Keys): Step {
  const { counts } = look.source.profile.replication;
  const complete = at.count === null ? !counts : at.listed >= at.count;
  return { at: null, keys: page(look, at, keys, complete) };
}

const page = ({ resource }: Look, { listed, count }: KeyListing, keys: Keys, complete: boolean | null) => ({
  resource,
  keys,
  complete,
  listed,
  count,
});
