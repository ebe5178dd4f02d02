import { LISTED_GAP_MS, SERVER_SETTLE_MS } from '../../machines/limits.ts';
import type { PauseSwitchEvent } from '../../machines/pause-switch.ts';
import type { PurchaseKind } from '../../machines/purchase-kinds.ts';
import type { ActorStore } from '../../persistence/actors/actor-store.ts';
import { PAUSE_SWITCH_ID } from '../../persistence/actors/rows/pause-switch-row.ts';
import { databaseFailure } from '../../persistence/database/database-failure.ts';
import type { AwaitedPurchase } from '../../persistence/jobs/awaited-purchases.ts';
import type { CheckedPurchase, ProviderPurchase } from '../../persistence/jobs/purchase-standings.ts';
import { liveAttempt } from '../actors/advance-job.ts';
import type { ActorSystem } from '../actors/deliver.ts';
import type { Chance, Clock, ListedPurchase, Provider, PurchaseLister, Reporter, Timers } from '../ports.ts';
import { createSweeper, type Sweeper } from './sweeper.ts';

/**
 * Compares the provider's purchases with the rows after the database server changed, while the pause switch is closed
 * for it. The new server may have forgotten what was committed last on the one before. A forgotten claim is reported to its
 * attempt; a forgotten attempt is reserved again, under its own id, for the job that fits; what fits no job is canceled
 * and named to the operators. A claim that the complete list disproves is taken back. Then buying resumes. No job holds
 * the comparison up: facts need no lease, and a job whose row fails is quarantined and named. Every step may be repeated:
 * after a crash another worker starts again. Source: ARCHITECTURE.md#failover.
 */
export interface PurchaseCheckPorts {
  store: Pick<ActorStore, 'read' | 'readJob' | 'readJobOfAttempt' | 'quarantine'>;
  purchases: PurchaseLister;
  standings(purchases: readonly ProviderPurchase[]): Promise<CheckedPurchase[]>;
  awaited(): Promise<AwaitedPurchase[]>;
  provider: Pick<Provider, 'cancel'>;
  takeTurn(
    turn: { name: string; everyMs: number; holdMs: number },
    work: () => Promise<void>,
  ): Promise<unknown>;
  actorSystem: Pick<ActorSystem, 'deliver' | 'transaction'>;
  clock: Clock;
  timers: Timers;
  chance: Pick<Chance, 'id'>;
  reporter: Reporter;
  node: string;
  intervalMs: number;
  /** From the change of the server until the list is read; SERVER_SETTLE_MS. */
  settleMs: number;
}

const TURN = { name: 'purchase-check', everyMs: 1_000, holdMs: 15_000 };
/** Purchases in one statement. */
const PAGE = 500;
/** Ids in the journal's line. */
const NAMED = 50;

type Outcome = 'in-order' | 'adopted' | 'set-aside' | 'forgotten';
type Decision = Extract<PauseSwitchEvent, { type: 'GAP_TOO_LONG' | 'CHECK_PASSED' }>;
type Passed = Omit<Extract<Decision, { type: 'CHECK_PASSED' }>, 'at' | 'server'>;

export function createPurchaseCheck(ports: PurchaseCheckPorts): Sweeper {
  return createSweeper({
    ...ports,
    name: 'purchase-check',
    sweep: (signal) => checkPurchases(ports, signal),
  });
}

