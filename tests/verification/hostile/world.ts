import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { giveVerdicts } from '../../support/database/photo-verdicts.ts';
import { type Person, signIn } from '../../support/platform/agent.ts';
import { createListing, uploadRoom } from '../../support/platform/listing.ts';
import { startTestPlatform, type TestPlatform } from '../../support/platform/platform.ts';
import { createRandom } from '../../support/random.ts';
import { fillMarket } from '../load/listings.ts';
import { invite, type Visitors, WIDTHS } from '../load/visitors.ts';
import type { Target } from './attack.ts';
import { guardMemory, type MemoryGuard } from './memory-guard.ts';

/** The web role with a limit on its memory, visitors of it, and an attacker's account. */
export interface World {
  readonly platform: TestPlatform;
  readonly visitors: Visitors;
  /** An agent who works during the attack, on a listing with photos. */
  readonly agent: Person;
  readonly propertyId: string;
  readonly photoIds: readonly string[];
  readonly target: Target;
  guard(): MemoryGuard;
  /** Starts the web role again where an attack has ended it. */
  restoreWeb(): Promise<void>;
  stop(): Promise<void>;
}

/** The memory of a `web` process in production, and the heap size that Node derives from it. */
export const LIMIT_MB = 1_024;
const HEAP_MB = 512;
/** Jobs of an account in its first day. */
export const FIRST_DAY_QUOTA = 60;
export const TOURS_A_DAY = 20;
export const MAILS_PER_PERSON_HOUR = 12;
const LISTINGS = 2_000;
const CUSTOMERS = 5;
const WARMING_CALLS = 200;
const PHOTOS = 8;
const ORDERED_PHOTOS = 20;
/** Twelve megapixels, as phones make them. */
const [WIDTH, HEIGHT] = [4_000, 3_000];
const LARGE_PHOTOS = 3;

export async function startWorld(): Promise<World> {
  const platform = await startTestPlatform({
    workers: 0,
    settings: {
      LOG_LEVEL: 'info',
      NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}`,
      AI_STAGING_QUOTA_FIRST_DAY: String(FIRST_DAY_QUOTA),
      // As in production; the local stack has no such limits.
      PUBLIC_WORK_PER_NETWORK_MS: '6000',
      TOUR_REQUESTS_PER_DAY: String(TOURS_A_DAY),
      MAILS_PER_RECIPIENT_HOUR: String(MAILS_PER_PERSON_HOUR),
    },
  });
  const [agent, attacker] = [await signIn(platform), await signIn(platform)];
  await attacker.mutate('users.updateProfile', { name: 'Mallory' });
  const listings = { agent: await createListing(agent), attacker: await createListing(attacker) };
  const photoIds: string[] = [];
  for (let seed = 0; seed < PHOTOS; seed += 1) photoIds.push(await uploadRoom(agent, listings.agent, seed));
  const largeIds: string[] = [];
  for (let count = 0; count < LARGE_PHOTOS; count += 1) {
    const uploaded = await agent.upload(listings.agent, await largePhoto(count));
    if (uploaded.status !== 201) throw new Error(`no upload: ${uploaded.text}`);
    largeIds.push(uploaded.body.imageId ?? uploaded.body.id);
  }
  const orderedIds: string[] = [];
  for (let seed = 0; seed < ORDERED_PHOTOS; seed += 1)
    orderedIds.push(await uploadRoom(attacker, listings.attacker, seed));
  // No worker looks the photos up, and visitors see them.
  await giveVerdicts(platform.pool);
  const [{ id: ownerId = '' } = {}] = await platform.rows<{ id: string }>(
    'select "ownerAgentId" as id from properties where id = $1',
    [listings.agent],
  );
  await fillMarket(platform.pool, LISTINGS, ownerId);
  const market = await platform.rows<{ id: string }>(
    'select id from properties where "ownerAgentId" = $1 limit 200',
    [ownerId],
  );
  const visitors = await invite({
    installation: platform,
    customers: CUSTOMERS,
    shownPropertyIds: [listings.agent],
    imageIds: photoIds,
    otherPropertyIds: market.map(({ id }) => id),
    random: createRandom(1),
  });
  for (const id of photoIds)
    for (const width of WIDTHS) await agent.request('GET', `/api/images/${id}?w=${width}`);
  await warmUp(visitors);
  const guardNewest = () => guardMemory(platform.roles.at(-1)?.pid ?? 0, LIMIT_MB);
  let guard = guardNewest();
  return {
    platform,
    visitors,
    agent,
    propertyId: listings.agent,
    photoIds,
    target: {
      origin: platform.urls[0] ?? '',
      cookie: attacker.cookie,
      propertyId: listings.attacker,
      imageIds: orderedIds,
      pictureIds: largeIds,
      marketIds: market.map(({ id }) => id),
      victim: `${randomUUID()}@example.org`,
    },
    guard: () => guard,
    async restoreWeb() {
      const newest = platform.roles.at(-1);
      if (newest?.isRunning() && guard.last().fate === undefined) return;
      await newest?.exited;
      await guard.stop();
      await (await platform.startWeb({}, 0)).ready;
      await warmUp(visitors);
      guard = guardNewest();
    },
    async stop() {
      await guard.stop();
      await visitors.close();
      await platform.stop();
    },
  };
}

/** Fills pools and caches, and lets the engine compile what is used most. */
async function warmUp(visitors: Visitors): Promise<void> {
  for (let calls = 0; calls < WARMING_CALLS; calls += 1) await visitors.next().make();
}

/** Noise, because it takes an encoder the longest time. */
function largePhoto(seed: number): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 100 + seed, sigma: 8 } as const;
  return sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: '#888888', noise } })
    .jpeg({ quality: 80 })
    .toBuffer();
}
