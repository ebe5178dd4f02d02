import { parseObject, type RowsAnswer, readRows } from './answers.ts';
import { begin, moved } from './cursor.ts';
import {
  type FeedAnswer,
  type FeedCursor,
  FeedError,
  type FeedPage,
  type FeedPorts,
  type FeedPosition,
  type FeedSource,
} from './feed-reading.ts';
import type { PlannedRequest } from './requests.ts';
import { send } from './send.ts';
import { isCallerError } from './statuses.ts';
import { timeOf } from './times.ts';
import { forgetToken, tokenFor } from './tokens.ts';
import { byEvents, byKeys } from './ways/by-events.ts';
import { byLink } from './ways/by-link.ts';
import { bySkip } from './ways/by-skip.ts';
import { byGroup, byTime, timeAndKey } from './ways/by-time.ts';
import { keyList } from './ways/key-list.ts';
import type { Look, Way, WayAnswer } from './ways/way.ts';

type Position = Exclude<FeedPosition, { way: 'BEGIN' }>;
const WAYS: { readonly [Name in Position['way']]: Way<Extract<Position, { way: Name }>> } = {
  TIME_AND_KEY: timeAndKey,
  TIME: byTime,
  GROUP: byGroup,
  LINK: byLink,
  SKIP: bySkip,
  EVENTS: byEvents,
  KEYS: byKeys,
  LIST: keyList,
};
// The compiler does not see that the name of a position selects the way that takes it.
const wayOf = (at: Position): Way<Position> => WAYS[at.way] as unknown as Way<Position>;

/**
 * Reads what comes next: one request (before it, now and then, one for an access token). The returned cursor is stored
 * with the page's records; after an error the old one stays, and the same is requested again. Reading a page twice gives
 * the same or newer records.
 * @throws FeedError; the signal's reason
 */
export async function readPage(source: FeedSource, cursor: FeedCursor, ports: FeedPorts): Promise<FeedPage> {
  if (cursor.done) throw new Error('the reading of the feed has ended: begin with firstCursor');
  requireFilter(source);
  const at = cursor.at.way === 'BEGIN' ? (begin(source, cursor) as Position) : cursor.at;
  const look = { source, resource: cursor.resource, cursor };
  const request = planned(look, at);
  const answer = await answerTo(source, request, ports);
  const read = wayAnswer(source, request, answer, ports.now());
  const step = wayOf(at).advance(look, at, read);
  const next = moved(source, { ...cursor, at }, step, read.at);
  const { records = [], gone = [], keys } = step;
  return { records, gone, cursor: next, done: next.done, ...(keys !== undefined && { keys }) };
}

/** What is requested at a position. Pure. */
function planned(look: Look, at: Position): PlannedRequest {
  return wayOf(at).plan(look, at);
}

/** A vendor that wants one value of a field in every request refuses the rest, and may suspend the token. */
function requireFilter({ profile: { filterBy }, filter }: FeedSource): void {
  if (filterBy === null) return;
  const named = (filter ?? '').match(new RegExp(`\\b${filterBy} eq '(?:[^']|'')+'`, 'g')) ?? [];
  if (named.length !== 1)
    throw new FeedError('REFUSED', `the filter of the feed must name exactly one ${filterBy}`);
}

/** @throws FeedError */
async function answerTo(source: FeedSource, request: PlannedRequest, ports: FeedPorts): Promise<FeedAnswer> {
  const answer = await withToken(source, request, ports);
  // An access token may end before its time: once another one is requested.
  if (answer.status !== 401 || !forgetToken(source, ports)) return answer;
  return withToken(source, request, ports);
}

async function withToken(source: FeedSource, { url, maxPage }: PlannedRequest, ports: FeedPorts) {
  const token = await tokenFor(source, ports);
  if (url.href.includes(token) || url.href.includes(encodeURIComponent(token)))
    throw new FeedError('BROKEN_ANSWER', 'a link of the feed repeats its token');
  const headers = {
    accept: 'application/json',
    authorization: `Bearer ${token}`,
    ...(maxPage !== undefined && { prefer: `odata.maxpagesize=${maxPage}` }),
  };
  return send(source, ports, { url, method: 'GET', headers });
}

function wayAnswer(
  source: FeedSource,
  { url, single, isLink }: PlannedRequest,
  answer: FeedAnswer,
  now: number,
): WayAnswer {
  const { status } = answer;
  const at = answer.date ?? now;
  const none: RowsAnswer = {
    rows: [],
    next: null,
    count: null,
    at: timeOf(new Date(at).toISOString()) ?? '',
  };
  if (status === 401 || status === 403)
    throw new FeedError('UNAUTHORIZED', `the feed refuses the token: status ${status}`);
  if (single === true) {
    if (status === 404 || status === 410) return { ...none, url, refused: true };
    // The standard also allows 400 for what is no longer there; only the list of keys may decide that.
    if (status === 400) return { ...none, url, refused: false };
  }
  if (isLink === true && (status === 400 || status === 404 || status === 410))
    return { ...none, url, refused: true };
  if (isCallerError(status))
    throw new FeedError('REFUSED', `${source.profile.title} refuses the request: status ${status}`);
  if (single === true) return { ...none, rows: [parseObject(answer.text)], url, refused: false };
  return { ...readRows(answer.text, at), url, refused: false };
}
