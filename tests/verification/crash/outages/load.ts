import { expect } from 'vitest';
import { CANONICAL_STYLES } from '../../../../machines/vocabulary.ts';
import { askProvider } from '../../../../ops/invariants/ask-provider.ts';
import { addFault, clearFaults, ledgerOf } from '../../../../ops/simulator/control-client.ts';
import { ROOM_TEXTS } from '../../../../src/prompts/staging-texts.ts';
import { eventually } from '../../../support/eventually.ts';
import { createListing, submit, uploadRoom } from '../../../support/platform/listing.ts';
import type { TestPlatform } from '../../../support/platform/platform.ts';
import type { StagingWorld } from '../../../support/platform/staging-world.ts';
import { brokenInvariants } from '../run-verdict.ts';

/** What agents order in every outage, at a provider that breaks off 40 % of first downloads. */
const ROOMS = 10;
const PICTURES = ROOMS * CANONICAL_STYLES.length;
const LISTINGS = 5;
const TEXTS = LISTINGS * 2;
export const JOBS = PICTURES + TEXTS;
const BROKEN_DOWNLOADS = {
  match: { share: 0.4, promptIncludes: ROOM_TEXTS.LIVING_ROOM.mayAdd },
  fault: 'output-truncated',
  times: 'always',
  options: { reset: true, downloads: 1 },
} as const;

/** Orders 60 pictures and 10 texts; an agent whose call fails repeats it. */
export async function orderLoad(world: StagingWorld): Promise<void> {
  const { baseUrl } = world.platform.provider;
  await clearFaults(baseUrl);
  await addFault(baseUrl, BROKEN_DOWNLOADS);
  const insist = <T>(ask: () => Promise<T>) =>
    eventually(ask, { what: 'an order to be taken', intervalMs: 100 });
  const rooms = Array.from({ length: ROOMS }, async (_, seed) => {
    const original = await insist(() => uploadRoom(world.anyWeb(), world.propertyId, seed));
    for (const style of CANONICAL_STYLES) await insist(() => submit(world.anyWeb(), original, style));
  });
  const texts = Array.from({ length: LISTINGS }, async () => {
    const propertyId = await insist(() => createListing(world.anyWeb()));
    for (const locale of ['en', 'es'])
      await insist(async () => {
        const { status, text } = await world.anyWeb().mutate('ai.requestDescription', { propertyId, locale });
        if (status !== 200) throw new Error(text);
        return true;
      });
  });
  await Promise.all([...rooms, ...texts]);
}

/** How often the provider was paid. */
export async function boughtAt({ provider }: TestPlatform): Promise<number> {
  return (await ledgerOf(provider.baseUrl)).filter((entry) => entry.kind === 'create' && entry.accepted)
    .length;
}

/** How many jobs of each kind are in each state. */
const statesOf = ({ platform }: StagingWorld) =>
  platform.rows<{ type: string; status: string; jobs: number }>(
    'select type::text, status::text, count(*)::int as jobs from ai_jobs group by 1, 2 order by 1, 2',
  );

export async function allEnd(world: StagingWorld): Promise<void> {
  await eventually(
    async () => {
      const open = (await statesOf(world)).filter(({ status }) => !/SUCCESS|FAILED|CANCELED/.test(status));
      if (open.length > 0) throw new Error(JSON.stringify(open));
      return true;
    },
    { what: 'the end of every job', timeoutMs: 180_000, intervalMs: 100 },
  );
}

/**
 * Waits for the end of every job of so many loads. Each has succeeded and was bought once, the rows know everything at
 * the provider, and every invariant holds.
 * @param options.undeleted files that were deleted by decisions which are forgotten
 */
export async function expectBoughtOnce(
  world: StagingWorld,
  { loads = 1, undeleted = [] }: { loads?: number; undeleted?: readonly string[] } = {},
): Promise<void> {
  const { platform } = world;
  const { baseUrl, token } = platform.provider;
  await allEnd(world);
  expect(await statesOf(world)).toEqual([
    { type: 'DESCRIPTION', status: 'SUCCESS', jobs: loads * TEXTS },
    { type: 'ROOM_STAGING', status: 'SUCCESS', jobs: loads * PICTURES },
  ]);
  expect(await boughtAt(platform)).toBe(loads * JOBS);
  const brokenOff = (await ledgerOf(baseUrl)).filter(
    (entry) => entry.kind === 'download' && entry.fault !== null,
  );
  expect(brokenOff.length).toBeGreaterThanOrEqual(loads * PICTURES * 0.4);
  const provider = {
    PROVIDER_BASE_URL: baseUrl,
    PROVIDER_API_TOKEN: token,
    PROVIDER_WEBHOOK_BASE_URL: platform.urls[0],
  };
  expect(await askProvider(platform.pool, provider)).toMatchObject({ outcome: 'holds', lines: [] });
  const noLosses = { aged: new Set<string>(), storageFaults: { lostDeletions: new Set<string>() } };
  expect(await brokenInvariants({ staging: world, undeleted, ...noLosses })).toEqual([]);
}
