import { createDescriptionStore } from '../../../persistence/actors/postgres-description-store.ts';
import { awaitedPurchases } from '../../../persistence/jobs/awaited-purchases.ts';
import type { Mailroom } from '../../../supervisors/actors/deliver.ts';
import { createDescriptionDesk } from '../../../supervisors/actors/description-desk.ts';
import type { PredictionLister, Reporter } from '../../../supervisors/ports.ts';
import type { ScannerPorts } from '../../../supervisors/sweepers/prediction-scanner.ts';
import type { StoreDatabase } from '../database/store-database.ts';
import { type ManualTime, noWaiting } from '../manual-time.ts';
import { createRecordingQueue } from './recording-ports.ts';

/** What a scanner takes, over a real store; its turn comes whenever it asks. */
export function scannerPorts(
  { pool }: StoreDatabase,
  {
    time,
    lister,
    reporter,
    mailroom,
  }: {
    time: ManualTime;
    lister: PredictionLister;
    reporter: Reporter;
    mailroom: Pick<Mailroom, 'deliver'>;
  },
): ScannerPorts {
  return {
    lister,
    reporter,
    mailroom,
    clock: time,
    timers: time,
    node: 'scanner',
    awaited: () => awaitedPurchases(pool),
    takeTurn: async (_turn, work) => {
      await work();
      return true;
    },
    desk: createDescriptionDesk({
      descriptions: createDescriptionStore(pool),
      reporter,
      timers: noWaiting,
      queue: createRecordingQueue(),
      chance: { jitter: () => 0 },
    }),
  };
}
