import {
  GONE_PATIENCE_MS,
  MAX_SCAN_PAUSE_MS,
  MIN_SCAN_PAUSE_MS,
  RECONCILE_WINDOW_MS,
  SCAN_TIMEOUT_MS,
  SCAN_TURN_MS,
} from '../../machines/limits.ts';
import { decidingScanFrom } from '../../machines/provider-attempt-model.ts';
import { databaseFailure } from '../../persistence/database/database-failure.ts';
import type { AwaitedPurchase } from '../../persistence/jobs/awaited-purchases.ts';
import type { ActorSystem } from '../actors/deliver.ts';
import { abortAfter } from '../concurrency/linked-abort.ts';
import type { Clock, ListedPrediction, PredictionLister, Reporter, Timers } from '../ports.ts';
import { createSweeper, type Sweeper } from './sweeper.ts';

/**
 * Looks in the provider's list for every purchase that cannot be resolved otherwise: one scan for all of them, by one
 * worker of the installation. A purchase that the scan shows gets an event. A purchase that a complete scan does not
 * show gets one too, once the scan may decide; its own runner then draws the conclusion, under its lease.
 *
 * Always true: two scans begin at least MIN_SCAN_PAUSE_MS apart, by the database's clock; an incomplete list decides
 * nothing about a purchase that it does not show; there is no scan without anything to look for. If a worker dies in a
 * scan, its turn runs out, and the next scan starts again.
 */
export interface ScannerPorts {
  awaited(): Promise<AwaitedPurchase[]>;
  takeTurn: TakeTurn;
  lister: PredictionLister;
  actorSystem: Pick<ActorSystem, 'deliver'>;
  clock: Clock;
  timers: Timers;
  reporter: Reporter;
  node: string;
}

/** Does the work if this worker gets the turn of the installation; false when it does not. */
export type TakeTurn = (
  turn: { name: string; everyMs: number; holdMs: number },
  work: () => Promise<void>,
) => Promise<boolean>;

/** A turn that arrives later than this is not used, because the next one may be near. */
const LATE_TURN_MS = 1_000;
/** While another reader of the list has the turn. */
const TURN_RETRY_MS = 1_000;
/** The lister begins so much earlier; ranges closer than this are read as one. */
const NEAR_MS = 15 * 60_000;

export function createPredictionScanner(ports: ScannerPorts & { intervalMs: number }): Sweeper {
  const { timers, reporter, intervalMs } = ports;
  const sweep = (signal: AbortSignal) => scanInTurn(ports, signal);
  return createSweeper({ name: 'prediction-scanner', intervalMs, timers, reporter, sweep });
}

/**
 * Checks whether a scan is needed, and scans when this worker gets the scanners' turn. Its pause counts from the last
 * scan of a scanner: other readers of the list never keep it from its turn, it only waits for the scan that they do now.
 */
export async function scanInTurn(ports: ScannerPorts, signal: AbortSignal): Promise<void> {
  const { clock, takeTurn } = ports;
  const wanted = scanWanted(await ports.awaited(), clock.now());
  if (wanted === null) return;
  await takeTurn(scannerTurn(wanted.pauseMs), () =>
    afterOtherScans(ports, signal, (within) => scan(ports, wanted.purchases, within)),
  );
}

/** Does one scan of the list as soon as the shared turn is free; not at all when it is taken for as long as a scan may last. */
export async function afterOtherScans(
  ports: Pick<ScannerPorts, 'clock' | 'timers' | 'takeTurn'>,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const { clock, timers } = ports;
  const giveUpAt = clock.now() + SCAN_TIMEOUT_MS;
  while (!(await inScanTurn(ports, signal, work))) {
    await timers.sleep(TURN_RETRY_MS, signal);
    if (signal.aborted || clock.now() >= giveUpAt) return;
  }
}

/**
 * Does one scan of the list in the turn that all readers of the list share, within SCAN_TIMEOUT_MS. False, and nothing
 * is done, when the turn is not free (I33).
 */
