import { DELETION_CLAIM_MS, SERVER_SETTLE_MS } from '../../../machines/limits.ts';
import { initialPauseSwitch } from '../../../machines/pause-switch.ts';
import type { PurchaseKind } from '../../../machines/purchase-kinds.ts';
import { PAUSE_SWITCH_ID } from '../../../persistence/actors/rows/pause-switch-row.ts';
import type { Timers } from '../../../supervisors/ports.ts';
import { SCAN_TURN, scannerTurn, scanWanted } from '../../../supervisors/sweepers/prediction-scanner.ts';
import { awaitedIn } from './memory/memory-awaited.ts';
import { isDue, isOrphaned } from './memory/memory-leases.ts';
import { isDueDeletion, isExpiredClaim } from './memory/memory-transaction.ts';
import type { Server } from './memory/session.ts';
import { HEARTBEAT_ID, type Tables } from './memory/tables.ts';
import type { SimulatedProcess } from './universe.ts';
import type { World } from './world.ts';

/**
 * Most sweeps of a run would find nothing. A sweeper's wait therefore skips sweeps that would find nothing
 * now, but for no longer than this. Every sweep with work runs when it is due, and some idle ones remain,
 * so that faults happen there too. But for the drain, each start of a worker sweeps.
 */
const IDLE_MS = 5 * 60_000;
const BEAT_MS = 5_000;

export function untilWorthwhile(process: SimulatedProcess, hasWork: () => boolean): Timers {
  return {
    sleep(ms, signal) {
      const idleUntil = process.now() + IDLE_MS;
      return process.sleep(ms, signal, () => process.now() < idleUntil && !hasWork());
    },
  };
}

/** What each sweeper of a worker would find at this time. */
export const WORK = {
  dispatcher: ({ stagingJob }: Tables, kind: PurchaseKind, at: number, enabled: boolean) =>
    stagingJob.inOrder().some((job) => job.kind === kind && isDue(job, { at, enabled, createdBefore: at })),
  rescuer: ({ stagingJob, providerAttempt }: Tables, kind: PurchaseKind, at: number, enabled: boolean) =>
    stagingJob
      .inOrder()
      .some(
        (job) => job.kind === kind && isOrphaned(job, { at, enabled, attempts: providerAttempt.inOrder() }),
      ),
  scanner: (tables: Tables, at: number, isFree: World['mayTakeTurn']) => {
    const wanted = scanWanted(awaitedIn(tables), at);
    return wanted !== null && isFree(SCAN_TURN) && isFree(scannerTurn(wanted.pauseMs));
  },
  /** Unless another worker has looked lately, and this one knows what it would see. */
  look: ({ database: { tables }, identity, mayForget, now }: Server, isOpen: boolean): boolean => {
    const gate = tables.startGate.get(PAUSE_SWITCH_ID);
    if (isOpen !== (gate?.state === 'OPEN')) return true;
    const { server, newServer } = gate?.context ?? initialPauseSwitch;
    const beat = tables.heartbeat.get(HEARTBEAT_ID)?.at ?? 0;
    return !mayForget || (newServer ?? server) !== identity || now() - beat > BEAT_MS;
  },
  purchaseCheck: ({ startGate }: Tables, at: number): boolean => {
    const gate = startGate.get(PAUSE_SWITCH_ID);
    return gate?.state === 'CHECKING' && (gate.context.changedAt ?? 0) + SERVER_SETTLE_MS <= at;
  },
  drain: ({ deletionItem }: Tables, at: number) =>
    deletionItem
      .inOrder()
      .some((item) => isDueDeletion(item, at) || isExpiredClaim(item, at - DELETION_CLAIM_MS)),
};
