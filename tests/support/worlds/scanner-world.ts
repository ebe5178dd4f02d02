import { awaitedPurchases } from '../../../persistence/jobs/awaited-purchases.ts';
import type { ActorSystem } from '../../../supervisors/actors/deliver.ts';
import type { PredictionLister, Reporter } from '../../../supervisors/ports.ts';
import type { ScannerPorts } from '../../../supervisors/sweepers/prediction-scanner.ts';
import type { StoreDatabase } from '../database/store-database.ts';
import type { ManualTime } from '../manual-time.ts';

/** The dependencies of a scanner over a real store; it gets every turn that it requests. */
export function scannerPorts(
  { pool }: StoreDatabase,
  {
    time,
    lister,
    reporter,
    actorSystem,
  }: {
    time: ManualTime;
    lister: PredictionLister;
    reporter: Reporter;
    actorSystem: Pick<ActorSystem, 'deliver'>;
  },
): ScannerPorts {
  return {
    lister,
    reporter,
    actorSystem,
    clock: time,
    timers: time,
    node: 'scanner',
    awaited: () => awaitedPurchases(pool),
    takeTurn: async (_turn, work) => {
      await work();
      return true;
    },
  };
}
