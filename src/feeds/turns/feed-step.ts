import type { Pool } from 'pg';
import type { FeedEvent } from '../../../machines/feed.ts';
import { inFeedPage } from '../../../persistence/feeds/feed-page.ts';
import {
  type FeedPosition,
  readFeed,
  standardValues,
  unlistedCounts,
  unlistedRecords,
} from '../../../persistence/feeds/feed-queries.ts';
import type { ActorSystem } from '../../../supervisors/actors/deliver.ts';
import type { Clock, Reporter } from '../../../supervisors/ports.ts';
import type { FeedProfile } from '../profiles/profile-schema.ts';
import { cursorForKeys, firstCursor, MOST_MISSING } from '../reading/cursor.ts';
import {
  type FeedCursor,
  FeedError,
  type FeedPage,
  type FeedSource,
  NoPlaceError,
} from '../reading/feed-reading.ts';
import { standardOf } from '../writing/standard-values.ts';
import { type WritingTerms, writePage } from '../writing/write-page.ts';
import { nothingRead, type StoredCursor } from './stored-cursor.ts';

/**
 * One step of a feed: at most one request and one transaction, or one event of its machine. What is to be done follows
 * from the row alone, so a worker that dies between two steps leaves nothing to repair.
 */
export interface FeedStepPorts {
  pool: Pool;
  actorSystem: Pick<ActorSystem, 'deliver'>;
  clock: Clock;
  reporter: Reporter;
  node: string;
  currency: string;
  profileOf(name: string): FeedProfile;
  /** The value of an environment variable; null when it is not set. */
  secretOf(name: string): string | null;
  /** @throws FeedError */
  read(source: FeedSource, account: string, cursor: FeedCursor, signal: AbortSignal): Promise<FeedPage>;
  /** Milliseconds. */
  lookEveryMs: number;
  reconcileEveryMs: number;
}

/** `MORE`: there is something to do now. `REST`: not before the next sweep. */
export type FeedStep = 'MORE' | 'REST';

/** So many records leave in one transaction. */
const LEAVING = 200;
/** A shorter wait for a place of our own rate is no failure. What the source asks for is waited for, and stored. */
const SHORT_WAIT_MS = 60_000;
/** After a list that decided nothing. */
const LIST_AGAIN_MS = 3_600_000;

interface Scene {
  ports: FeedStepPorts;
  feed: FeedPosition;
  source: FeedSource;
  stored: StoredCursor | null;
  signal: AbortSignal;
}

export async function stepFeed(ports: FeedStepPorts, id: string, signal: AbortSignal): Promise<FeedStep> {
  const feed = await readFeed(ports.pool, id);
  if (feed === null) return 'REST';
  const scene = {
    ports,
    feed,
    source: sourceOf(ports, feed),
    stored: feed.cursor as StoredCursor | null,
    signal,
  };
  switch (feed.actor.state) {
    case 'WAITING': {
      if ((feed.actor.context.dueAt ?? 0) > ports.clock.now()) return 'REST';
      return send(scene, { type: 'TIME_PASSED', at: ports.clock.now() });
    }
    case 'REPLICATING':
      return follow(scene);
    case 'RECONCILING':
      return feed.actor.context.task === 'REMOVE' ? remove(scene) : list(scene);
    default:
      return 'REST';
  }
}

export function sourceOf(
  { profileOf, secretOf }: Pick<FeedStepPorts, 'profileOf' | 'secretOf'>,
  { actor: { details } }: Pick<FeedPosition, 'actor'>,
): FeedSource {
  const { profile, baseUrl, filter, credentials } = details;
  return {
    profile: profileOf(profile),
    baseUrl,
    filter,
    secret() {
      const secret = credentials === null ? '' : secretOf(credentials);
      if (secret === null) throw new FeedError('UNAUTHORIZED', `${credentials} is not set`);
      return secret;
    },
  };
}

/** Whose rates they are: feeds with the same credentials share them. */
export const accountOf = ({ actor: { id, details } }: Pick<FeedPosition, 'actor'>): string =>
  details.credentials ?? id;

async function send({ ports, feed }: Scene, event: FeedEvent): Promise<FeedStep> {
  const sent = await ports.actorSystem.deliver(
    { to: 'feed', id: feed.actor.id, event },
    { by: `worker:${ports.node}` },
  );
  return sent.outcome === 'applied' ? 'MORE' : 'REST';
}

/** What changed; then the records that a list named and that are not here; then nothing until the next look. */
async function follow(scene: Scene): Promise<FeedStep> {
  const { ports, feed, source, stored } = scene;
  const { context } = feed.actor;
  const now = ports.clock.now();
  const isOver = stored === null || stored.reading === 'LIST' || stored.cursor.done;
  if (!isOver) return read(scene, stored);
  if (stored !== null && stored.reading === 'LIST' && stored.unknown.length > 0) {
    const cursor = cursorForKeys(source, stored.looked, stored.unknown);
    if (!cursor.done) return read(scene, { ...stored, reading: 'KEYS', unknown: [], cursor });
  }
  if (feed.loadedAt !== null && context.reconcileDueAt === null)
    return send(scene, { type: 'LOADED', at: now, nextAt: now + ports.reconcileEveryMs });
  if (context.reconcileDueAt !== null && context.reconcileDueAt <= now)
    return send(scene, { type: 'RECONCILE_DUE', at: now });
  if (feed.nextLookAt !== null && feed.nextLookAt > now) return 'REST';
  const looked = stored?.looked ?? null;
  return read(scene, {
    ...nothingRead,
    looked,
    reading: 'LOOK',
    cursor: firstCursor(source, looked, 'REPLICATE'),
  });
}

