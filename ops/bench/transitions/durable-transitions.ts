import { alternate } from '../alternate.ts';
import { type BenchDatabase, startBenchDatabase } from '../bench-database.ts';
import type { Bench, BenchGround, Finding } from '../benchmark.ts';
import { type Candidate, dbos, onOurTables, restate } from './candidates.ts';
import { LANES, LIFE_STEPS } from './purchase-life.ts';

const TITLE = 'durable transitions a second';
const LIMIT_NOTE =
  `${LANES} purchases at a time, ${LIFE_STEPS} transitions each; the peer is the store's very statement, prepared alike, ` +
  `decided beforehand and sent by pg on ${LANES} connections, a commit for each; ours writes those that are ready at the ` +
  'same moment with one statement, and answers each after its commit';
const UNNAMED_NOTE =
  'the same without named statements (DATABASE_POOLER=transaction), straight to PostgreSQL: what such a pooler costs ' +
  'beside its own time';
const DBOS_NOTE =
  `${LANES} workflows at a time, one recorded step for one transition; its steps do nothing and its workflows are ` +
  'long, so that their own start and end cost little; the same PostgreSQL server';
const RESTATE_NOTE =
  `${LANES} virtual objects at a time, one awaited ctx.run for one transition and many in a call, which is the quickest ` +
  'way that waits for each; its log is flushed to disk like the database';

/** The cost of a durable transition, compared with the driver alone and with two engines for durable execution. */
export const transitionsBench: Bench = {
  name: 'transitions',
  about: `durable transitions a second, ${LANES} at a time: the bare driver, DBOS Transact, Restate`,
  async run(ground) {
    const database = await startBenchDatabase(ground.scratch);
    const started: Candidate[] = [];
    const add = async (starting: Promise<Candidate>) => {
      const candidate = await starting;
      started.push(candidate);
      return candidate;
    };
    try {
      return await compare({ ground, database, add });
    } finally {
      for (const candidate of started) await candidate.stop();
      await database.stop();
    }
  },
};

async function compare({
  ground,
  database,
  add,
}: {
  ground: BenchGround;
  database: BenchDatabase;
  add(starting: Promise<Candidate>): Promise<Candidate>;
}): Promise<Finding[]> {
  const { rounds } = ground;
  const common = { title: TITLE, unit: '/s' } as const;
  const ours = await add(onOurTables({ name: 'Proscenium', program: 'ours' }, { ground, database }));
  const against = async (goal: number | null, note: string, starting: Promise<Candidate>) => {
    const peer = await add(starting);
    ground.print(`against ${peer.name}`);
    const bound = goal === null ? {} : { goal: { atLeast: goal } };
    const finding = await alternate({ ...common, ...bound, note, ours, peer }, rounds);
    // Even an idle engine runs timers and compactions.
    await peer.stop();
    return finding;
  };
  const bare = onOurTables({ name: 'the bare driver', program: 'bare' }, { ground, database });
  const limit = await against(0.75, LIMIT_NOTE, bare);
  const plain = { name: 'Proscenium without named statements', program: 'ours', unnamed: true } as const;
  const unnamed = await against(null, UNNAMED_NOTE, onOurTables(plain, { ground, database }));
  const steps = await against(3.5, DBOS_NOTE, dbos({ ground, database }));
  return [limit, unnamed, steps, await against(1.3, RESTATE_NOTE, restate(ground))];
}
