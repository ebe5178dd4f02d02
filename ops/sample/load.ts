import { createPostgresActorStore } from '../../persistence/actors/postgres-actor-store.ts';
import { beginSample, endSample, removeSample, sampleState } from '../../persistence/sample/sample-town.ts';
import { systemChance, systemTimers } from '../../src/time.ts';
import { createActorSystem } from '../../supervisors/actors/deliver.ts';
import type { JobQueue } from '../../supervisors/ports.ts';
import { addHome } from './homes.ts';
import type { SampleParts } from './loading.ts';
import { addPeople } from './people.ts';
import { createDrawings } from './pictures.ts';
import { planTown } from './town.ts';

export type SampleOutcome = 'LOADED' | 'ALREADY_THERE' | 'REMOVED_BEFORE' | 'HAS_LISTINGS';

/** Homes at a time: the object store and the database work next to the drawing. */
const LANES = 6;

/**
 * Loads the sample town (docs/contract.md#sample) by the roads that people's work takes: listings, photos, submissions,
 * reviews and tours are born and changed as the API and the workers do it, at times in the past. Nothing is bought: the
 * pictures are drawn here, and their model is `sample`. Killed at any moment, the next load removes the part and begins
 * again.
 */
export async function loadSample(parts: SampleParts): Promise<SampleOutcome> {
  const { pool, now } = parts;
  const state = await sampleState(pool);
  if (state === 'LOADED') return 'ALREADY_THERE';
  if (state === 'REMOVED') return 'REMOVED_BEFORE';
  if (state === 'LOADING') await removeSample(pool);
  if (!(await beginSample(pool))) return 'HAS_LISTINGS';
  const startedAt = now();
  const people = await addPeople(pool, startedAt);
  const town = {
    ...parts,
    ...people,
    startedAt,
    drawings: createDrawings(),
    actors: createActorSystem({
      store: createPostgresActorStore(pool),
      queues: { stagingJob: SILENT_QUEUE, descriptionJob: SILENT_QUEUE },
      nudges: { publish() {} },
      reporter: SILENT_REPORTER,
      timers: systemTimers,
      chance: systemChance,
    }),
  };
  await inLanes(planTown(new Date(startedAt).getUTCFullYear()), (home) => addHome(town, home));
  await endSample(pool);
  return 'LOADED';
}

const SILENT_QUEUE: JobQueue = {
  enqueue: async () => {},
  remove: async () => {},
  missing: async () => [],
  pauseStarts: async () => {},
};
/** No alert and no figure is made of the sample; a problem ends the load. */
const SILENT_REPORTER = {
  report() {},
  alert() {},
  transition() {},
  count() {},
  problem(what: string, error: unknown) {
    throw new Error(what, { cause: error });
  },
};

async function inLanes<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < items.length) {
      const item = items[next++];
      if (item !== undefined) await work(item);
    }
  };
  const ends = await Promise.allSettled(
    Array.from({ length: LANES }, () =>
      lane().catch((error: unknown) => {
        next = items.length;
        throw error;
      }),
    ),
  );
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}