/** The list of all keys, and what follows from it. */
async function list(scene: Scene): Promise<FeedStep> {
  const { ports, feed, source, stored } = scene;
  const { listBegan } = feed.actor.context;
  const looked = stored?.looked ?? null;
  if (stored?.reading !== 'LIST' || stored.list !== listBegan)
    return read(scene, {
      ...nothingRead,
      looked,
      reading: 'LIST',
      list: listBegan,
      cursor: firstCursor(source, looked, 'RECONCILE'),
    });
  if (!stored.cursor.done) return read(scene, stored);
  const now = ports.clock.now();
  if (!stored.isWhole || listBegan === null) {
    ports.reporter.count('feed_lists_broken');
    return send(scene, {
      type: 'LIST_BROKEN',
      at: now,
      nextAt: now + Math.min(LIST_AGAIN_MS, ports.reconcileEveryMs),
    });
  }
  const { missing, listings, others } = await unlistedCounts(ports.pool, {
    feedId: feed.actor.id,
    listBegan,
    resources: source.profile.resources,
  });
  return send(scene, {
    type: 'LIST_COMPLETE',
    at: now,
    missing,
    listings,
    others,
    nextAt: now + ports.reconcileEveryMs,
  });
}

/** What the list did not name leaves, some at a time. */
async function remove(scene: Scene): Promise<FeedStep> {
  const { ports, feed, source, stored } = scene;
  const { actor } = feed;
  const { listBegan } = actor.context;
  const now = ports.clock.now();
  const leaving =
    listBegan === null
      ? []
      : await unlistedRecords(ports.pool, {
          feedId: actor.id,
          listBegan,
          resources: source.profile.resources,
          limit: LEAVING,
        });
  if (leaving.length === 0)
    return send(scene, {
      type: 'REMOVED',
      at: now,
      nextAt: actor.context.reconcileDueAt ?? now + ports.reconcileEveryMs,
    });
  await inFeedPage(ports.pool, seenOf(feed), async (writer) => {
    await writer.endListings(await writer.endRecords(leaving));
    await writer.moveCursor(stored, null);
  });
  return 'MORE';
}

const seenOf = ({ actor: { id, version }, pages }: FeedPosition) => ({ id, version, pages });

/** One request, and its page in one transaction. */
async function read(scene: Scene, stored: StoredCursor): Promise<FeedStep> {
  const { ports, feed, source, signal } = scene;
  let page: FeedPage;
  try {
    page = await ports.read(source, accountOf(feed), stored.cursor, signal);
  } catch (error) {
    if (!(error instanceof FeedError)) throw error;
    return failed(scene, error);
  }
  const terms = await termsOf(scene, stored);
  const isWhole = stored.isWhole && page.keys?.complete !== false;
  const outcome = await writePage(ports.pool, seenOf(feed), page, terms, (found) => ({
    ...stored,
    isWhole,
    unknown: [...stored.unknown, ...found].slice(0, MOST_MISSING),
    cursor: page.cursor,
    looked: stored.reading === 'LOOK' && page.done ? page.cursor : stored.looked,
  }));
  if (outcome === null) return 'REST';
  ports.reporter.count('feed_records_changed', outcome.changed);
  if (feed.actor.context.failures > 0) await send(scene, { type: 'ANSWERED', at: ports.clock.now() });
  return 'MORE';
}

async function termsOf({ ports, feed, source }: Scene, { reading }: StoredCursor): Promise<WritingTerms> {
  const { display } = source.profile;
  return {
    mapping: { optIn: display.optIn, use: display.use },
    mediaPermissions: display.mediaPermissions,
    standard: standardOf(await standardValues(ports.pool, feed.actor.id)),
    currency: ports.currency,
    isNews: feed.loadedAt !== null,
    isLook: reading === 'LOOK',
    listBegan: reading === 'LIST' ? feed.actor.context.listBegan : null,
    lookEveryMs: ports.lookEveryMs,
  };
}

function failed(scene: Scene, error: FeedError): Promise<FeedStep> | FeedStep {
  const { ports, feed } = scene;
  const { code, retryAfterMs } = error;
  if (error instanceof NoPlaceError && (retryAfterMs ?? 0) <= SHORT_WAIT_MS) return 'REST';
  ports.reporter.count('feed_requests_failed');
  ports.reporter.problem('a feed could not be read', error, { id: feed.actor.id, code });
  return send(scene, { type: 'REQUEST_FAILED', at: ports.clock.now(), code, retryAfterMs });
}