async function checkPurchases(ports: PurchaseCheckPorts, signal: AbortSignal): Promise<void> {
  const { clock, settleMs } = ports;
  const row = await ports.store.read('startGate', PAUSE_SWITCH_ID);
  if (row?.state !== 'CHECKING') return;
  const { newServer: server, certainUntil, changedAt } = row.context;
  if (server === null || certainUntil === null) return;
  const decide = async (event: { type: 'GAP_TOO_LONG' } | Passed) => {
    const message = {
      to: 'startGate',
      id: PAUSE_SWITCH_ID,
      event: { ...event, at: clock.now(), server },
    } as const;
    await ports.actorSystem.deliver(message, { by: `worker:${ports.node}`, note: noteOf(event) });
  };
  if (clock.now() - certainUntil > LISTED_GAP_MS) return decide({ type: 'GAP_TOO_LONG' });
  if (clock.now() < (changedAt ?? 0) + settleMs) return;
  await ports.takeTurn(TURN, async () => {
    const listBeganAt = clock.now();
    // From the oldest claim whose answer may have been forgotten.
    const listedFrom = certainUntil - SERVER_SETTLE_MS;
    const range = { createdAfter: listedFrom, createdBefore: listBeganAt, signal };
    const listed = await ports.purchases.list(range);
    if (typeof listed === 'string') return;
    const outcomes = await settleAll(ports, listed, signal);
    if (outcomes === null) return;
    const disproved = await takeBack(ports, { listed, listedFrom, listBeganAt });
    const of = (wanted: Outcome) =>
      outcomes.filter(({ outcome }) => outcome === wanted).map(({ predictionId }) => predictionId);
    const forgotten = of('forgotten').slice(0, NAMED);
    const setAside = of('set-aside').slice(0, NAMED);
    await decide({ type: 'CHECK_PASSED', adopted: of('adopted').length, forgotten, setAside, disproved });
    for (const predictionId of forgotten)
      ports.reporter.alert(
        { kind: 'startGate', id: PAUSE_SWITCH_ID },
        { alert: 'purchase_unknown', fields: { predictionId } },
      );
  });
}

/** Oldest first, because a job's second purchase follows its first. Null when the sweep was stopped. */
async function settleAll(ports: PurchaseCheckPorts, listed: readonly ListedPurchase[], signal: AbortSignal) {
  const outcomes: { predictionId: string; outcome: Outcome }[] = [];
  const oldestFirst = listed.toReversed();
  for (let at = 0; at < oldestFirst.length; at += PAGE) {
    const page = oldestFirst.slice(at, at + PAGE);
    const standings = await ports.standings(page);
    for (const [index, purchase] of page.entries()) {
      if (signal.aborted) return null;
      const outcome = await settleOrSetAside(ports, purchase, { standing: standings[index]!, signal });
      outcomes.push({ predictionId: purchase.predictionId, outcome });
    }
  }
  return outcomes;
}

interface Judged {
  standing: CheckedPurchase;
  signal: AbortSignal;
}

/** A job whose rows fail is set aside, so that it does not buy again. */
async function settleOrSetAside(
  ports: PurchaseCheckPorts,
  purchase: ListedPurchase,
  judged: Judged,
): Promise<Outcome> {
  const { store, reporter, clock } = ports;
  try {
    return await settle(ports, purchase, judged);
  } catch (error) {
    const failure = databaseFailure(error);
    if (failure === 'unavailable' || failure === 'conflict') throw error;
    const { attemptId, openJobs } = judged.standing;
    const job = attemptId === null ? openJobs[0] : (await store.readJobOfAttempt(attemptId))?.job;
    const { predictionId } = purchase;
    reporter.problem('a purchase could not be given to its job', error, { predictionId });
    if (job === undefined) return 'set-aside';
    const why = `prediction ${predictionId}: ${error instanceof Error ? error.message : String(error)}`;
    await store.quarantine({ jobId: job.id, at: clock.now(), error: why });
    reporter.count('jobs_quarantined');
    reporter.alert({ kind: job.kind, id: job.id }, { alert: 'quarantined', fields: { predictionId } });
    return 'set-aside';
  }
}

async function settle(
  ports: PurchaseCheckPorts,
  purchase: ListedPurchase,
  { standing, signal }: Judged,
): Promise<Outcome> {
  if (standing.standing === 'known') return 'in-order';
  if (standing.attemptId !== null)
    return (await tell(ports, standing.attemptId, purchase)) ? 'adopted' : 'in-order';
  const [job] = standing.openJobs;
  if (job !== undefined && (purchase.attemptId ?? purchase.textJobId) !== null) {
    const outcome = await adopt(ports, job, purchase);
    if (outcome !== 'forgotten') return outcome;
  }
  if (!purchase.isOurs) return 'in-order';
  if (!purchase.isOver) await ports.provider.cancel(purchase.predictionId, signal);
  return 'forgotten';
}

