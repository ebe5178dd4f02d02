import { LISTED_GAP_MS } from '../../machines/limits.ts';
import { providerAttemptMachine } from '../../machines/provider-attempt.ts';
import type { PurchaseKind } from '../../machines/purchase-kinds.ts';
import { isFinalState } from '../../machines/step.ts';
import type { ActorStore, LeaseStore } from '../../persistence/actors/actor-store.ts';
import type { JobAggregate } from '../../persistence/actors/rows/job-row.ts';
import { PAUSE_SWITCH_ID } from '../../persistence/actors/rows/pause-switch-row.ts';
import type { CheckedPurchase, ProviderPurchase } from '../../persistence/jobs/purchase-standings.ts';
import type { ActorSystem } from '../actors/deliver.ts';
import type { Clock, ListedPurchase, Provider, PurchaseLister, Reporter, Timers } from '../ports.ts';
import { createSweeper, type Sweeper } from './sweeper.ts';

/**
 * Compares the provider's purchases with the rows after the database server changed, while the pause switch is closed
 * for it. The new server may have forgotten what was committed last on the one before. A forgotten claim is told to its
 * attempt; a forgotten attempt is reserved again, under its own id, for the job that fits; what fits no job is canceled
 * and named to the operators. When every purchase has its row, buying goes on. Every step may be repeated: after a crash
 * another worker begins anew. Source: ARCHITECTURE.md#failover.
 */
export interface PurchaseCheckPorts {
  store: ActorStore;
  leases: Readonly<Record<PurchaseKind, Pick<LeaseStore, 'acquireLease' | 'releaseLease'>>>;
  purchases: PurchaseLister;
  standings(purchases: readonly ProviderPurchase[]): Promise<CheckedPurchase[]>;
  provider: Pick<Provider, 'cancel'>;
  takeTurn(
    turn: { name: string; everyMs: number; holdMs: number },
    work: () => Promise<void>,
  ): Promise<unknown>;
  actorSystem: Pick<ActorSystem, 'deliver' | 'transaction'>;
  clock: Clock;
  timers: Timers;
  reporter: Reporter;
  node: string;
  intervalMs: number;
  /** From the change of the server until the list is read; SERVER_SETTLE_MS. */
  settleMs: number;
}

const TURN = { name: 'purchase-check', everyMs: 1_000, holdMs: 15_000 };
/** For a few writes about one job. */
const LEASE_MS = 15_000;
/** Purchases in one statement. */
const PAGE = 500;
/** Ids in the journal's line. */
const NAMED = 50;

type Outcome = 'in-order' | 'adopted' | 'later' | 'forgotten';

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
  const decide = async (
    event: { type: 'GAP_TOO_LONG' } | { type: 'CHECK_PASSED'; adopted: number; forgotten: string[] },
  ) => {
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
    const range = { createdAfter: certainUntil, createdBefore: clock.now(), signal };
    const listed = await ports.purchases.list(range);
    if (typeof listed === 'string') return;
    const outcomes = await settleAll(ports, listed, signal);
    if (outcomes === null || outcomes.some(({ outcome }) => outcome === 'later')) return;
    const of = (wanted: Outcome) => outcomes.filter(({ outcome }) => outcome === wanted);
    const forgotten = of('forgotten').map(({ predictionId }) => predictionId);
    await decide({
      type: 'CHECK_PASSED',
      adopted: of('adopted').length,
      forgotten: forgotten.slice(0, NAMED),
    });
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
      const outcome = await settle(ports, purchase, { standing: standings[index]!, signal });
      outcomes.push({ predictionId: purchase.predictionId, outcome });
    }
  }
  return outcomes;
}

