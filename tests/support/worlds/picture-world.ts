import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { type FeedSimulator, startFeedSimulator } from '../../../ops/feed-simulator/server.ts';
import { createPictureClient, type PictureClient } from '../../../src/feeds/media/picture-fetch.ts';
import { type PictureStepPorts, stepPicture } from '../../../src/feeds/media/picture-step.ts';
import { feedProfile } from '../../../src/feeds/profiles/profiles.ts';
import { createFeedClient } from '../../../src/feeds/reading/feed-fetch.ts';
import { createMediaRate } from '../../../src/feeds/reading/feed-rate.ts';
import { readPage } from '../../../src/feeds/reading/read-page.ts';
import type { FeedStepPorts } from '../../../src/feeds/turns/feed-step.ts';
import { systemTimers } from '../../../src/time.ts';
import type { ComparisonParts } from './comparison-parts.ts';
import { emptySource, feedPorts, settle, startedFeed } from './feed-world.ts';

/** A feed of the simulator that is read and whose pictures are taken by the parts of a worker. */
export interface PictureWorld {
  simulator: FeedSimulator;
  feedId: string;
  ports: FeedStepPorts;
  /** What a worker on another pool has. */
  picturePorts(pool: Pool): PictureStepPorts;
  outcomes: string[];
  /** Reads what changed. */
  look(): Promise<void>;
  /** Takes pictures until none is due. */
  takeAll(): Promise<void>;
  close(): Promise<void>;
}

const PROFILES = {
  plain: { profile: 'generic', credentials: 'FEED_TEST_TOKEN' },
  'mls-grid': {
    profile: 'mls-grid',
    credentials: 'FEED_TEST_TOKEN',
    filter: "OriginatingSystemName eq 'actris'",
  },
} as const;

export async function openPictureWorld(
  { database: { pool }, storage, decoder }: Pick<ComparisonParts, 'database' | 'storage' | 'decoder'>,
  {
    listings = 3,
    media = 2,
    rules = 'plain',
  }: { listings?: number; media?: number; rules?: keyof typeof PROFILES } = {},
): Promise<PictureWorld> {
  const simulator = await startFeedSimulator({ listings, media, rules });
  const client = createFeedClient({ allowsLoopback: true });
  const pictureClient: PictureClient = createPictureClient({ allowsLoopback: true });
  const tokens = new Map();
  const clock = { now: () => Date.now() };
  const ports: FeedStepPorts = {
    ...feedPorts(pool, emptySource(), clock),
    read: (source, _account, cursor, signal) =>
      readPage(source, cursor, { fetch: client.fetch, rate: UNLIMITED, now: clock.now, tokens, signal }),
  };
  const outcomes: string[] = [];
  const picturePorts = (on: Pool): PictureStepPorts => ({
    pool: on,
    storage,
    clock,
    logger: { warn() {}, error() {} } as never,
    settings: { providerInputs: { framing: 'fixed' } as never },
    chance: { id: randomUUID },
    reporter: ports.reporter,
    decoder,
    client: pictureClient,
    profileOf: feedProfile,
    secretOf: () => 'secret',
    rateOf: (account, profile, signal) =>
      createMediaRate({ pool: on, timers: systemTimers, account, profile, signal }),
    count: (outcome) => void outcomes.push(outcome),
  });
  const feedId = await startedFeed(ports, Date.now(), { ...PROFILES[rules], baseUrl: simulator.url });
  return {
    simulator,
    feedId,
    ports,
    picturePorts,
    outcomes,
    async look() {
      // A time in the past for the database's clock, too.
      await pool.query(`update feeds set "nextLookAt" = null where id = $1`, [feedId]);
      await settle(ports, feedId);
    },
    async takeAll() {
      const signal = new AbortController().signal;
      for (let steps = 0; steps < 100; steps += 1)
        if ((await stepPicture(picturePorts(pool), feedId, signal)) === 'REST') return;
      throw new Error('the pictures do not end');
    },
    async close() {
      await Promise.all([simulator.close(), client.close(), pictureClient.close()]);
    },
  };
}

const UNLIMITED = { take: async () => ({ place: 'any' }), release: async () => {} };