/** The machine decides what the purchase means to the attempt. */
async function tell(ports: PurchaseCheckPorts, id: string, purchase: ListedPurchase): Promise<boolean> {
  const event = foundOf(ports, purchase);
  const told = await ports.actorSystem.deliver({ to: 'providerAttempt', id, event }, originOf(ports));
  return told.outcome === 'applied';
}

const foundOf = (
  { clock }: PurchaseCheckPorts,
  { predictionId, providerStatus }: Pick<ListedPurchase, 'predictionId' | 'providerStatus'>,
) => ({ type: 'PREDICTION_FOUND', at: clock.now(), predictionId, providerStatus }) as const;

const originOf = ({ node }: PurchaseCheckPorts) => ({
  by: `worker:${node}`,
  note: 'found in the list of the provider after a failover',
});

/** Gives the purchase to a job that has no row for it. `forgotten`: the job is being canceled and buys nothing more. */
async function adopt(
  ports: PurchaseCheckPorts,
  job: { id: string; kind: PurchaseKind },
  purchase: ListedPurchase,
): Promise<Outcome> {
  const aggregate = await ports.store.readJob(job.id);
  const attempt = aggregate && liveAttempt(aggregate);
  // Reserved again on this server, or still in an earlier purchase, for which this one is a second.
  if (attempt) return (await tell(ports, attempt.id, purchase)) ? 'adopted' : 'in-order';
  return reserve(ports, job, purchase);
}

/** Starts the job, or its second attempt, with the attempt that the purchase names. A text's names only its job. */
async function reserve(
  ports: PurchaseCheckPorts,
  { id, kind }: { id: string; kind: PurchaseKind },
  purchase: ListedPurchase,
): Promise<Outcome> {
  const attemptId = purchase.attemptId ?? ports.chance.id();
  const origin = originOf(ports);
  const event = { type: 'PURCHASE_FOUND', at: ports.clock.now(), attemptId } as const;
  return ports.actorSystem.transaction(async ({ deliver }) => {
    const started = await deliver({ to: kind, id, event }, origin);
    if (started.outcome !== 'applied') return 'forgotten';
    await deliver({ to: 'providerAttempt', id: attemptId, event: foundOf(ports, purchase) }, origin);
    return 'adopted';
  });
}

/** Tells claims that the list does not show; the machine decides which of them it disproves. */
async function takeBack(
  ports: PurchaseCheckPorts,
  {
    listed,
    listedFrom,
    listBeganAt,
  }: { listed: readonly ListedPurchase[]; listedFrom: number; listBeganAt: number },
): Promise<number> {
  const shown = new Set(listed.flatMap(({ attemptId, textJobId }) => [attemptId, textJobId]));
  let disproved = 0;
  for (const { id, jobId, state } of await ports.awaited()) {
    if (state !== 'UNCONFIRMED' || shown.has(id) || shown.has(jobId)) continue;
    const event = { type: 'CLAIM_DISPROVED', at: ports.clock.now(), listedFrom, listBeganAt } as const;
    const message = { to: 'providerAttempt', id, event } as const;
    const told = await ports.actorSystem.deliver(message, { by: `worker:${ports.node}` });
    if (told.outcome === 'applied') disproved += 1;
  }
  return disproved;
}

function noteOf(event: { type: 'GAP_TOO_LONG' } | Passed): string {
  if (event.type === 'GAP_TOO_LONG') return "the provider's list no longer names what was bought in the gap";
  const { adopted, forgotten, setAside = [], disproved = 0 } = event;
  const said = [
    `${adopted} purchases adopted`,
    `${forgotten.length} without a job`,
    ...(setAside.length === 0 ? [] : [`${setAside.length} of quarantined jobs`]),
    ...(disproved === 0 ? [] : [`${disproved} claims taken back`]),
  ];
  return `the database server changed: ${said.join(', ')}`;
}
