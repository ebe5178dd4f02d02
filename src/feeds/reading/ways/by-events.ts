import type { Row } from '../answers.ts';
import { type ByEvents, type ByKeys, type FeedCursor, FeedError, type FeedKey } from '../feed-reading.ts';
import { rowsUrl } from '../requests.ts';
import { advanceWaiting, planWaiting } from './waiting.ts';
import type { Look, Step, Way, WayAnswer } from './way.ts';

/**
 * By EntityEvent (RCP-27): numbers name records, and each record is read once for all its events. A number may become
 * visible after a greater one, so every look begins so many numbers before the last one; the ones it knows it skips.
 */
const OVERLAP = 500n;
const EVENTS_A_PAGE = 1_000;

export const byEvents: Way<ByEvents> = {
  plan(look, at) {
    return planWaiting(look, at) ?? { url: eventsUrl(look, at) };
  },
  advance(look, at, answer) {
    if (at.missing.length === 0 && at.waiting.length === 0) return takeEvents(look, at, answer);
    const { records, gone, waiting, missing } = advanceWaiting(look, at, answer);
    return { records, gone, at: { ...at, waiting, missing } };
  },
};

function eventsUrl({ source, cursor }: Look, { scan }: ByEvents): URL {
  const last = cursor.events?.last;
  const from = scan ?? (last === undefined ? null : String(back(BigInt(last))));
  return rowsUrl(source, 'EntityEvent', {
    filters: [from === null ? 'EntityEventSequence ge 0' : `EntityEventSequence gt ${from}`],
    orderBy: ['EntityEventSequence asc'],
    top: EVENTS_A_PAGE,
  });
}

/** -1 is before every number. */
const back = (last: bigint): bigint => (last > OVERLAP ? last - OVERLAP : -1n);

function takeEvents({ source, cursor }: Look, at: ByEvents, { rows }: WayAnswer): Step {
  const known = new Set(cursor.events?.recent);
  const events = rows.map(readEvent);
  const scan = events.reduce<bigint>((most, { seq }) => (seq > most ? seq : most), BigInt(at.scan ?? -1));
  if (events.length > 0 && at.scan !== null && scan === BigInt(at.scan))
    throw new FeedError('BROKEN_ANSWER', 'a page of events repeats');
  const fresh = events.filter(({ seq }) => !known.has(String(seq)));
  const wanted = distinct(fresh, source.profile.resources);
  // A picture's own record names its listing.
  const missing = wanted.filter(({ resource }) => resource === 'Media');
  const waiting = wanted.filter(({ resource }) => resource !== 'Media');
  const isEnd = events.length === 0;
  return {
    events: remembered(cursor.events, events),
    at: isEnd ? null : { way: 'EVENTS', scan: String(scan), waiting, missing },
  };
}

function remembered(before: FeedCursor['events'], events: readonly { seq: bigint }[]): FeedCursor['events'] {
  const all = new Set([...(before?.recent ?? []), ...events.map(({ seq }) => String(seq))]);
  if (all.size === 0) return before;
  const sorted = [...all].map(BigInt).sort((one, other) => (one < other ? -1 : 1));
  const last = sorted.at(-1) as bigint;
  return { last: String(last), recent: sorted.filter((seq) => seq > back(last)).map(String) };
}

interface Event extends FeedKey {
  readonly seq: bigint;
}

function readEvent({
  EntityEventSequence: number,
  ResourceName: resource,
  ResourceRecordKey: key,
}: Row): Event {
  const seq = typeof number === 'number' && Number.isSafeInteger(number) ? String(number) : number;
  if (typeof seq !== 'string' || !/^\d{1,19}$/.test(seq) || typeof resource !== 'string')
    throw new FeedError('BROKEN_ANSWER', 'an event has no number or no resource');
  if (typeof key !== 'string' || key === '' || key.length > 255)
    throw new FeedError('BROKEN_ANSWER', 'an event names no record');
  return { seq: BigInt(seq), resource, key };
}

function distinct(events: readonly Event[], resources: readonly string[]): FeedKey[] {
  const wanted = new Map<string, FeedKey>();
  for (const { resource, key } of events)
    if (resource === 'Media' || resources.includes(resource))
      wanted.set(`${resource} ${key}`, { resource, key });
  return [...wanted.values()];
}

export const byKeys: Way<ByKeys> = {
  plan(look, at) {
    const request = planWaiting(look, at);
    if (request === null) throw new Error('no key waits');
    return request;
  },
  advance(look, at, answer) {
    const { records, gone, waiting, missing } = advanceWaiting(look, at, answer);
    const isOver = waiting.length === 0 && missing.length === 0;
    return { records, gone, at: isOver ? null : { way: 'KEYS', waiting, missing } };
  },
};