export async function inScanTurn(
  { clock, timers, takeTurn }: Pick<ScannerPorts, 'clock' | 'timers' | 'takeTurn'>,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<boolean> {
  const askedAt = clock.now();
  let isUsed = false;
  await takeTurn(SCAN_TURN, async () => {
    if (clock.now() - askedAt > LATE_TURN_MS) return;
    isUsed = true;
    const limit = abortAfter(timers, SCAN_TIMEOUT_MS, signal);
    await work(limit.signal).finally(() => limit.release());
  });
  return isUsed;
}

/** What a scan at this instant would ask about, and the pause before it; null when nothing needs one yet. */
export function scanWanted(
  awaited: readonly AwaitedPurchase[],
  at: number,
): { purchases: AwaitedPurchase[]; pauseMs: number } | null {
  const purchases = awaited.filter((purchase) => waitingSince(purchase) <= at);
  return purchases.length === 0 ? null : { purchases, pauseMs: pauseBefore(purchases, at) };
}

/** The turn of every scan: at least MIN_SCAN_PAUSE_MS after the start of the one before. */
export const SCAN_TURN: Parameters<TakeTurn>[0] = {
  name: 'provider-scan',
  everyMs: MIN_SCAN_PAUSE_MS + LATE_TURN_MS,
  holdMs: SCAN_TURN_MS,
};
/** The scanners' own turn: at least `pauseMs` after the start of the one before. */
export function scannerTurn(pauseMs: number): Parameters<TakeTurn>[0] {
  return {
    ...SCAN_TURN,
    name: 'prediction-scanner',
    everyMs: Math.max(pauseMs, MIN_SCAN_PAUSE_MS) + LATE_TURN_MS,
  };
}

/** When the search for it began: a 404 alone is not worth a scan before it may count. */
function waitingSince({ state, unconfirmedSince, goneSince, sentAt }: AwaitedPurchase): number {
  if (state === 'UNCONFIRMED') return unconfirmedSince ?? sentAt;
  return (goneSince ?? sentAt) + GONE_PATIENCE_MS;
}

/**
 * The pause before the next scan, by the age of the newest purchase in the search: it doubles with that age, and a new
 * purchase resets it. Only rows decide, so all workers agree.
 */
function pauseBefore(awaited: readonly AwaitedPurchase[], at: number): number {
  const newest = Math.max(...awaited.map(waitingSince));
  return Math.min((at - newest) / 2, MAX_SCAN_PAUSE_MS);
}

async function scan(
  ports: ScannerPorts,
  awaited: readonly AwaitedPurchase[],
  signal: AbortSignal,
): Promise<void> {
  const beganAt = ports.clock.now();
  for (const { from, to, purchases } of rangesOf(awaited, beganAt)) {
    if (signal.aborted) return;
    const list = await ports.lister.list({ createdAfter: from, createdBefore: to, signal });
    const matches = matchesOf(purchases, list.predictions);
    const facts = purchases.flatMap((purchase) => {
      const shown = matches.get(purchase) ?? [];
      if (shown.length > 0) return shown.map((prediction) => found(purchase, prediction));
      return list.complete && mayDecide(purchase, beganAt) ? [notListed(purchase, beganAt)] : [];
    });
    for (const fact of facts) {
      if (signal.aborted) return;
      if (fact !== null) await send(ports, fact);
    }
  }
}

interface Range {
  from: number;
  to: number;
  purchases: AwaitedPurchase[];
}

/**
 * The times between which these purchases must have been made. A purchase that has waited for days gets its own range,
 * so that the time since need not be read.
 */
function rangesOf(awaited: readonly AwaitedPurchase[], beganAt: number): Range[] {
  const ranges: Range[] = [];
  for (const purchase of awaited.toSorted((a, b) => a.sentAt - b.sentAt)) {
    const from = purchase.sentAt;
    const to = Math.min(beganAt, (purchase.unconfirmedSince ?? from) + RECONCILE_WINDOW_MS);
    const last = ranges.at(-1);
    if (last === undefined || from > last.to + NEAR_MS) ranges.push({ from, to, purchases: [purchase] });
    else {
      last.to = Math.max(last.to, to);
      last.purchases.push(purchase);
    }
  }
  return ranges;
}

function matchesOf(
  purchases: readonly AwaitedPurchase[],
  predictions: readonly ListedPrediction[],
): Map<AwaitedPurchase, ListedPrediction[]> {
  const byName = new Map<string, AwaitedPurchase>();
  for (const purchase of purchases) byName.set(purchase.predictionId ?? nameOf(purchase), purchase);
  const matches = new Map<AwaitedPurchase, ListedPrediction[]>();
  for (const prediction of predictions) {
    const { predictionId, attemptIds, textJobId } = prediction;
    const names = [predictionId, ...attemptIds.map((id) => `attempt ${id}`), `job ${textJobId}`];
    for (const purchase of new Set(names.flatMap((name) => byName.get(name) ?? [])))
      matches.set(purchase, [...(matches.get(purchase) ?? []), prediction]);
  }
  return matches;
}

/** A purchase without a known prediction, as the provider's list shows it: a prompt names only the job. */
const nameOf = ({ type, id, jobId }: AwaitedPurchase): string =>
  type === 'DESCRIPTION' ? `job ${jobId}` : `attempt ${id}`;

const mayDecide = (purchase: AwaitedPurchase, beganAt: number): boolean => {
  const from = decidingScanFrom(purchase.state, purchase);
  return from !== null && beganAt >= from;
};

interface Fact {
  purchase: AwaitedPurchase;
  event:
    | { type: 'PREDICTION_FOUND'; predictionId: string; providerStatus: string }
    | { type: 'NOT_LISTED'; scanBeganAt: number };
}

/** Null for a known prediction: the list only shows that its 404 is not confirmed. */
function found(purchase: AwaitedPurchase, { predictionId, providerStatus }: ListedPrediction): Fact | null {
  if (purchase.predictionId !== null) return null;
  return { purchase, event: { type: 'PREDICTION_FOUND', predictionId, providerStatus } };
}

const notListed = (purchase: AwaitedPurchase, scanBeganAt: number): Fact => ({
  purchase,
  event: { type: 'NOT_LISTED', scanBeganAt },
});

/** One row that fails does not stop the others; the next scan repeats it. */
async function send(ports: ScannerPorts, { purchase, event }: Fact): Promise<void> {
  const { actorSystem, clock, reporter, node } = ports;
  const { id } = purchase;
  const origin = { by: `worker:${node}` };
  const fact = { ...event, at: clock.now() };
  try {
    await actorSystem.deliver({ to: 'providerAttempt', id, event: fact }, origin);
  } catch (error) {
    if (databaseFailure(error) === 'unavailable') throw error;
    reporter.count('sweep_failures');
    reporter.problem('prediction-scanner: a fact could not be delivered', error, { id });
  }
}