async function settle(
  ports: PurchaseCheckPorts,
  purchase: ListedPurchase,
  { standing, signal }: { standing: CheckedPurchase; signal: AbortSignal },
): Promise<Outcome> {
  if (standing.standing === 'known') return 'in-order';
  const { attemptId, predictionId } = purchase;
  if (attemptId !== null && standing.hasAttempt) {
    const found = await tell(ports, attemptId, purchase);
    return found === 'applied' ? 'adopted' : 'in-order';
  }
  const [job] = standing.openJobs;
  if (job !== undefined && attemptId !== null) return adopt(ports, job, { ...purchase, attemptId });
  if (!purchase.isOurs) return 'in-order';
  if (!purchase.isOver) await ports.provider.cancel(predictionId, signal);
  return 'forgotten';
}

/** The machine decides what the purchase means to the attempt; one that is being sent is looked for by its runner. */
async function tell(
  { actorSystem, clock, node }: PurchaseCheckPorts,
  id: string,
  { predictionId, providerStatus }: ListedPurchase,
) {
  const event = { type: 'PREDICTION_FOUND', at: clock.now(), predictionId, providerStatus } as const;
  const told = await actorSystem.deliver({ to: 'providerAttempt', id, event }, { by: `worker:${node}` });
  return told.outcome;
}

/** Gives the purchase to a job that has no row for it. */
async function adopt(
  ports: PurchaseCheckPorts,
  { id: jobId, kind }: { id: string; kind: PurchaseKind },
  purchase: ListedPurchase & { attemptId: string },
): Promise<Outcome> {
  const { store, clock, node } = ports;
  const owner = `${node} purchase-check`;
  const taken = await ports.leases[kind].acquireLease({ jobId, owner, at: clock.now(), ttlMs: LEASE_MS });
  if (taken === null) return 'later';
  const lease = { owner, epoch: taken.lease.epoch };
  try {
    const aggregate = await store.readJob(jobId);
    const attempt = aggregate?.attempts.find(({ state }) => !isFinalState(providerAttemptMachine, state));
    if (aggregate === null) return 'later';
    if (attempt === undefined) return await reserve(ports, aggregate, { purchase, lease });
    // Reserved again on this server, before it was known to have forgotten the first one.
    if (attempt.state === 'RESERVED' && (await tell(ports, attempt.id, purchase)) === 'applied')
      return 'adopted';
    return 'later';
  } finally {
    await ports.leases[kind].releaseLease({ jobId, ...lease });
  }
}

/** Starts the job, or its second attempt, with the attempt that the purchase names. */
async function reserve(
  { actorSystem, clock, node }: PurchaseCheckPorts,
  { job }: JobAggregate,
  {
    purchase,
    lease,
  }: { purchase: ListedPurchase & { attemptId: string }; lease: { owner: string; epoch: number } },
): Promise<Outcome> {
  const { attemptId, predictionId, providerStatus } = purchase;
  const at = clock.now();
  const origin = { by: `worker:${node}`, lease, note: 'found in the list of the provider after a failover' };
  const start = { at, enabled: true, attemptId, startsPerMinute: null };
  const event = job.state.startsWith('PENDING')
    ? ({ type: 'WORKER_STARTED', ...start, queueAttempt: 1, waitedMs: 0 } as const)
    : ({ type: 'RETRY_DUE', ...start } as const);
  return actorSystem.transaction(async ({ deliver }) => {
    const started = await deliver({ to: job.kind, id: job.id, event }, origin);
    // A back-off that is not over, or a job that is being canceled.
    if (started.outcome !== 'applied') return 'later';
    const found = { type: 'PREDICTION_FOUND', at, predictionId, providerStatus } as const;
    await deliver({ to: 'providerAttempt', id: attemptId, event: found }, origin);
    return 'adopted';
  });
}

function noteOf(
  event: { type: 'GAP_TOO_LONG' } | { type: 'CHECK_PASSED'; adopted: number; forgotten: string[] },
): string {
  if (event.type === 'GAP_TOO_LONG') return "the provider's list no longer names what was bought in the gap";
  const { adopted, forgotten } = event;
  return `the database server changed: ${adopted} purchases adopted, ${forgotten.length} without a job`;
}
