import { askRows } from '../../../ops/invariants/ask-rows.ts';
import { askStores } from '../../../ops/invariants/ask-stores.ts';
import type { Verdict } from '../../../ops/invariants/verdict.ts';
import { ledgerOf } from '../../../ops/simulator/control-client.ts';
import { createObjectStorage } from '../../../src/storage/object-storage.ts';
import { eventually } from '../../support/eventually.ts';
import { photosChecked } from '../../support/platform/listing.ts';
import {
  openPublicPlaces,
  PHOTO_PLACES,
  type PublicPlaces,
  STAGED_PLACES,
} from '../../support/platform/public-places.ts';
import { drainAll, releaseClaims } from '../../support/platform/staging-world.ts';
import type { CoverageCounts } from '../simulation/coverage.ts';
import { countCoverage, unseen } from './coverage.ts';
import { WORKER_POINTS } from './named-points.ts';
import type { ProcessFault } from './run-plan.ts';
import type { CrashWorld } from './run-world.ts';

/** The checks of a run after its faults have stopped. */
export interface RunCounts {
  jobs: Record<string, number>;
  purchases: number;
  objects: number;
  /** How often each named point was passed. */
  visits: Record<string, number>;
  /** Worker processes that were started. */
  workers: number;
  coverage: CoverageCounts;
}

/** The time within which everything settles after the faults (I26). */
const SETTLE_MS = 90_000;

/** Waits until nothing changes any more; returns what still changed at the end of the bound. */
export async function settle(world: CrashWorld): Promise<string[]> {
  const { staging } = world;
  try {
    await eventually(() => isOver(world), {
      what: 'every job to be over',
      timeoutMs: SETTLE_MS,
      intervalMs: 100,
    });
    // A dead worker's claim expires after two minutes, which are a timestamp in the row.
    await staging.platform.rows(
      `update storage_deletion_outbox set "claimedAt" = now() - interval '1 hour' where status = 'PROCESSING'`,
    );
    await retryDeniedDeletions(world);
    await drainAll(staging);
    return [];
  } catch (error) {
    return [`I26 ${error instanceof Error ? error.message : String(error)}`];
  }
}

async function isOver({ staging }: CrashWorld): Promise<boolean> {
  const open = await staging.platform.rows<{ id: string; status: string }>(
    `select id, status from ai_jobs where status not in ('SUCCESS', 'FAILED', 'CANCELED')`,
  );
  if (open.length > 0)
    throw new Error(`${open.length} are not, the first is ${open[0]?.id} ${open[0]?.status}`);
  return true;
}

async function retryDeniedDeletions({ staging }: CrashWorld): Promise<void> {
  const failed = await staging.platform.rows(
    `select id from storage_deletion_outbox where status = 'FAILED'`,
  );
  if (failed.length > 0) throw new Error(`${failed.length} deletions need a person`);
}

/** Every invariant, the provider's ledger, the list of objects, and what the public sees. */
export async function breachesOf(world: CrashWorld): Promise<string[]> {
  const failed = await Promise.allSettled(world.loose);
  return [
    ...failed.flatMap((one) => (one.status === 'rejected' ? [`besides: ${String(one.reason)}`] : [])),
    ...(await brokenInvariants(world)),
    ...(await ledgerFaults(world)),
    ...tooManyScans(world),
    ...(await publicFaults(world)),
  ];
}

type Judged = Pick<CrashWorld, 'staging' | 'aged'> & {
  storageFaults: Pick<CrashWorld['storageFaults'], 'lostDeletions'>;
  /** Files that were deleted by decisions that the database has forgotten. */
  undeleted?: readonly string[];
};

/** Every invariant, of rows with their journals, documents, queues and objects; what is broken, one line each. */
export async function brokenInvariants(world: Judged): Promise<string[]> {
  let broken: string[] = ['never asked'];
  // Documents and queue entries settle a little later than the rows.
  await eventually(
    async () => {
      broken = (await ask(world)).flatMap((verdict) => linesOf(world, verdict));
      return broken.length === 0;
    },
    { what: 'every invariant to hold', timeoutMs: 20_000, intervalMs: 500 },
  ).catch(() => {});
  return broken;
}

async function ask({ staging }: Judged): Promise<Verdict[]> {
  const { platform, kv } = staging;
  const objects = createObjectStorage(platform.bucket);
  try {
    const asking = { when: 'both', replay: true, at: Date.now(), timeoutMs: 30_000 } as const;
    const stores = {
      pool: platform.pool,
      redis: kv,
      objects,
      queueSuffix: platform.queueSuffix,
      publicBaseUrl: platform.urls[0],
    };
    return [...(await askRows(platform.pool, asking)), ...(await askStores(stores, 'both'))];
  } finally {
    objects.close();
  }
}

/**
 * Allowed are only: an object whose deletion the store acknowledged and did not do (I19), an attempt whose window was
 * closed by hand, which does not replay (I9), and the lost files of pictures that came back (I20).
 */
