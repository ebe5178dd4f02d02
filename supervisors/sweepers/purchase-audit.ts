import { SCAN_TURN_MS } from '../../machines/limits.ts';
import type { CheckedPurchase } from '../../persistence/jobs/purchase-standings.ts';
import type { Clock, ListedPurchase, PurchaseLister, Reporter, Timers } from '../ports.ts';
import { turnEvery } from '../ports.ts';
import { afterOtherScans, type TakeTurn } from './prediction-scanner.ts';
import { createSweeper, type Sweeper } from './sweeper.ts';

/**
 * Compares the provider's last hour with the rows (I41), one worker for the whole installation: a purchase that calls
 * this installation back and that no attempt knows raises `purchase_unknown`. It changes nothing. A list that cannot be
 * read decides nothing; the next turn reads it again.
 */
export interface PurchaseAuditPorts {
  purchases: PurchaseLister;
  unknown(listed: readonly ListedPurchase[]): Promise<CheckedPurchase[]>;
  takeTurn: TakeTurn;
  clock: Clock;
  timers: Timers;
  reporter: Reporter;
  intervalMs: number;
}

/** The provider's list names callbacks and inputs for so long. */
export const AUDITED_MS = 60 * 60_000;
/** Alarms of one turn; one is enough to look. */
const MAX_ALERTS = 50;

export function createPurchaseAudit(ports: PurchaseAuditPorts): Sweeper {
  const turn = { name: 'purchase-audit', everyMs: turnEvery(ports.intervalMs), holdMs: SCAN_TURN_MS };
  return createSweeper({
    ...ports,
    name: 'purchase-audit',
    sweep: async (signal) => {
      await ports.takeTurn(turn, () => afterOtherScans(ports, signal, (within) => audit(ports, within)));
    },
  });
}

async function audit({ purchases, unknown, clock, reporter }: PurchaseAuditPorts, signal: AbortSignal) {
  const createdBefore = clock.now();
  const listed = await purchases.list({ createdAfter: createdBefore - AUDITED_MS, createdBefore, signal });
  if (typeof listed === 'string') return;
  for (const { predictionId, attemptId } of (await unknown(listed)).slice(0, MAX_ALERTS)) {
    const subject = { kind: 'providerAttempt', id: attemptId ?? 'none' };
    reporter.alert(subject, { alert: 'purchase_unknown', fields: { predictionId } });
  }
}
