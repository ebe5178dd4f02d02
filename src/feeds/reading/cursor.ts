import { KEY_FIELDS } from '../profiles/profile-schema.ts';
import type { FeedCursor, FeedKey, FeedPosition, FeedSource, FeedTask } from './feed-reading.ts';
import { later, movedTime } from './times.ts';
import { freshList } from './ways/key-list.ts';
import { freshLink, freshSkip } from './ways/walks.ts';
import type { Step } from './ways/way.ts';

/** The most keys that one reading of missing records takes; what is beyond is found by the next reconciliation. */
export const MOST_MISSING = 10_000;

const BEGIN: FeedPosition = { way: 'BEGIN' };

/**
 * Begins a look, or a list of all keys.
 * @param previous the cursor of the last one, ended or not; null for a first load
 */
export function firstCursor(source: FeedSource, previous: FeedCursor | null, task: FeedTask): FeedCursor {
  return {
    phase: task,
    resource: source.profile.resources[0] ?? 'Property',
    watermarks: previous?.watermarks ?? {},
    events: previous?.events ?? null,
    at: BEGIN,
    done: false,
  };
}

/** Reads records by their keys: what a whole list has, and the rows here lack or have with another time. */
export function cursorForKeys(
  source: FeedSource,
  previous: FeedCursor | null,
  missing: readonly FeedKey[],
): FeedCursor {
  const waiting = missing.filter(({ resource }) => resource in KEY_FIELDS).slice(0, MOST_MISSING);
  const cursor = firstCursor(source, previous, 'REPLICATE');
  if (waiting.length === 0) return { ...cursor, done: true };
  return { ...cursor, at: { way: 'KEYS', waiting, missing: [] } };
}

/** Where the reading of the cursor's resource begins. */
export function begin(source: FeedSource, { phase, resource, watermarks }: FeedCursor): FeedPosition {
  if (phase === 'RECONCILE') return freshList(0);
  const { replication, page } = source.profile;
  const watermark = watermarks[resource] ?? null;
  const since = watermark === null ? null : movedTime(watermark, -replication.overlapMinutes * 60_000);
  const began = { round: 0, since, restarts: 0, newest: null };
  switch (replication.way) {
    case 'ENTITY_EVENT':
      return { way: 'EVENTS', scan: null, waiting: [], missing: [] };
    case 'TIMESTAMP':
      return replication.ordersByBoth
        ? { way: 'TIME_AND_KEY', since, time: null, key: null, newest: null }
        : { way: 'TIME', from: since, top: page.size, newest: null };
    case 'NEXT_LINK':
      return freshLink(began);
    case 'TOP_SKIP':
      return freshSkip(began);
  }
}

/**
 * The cursor after a step: at the end of a resource the next one begins, and after the last one all is done.
 * @param now the source's clock: a record with a time in the future must not hide what changes before that
 */
export function moved(
  source: FeedSource,
  cursor: FeedCursor,
  { at, newest = null, events }: Step,
  now: string,
): FeedCursor {
  const next = { ...cursor, ...(events !== undefined && { events }) };
  if (at !== null) return { ...next, at };
  const { resources, replication } = source.profile;
  const { resource } = cursor;
  const newer = later(cursor.watermarks[resource] ?? null, newest !== null && newest > now ? now : newest);
  const watermarks = newer === null ? next.watermarks : { ...next.watermarks, [resource]: newer };
  // Events and keys are of all resources at once.
  const isAll =
    cursor.at.way === 'KEYS' || (cursor.phase === 'REPLICATE' && replication.way === 'ENTITY_EVENT');
  const following = isAll ? undefined : resources[resources.indexOf(resource) + 1];
  return following === undefined
    ? { ...next, watermarks, at: BEGIN, done: true }
    : { ...next, watermarks, resource: following, at: BEGIN };
}
