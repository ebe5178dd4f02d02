import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { stepPicture } from '../../../src/feeds/media/picture-step.ts';
import { stepFeed } from '../../../src/feeds/turns/feed-step.ts';
import { listKeys } from '../../support/platform/stack.ts';
import { useComparisonParts } from '../../support/worlds/comparison-parts.ts';
import { openPictureWorld, type PictureWorld } from '../../support/worlds/picture-world.ts';
import { NAMED_POINTS, WEB_POINTS } from './named-points.ts';
import { openPostgresGate, type PostgresGate } from './outages/postgres-gate.ts';

/**
 * A worker loses its database at each commit about the pictures of a feed, before it and after it, as when it is killed
 * there. The next one continues: at the end each picture of the feed is here once, and no object is without a row.
 */
const TEST_MS = 60_000;
const parts = useComparisonParts();
let gate: PostgresGate;
let doomed: pg.Pool;
let world: PictureWorld;
beforeAll(async () => {
  gate = await openPostgresGate(parts.database.url);
  doomed = new pg.Pool({ connectionString: gate.url, max: 2 });
  doomed.on('error', () => {});
});
afterAll(async () => {
  await doomed.end();
  await gate.close();
});
beforeEach(async () => {
  await parts.database.pool.query('truncate feed_requests');
  world = await openPictureWorld(parts, { listings: 2 });
});
afterEach(() => world.close());
const rows = async (sql: string) => (await parts.database.pool.query(sql)).rows;

/** Works until it is cut off. */
type Doom = () => Promise<void>;
const reads: Doom = async () => {
  const { signal } = new AbortController();
  const ports = { ...world.ports, pool: doomed };
  while ((await stepFeed(ports, world.feedId, signal)) === 'MORE');
};
const takes: Doom = async () => {
  const { signal } = new AbortController();
  while ((await stepPicture(world.picturePorts(doomed), world.feedId, signal)) === 'MORE');
};

/** What is done, the words of its transaction, and the downloads in the end when the commit was lost, and when not. */
const deeds = {
  'names the pictures': { words: 'INSERT INTO feed_media', doom: reads, downloads: [4, 4], huge: 0 },
  'stores a picture': { words: 'INSERT INTO property_images', doom: takes, downloads: [5, 4], huge: 0 },
  'refuses a picture': { words: `SET state = 'REFUSED'`, doom: takes, downloads: [5, 4], huge: 2 },
} as const;

describe.each(WEB_POINTS)('a worker that is cut off %s', (point) => {
  test.each(Object.entries(deeds))(
    `while it %s (${NAMED_POINTS[point].meaning}): each picture is here once`,
    async (_what, { words, doom, downloads, huge }) => {
      if (doom === takes) await world.look();
      if (huge > 0) world.simulator.control.fault('media-huge', huge);
      const cut = gate.cutAt(point, words);
      await expect(doom()).rejects.toThrow();
      await cut;
      await world.look();
      // The claim of the dead one has run out.
      await rows(
        'update feed_media set "nextAttemptAt" = clock_timestamp() where "nextAttemptAt" is not null',
      );
      await world.takeAll();
      const refused = huge === 0 ? 0 : point === 'before-commit' ? 1 : 2;
      expect(
        await rows('select state, count(*)::int as count from feed_media group by 1 order by 1 desc'),
      ).toEqual([
        { state: 'TAKEN', count: 4 - refused },
        ...(refused === 0 ? [] : [{ state: 'REFUSED', count: refused }]),
      ]);
      expect(
        await rows(
          `select i.id from property_images i left join feed_media m on m."imageId" = i.id where m.key is null`,
        ),
      ).toEqual([]);
      expect(await rows('select id from property_images')).toHaveLength(4 - refused);
      expect(world.simulator.control.pictures()).toHaveLength(downloads[point === 'before-commit' ? 0 : 1]);
      const kept = await rows(
        'select "objectKey" as key from property_images union select "objectKey" from storage_deletion_outbox',
      );
      const keys = new Set(kept.map(({ key }) => key));
      const { client, bucket } = parts.bucket;
      expect((await listKeys(client, bucket)).filter((key) => !keys.has(key))).toEqual([]);
    },
    TEST_MS,
  );
});