function linesOf(
  { storageFaults, aged, undeleted = [] }: Judged,
  { id, outcome, lines, count, note }: Verdict,
): string[] {
  if (outcome === 'holds') return [];
  const excused = { I19: [...storageFaults.lostDeletions], I9: [...aged], I20: undeleted }[id] ?? [];
  const left = lines.filter((line) => !excused.some((one) => line.includes(one)));
  const told = left.map((line) => `${id} ${line}`);
  if (outcome === 'broken' || outcome === 'waiting')
    return count > lines.length ? [...told, `${id} and ${count - lines.length} more`] : told;
  return [`${id} was not decided: ${note}`];
}

/**
 * I2 and I3 in the provider's ledger: at most one accepted create per attempt, after the commit of its claim.
 */
export async function ledgerFaults({ staging }: CrashWorld): Promise<string[]> {
  const { platform } = staging;
  const claims = await platform.rows<{ id: string; at: Date }>(
    `select "actorId" as id, min(at) as at from actor_transitions
      where "actorKind" = 'providerAttempt' and "eventType" = 'SEND_CLAIMED' group by "actorId"`,
  );
  const claimedAt = new Map(claims.map(({ id, at }) => [id, at.getTime()]));
  return [...(await platform.purchases())].flatMap(([attemptId, bought]) => {
    const claimed = claimedAt.get(attemptId);
    return [
      ...(bought.length > 1 ? [`I2 attempt ${attemptId} was bought ${bought.length} times`] : []),
      ...(claimed === undefined || bought.some(({ at }) => at < claimed)
        ? [`I3 attempt ${attemptId} was bought without a claim`]
        : []),
    ];
  });
}

/**
 * Every picture that was ever reviewed, and every photo, is shown at all public places, or at none. Photos are private
 * until they are checked, and the killed workers' claims on them last for a minute.
 */
async function publicFaults({ staging }: CrashWorld): Promise<string[]> {
  await releaseClaims(staging);
  await photosChecked(staging.platform);
  const places = await openPublicPlaces(staging);
  const inSearch = async () => {
    const faults = await shownElsewhere(staging, places);
    if (faults.length > 0) throw new Error(faults.join('\n'));
    return faults;
  };
  // Search follows the verdicts within seconds.
  const patience = { what: 'every picture at its places', timeoutMs: 30_000, intervalMs: 1_000 };
  return eventually(inSearch, patience).catch(() => shownElsewhere(staging, places));
}

async function shownElsewhere(
  { platform, propertyId }: CrashWorld['staging'],
  places: PublicPlaces,
): Promise<string[]> {
  const pictures = await platform.rows<{ id: string; isStyled: boolean; shown: boolean }>(
    `select id, "isStyled", not "isStyled" or ("reviewStatus" = 'APPROVED' and "withdrawnAt" is null) as shown
       from property_images where "propertyId" = $1
     union all
     select distinct "imageId", true, false from property_image_review_events
      where "propertyId" = $1 and "imageId" not in (select id from property_images)`,
    [propertyId],
  );
  const seen = await places(pictures.map(({ id }) => id));
  return pictures.flatMap(({ id, isStyled, shown }) => {
    const due = shown ? (isStyled ? STAGED_PLACES : PHOTO_PLACES) : [];
    const there = seen[id] ?? [];
    const missing = due.filter((place) => !there.includes(place)).map((place) => `not at ${place}`);
    const tooMany = there.filter((place) => !due.includes(place)).map((place) => `at ${place}`);
    const wrong = [...missing, ...tooMany];
    return wrong.length === 0 ? [] : [`picture ${id} is shown ${wrong.join(', ')}`];
  });
}

/** A scan counts when its first request reaches the provider, so two may be slightly closer than 5 s. */
const SCAN_EVERY_MS = 4_500;

/** I33: in the whole installation a scan of the provider's list begins at most once in five seconds. */
export function tooManyScans({ scans }: CrashWorld): string[] {
  const pauses = scans.slice(1).map((at, index) => Math.round(at - (scans[index] ?? 0)));
  const short = pauses.filter((pauseMs) => pauseMs < SCAN_EVERY_MS);
  if (short.length === 0) return [];
  return [
    `I33 ${short.length} of ${scans.length} scans began too soon, ${Math.min(...short)} ms after another`,
  ];
}

/** The coverage goals that the run has met and has missed. */
export async function missedOf(
  world: CrashWorld,
  remaining: readonly ProcessFault[],
): Promise<RunCounts & { missed: string[] }> {
  const { staging, faultController, slots, witnessed } = world;
  const { platform } = staging;
  const rows = await platform.rows<{ status: string; jobs: number }>(
    'select status::text, count(*)::int as jobs from ai_jobs group by status order by status',
  );
  const coverage = await countCoverage(platform, witnessed);
  const objects = createObjectStorage(platform.bucket);
  let stored = 0;
  for await (const _ of objects.list('')) stored += 1;
  objects.close();
  return {
    jobs: Object.fromEntries(rows.map(({ status, jobs }) => [status, jobs])),
    purchases: (await ledgerOf(platform.provider.baseUrl)).filter(
      (entry) => entry.kind === 'create' && entry.accepted,
    ).length,
    objects: stored,
    visits: Object.fromEntries(WORKER_POINTS.map((point) => [point, faultController.visits.get(point) ?? 0])),
    workers: slots.reduce((sum, slot) => sum + slot.starts(), 0),
    coverage,
    missed: [...unseen(coverage), ...remaining.map(({ how, at }) => `${how} ${at}`)],
  };
}
