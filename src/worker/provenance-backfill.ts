import type { Pool } from 'pg';
import { takeDueRecords, writeDueRecord } from '../../persistence/images/provenance-backfill.ts';
import { createSweeper, type Sweeper } from '../../supervisors/sweepers/sweeper.ts';
import { storeChecksums } from '../images/checksums.ts';
import type { WorkerParts } from './parts.ts';

/**
 * Writes the provenance records of pictures that were approved before there were records
 * (docs/contract.md#provenance). A picture whose object cannot be read is tried again, at last once a day, and
 * reported each time: it is public without a record. A crash loses nothing; the list empties once and for all.
 */
type BackfillParts = Pick<WorkerParts, 'clock' | 'reporter' | 'timers' | 'storage'> & {
  database: { pool: Pool };
  timings: { provenanceMs: number };
};

const PAGE = 10;

export function createProvenanceBackfill(parts: BackfillParts): Sweeper {
  const { clock, reporter, storage } = parts;
  const { pool } = parts.database;
  return createSweeper({
    ...parts,
    name: 'provenance-backfill',
    intervalMs: parts.timings.provenanceMs,
    async sweep(signal) {
      for (;;) {
        const due = await takeDueRecords(pool, { at: clock.now(), limit: PAGE });
        for (const { stagedImageId, tries } of due) {
          if (signal.aborted) return;
          try {
            await storeChecksums({ pool, storage }, stagedImageId);
            await writeDueRecord(pool, { stagedImageId, at: clock.now() });
          } catch (error) {
            reporter.problem('a provenance record could not be written', error, { stagedImageId, tries });
          }
        }
        if (due.length < PAGE) return;
      }
    },
  });
}
