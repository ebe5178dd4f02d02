import { DBOS } from '@dbos-inc/dbos-sdk';
import { serveTurns } from './serve-turns.ts';

/**
 * DBOS Transact at what it does best: workflows of steps, each step recorded in its system database on the same
 * server before the next one begins. A step does nothing but answer a small object, as a transition would leave.
 */
const lanes = Number(process.env.LANES);

DBOS.setConfig({
  name: 'bench',
  systemDatabaseUrl: process.env.DATABASE_URL,
  systemDatabasePoolSize: lanes,
  logLevel: 'error',
});

interface Life {
  readonly actors: number;
  readonly steps: number;
}

const live = DBOS.registerWorkflow(
  async ({ actors, steps }: Life): Promise<number> => {
    let done = 0;
    for (let actor = 0; actor < actors; actor++)
      for (let step = 0; step < steps; step++) {
        await DBOS.runStep(async () => ({ state: 'RUNNING', predictionId: `p-${actor}`, version: step }), {
          name: 'transition',
        });
        done += 1;
      }
    return done;
  },
  { name: 'live' },
);

await DBOS.launch();

serveTurns(
  {
    /** One long workflow a lane: the cost of beginning and ending workflows is spread as thin as it gets. */
    async turn({ actors, steps }: Life) {
      const share = Math.ceil(actors / lanes);
      const began = performance.now();
      const handles = await Promise.all(
        Array.from({ length: lanes }, () => DBOS.startWorkflow(live)({ actors: share, steps })),
      );
      const done = await Promise.all(handles.map((handle) => handle.getResult()));
      const total = done.reduce((sum, one) => sum + one, 0);
      return total / ((performance.now() - began) / 1_000);
    },
  },
  () => DBOS.shutdown(),
);
