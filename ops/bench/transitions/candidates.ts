import { fileURLToPath } from 'node:url';
import { freePort } from '../../dev/stack/free-port.ts';
import type { Side } from '../alternate.ts';
import type { BenchDatabase } from '../bench-database.ts';
import type { BenchGround } from '../benchmark.ts';
import { type CandidateProcess, startCandidate } from '../candidate-process.ts';
import { seedJobRows } from '../job-rows.ts';
import { LANES, LIFE_STEPS, OWNER } from './purchase-life.ts';
import { startRestate } from './restate-server.ts';

/** One side and the processes behind it. */
export interface Candidate extends Side {
  stop(): Promise<void>;
}

/** Purchases per turn. The peers make fewer: they are slower, and a rate does not depend on the number. */
const PURCHASES = { full: 4_000, quick: 320 };
const PEER_PURCHASES = { full: 1_280, quick: 64 };
/**
 * Restate is fastest with long calls, because starting one costs several steps. Of 1, 5 and 20 this was the
 * fastest.
 */
const PURCHASES_A_CALL = 20;

/** The product (`ours`) or the driver alone (`bare`), on freshly seeded rows each turn. */
export async function onOurTables(
  { name, program, unnamed = false }: { name: string; program: 'ours' | 'bare'; unnamed?: boolean },
  { ground, database }: { ground: BenchGround; database: BenchDatabase },
): Promise<Candidate> {
  const env = unnamed ? behindPooler(database.url) : { DATABASE_URL: database.url };
  const child = await startCandidate({ program: programOf(`./${program}.ts`), env });
  const count = ground.quick ? PURCHASES.quick : PURCHASES.full;
  return {
    name,
    async turn() {
      await seedJobRows(database.pool, { count, attempt: 'RESERVED', heldBy: OWNER });
      await child.ask('prepare');
      await database.settle();
      return child.ask<number>('turn');
    },
    stop: child.stop,
  };
}

function programOf(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}

/** As a role behind a pooler sends its statements, without the pooler: the limits come from the server. */
function behindPooler(databaseUrl: string): Record<string, string> {
  const url = new URL(databaseUrl);
  const limits = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];
  url.searchParams.set('options', limits.map((name) => `-c ${name}=30000`).join(' '));
  return { DATABASE_URL: url.href, DATABASE_POOLER: 'transaction' };
}

export async function dbos({
  ground,
  database,
}: {
  ground: BenchGround;
  database: BenchDatabase;
}): Promise<Candidate> {
  const child = await startCandidate({
    program: programOf('../peers/dbos-steps.ts'),
    env: { DATABASE_URL: await database.createBeside('dbos'), LANES: String(LANES) },
  });
  const { turn } = peerTurn(child, ground);
  return {
    name: 'DBOS Transact',
    async turn() {
      await database.settle();
      return turn();
    },
    stop: child.stop,
  };
}

export async function restate(ground: BenchGround): Promise<Candidate> {
  const server = await startRestate(ground.scratch);
  const child = await startCandidate({
    program: programOf('../peers/restate-object.ts'),
    env: {
      LANES: String(LANES),
      INGRESS_URL: server.ingressUrl,
      ADMIN_URL: server.adminUrl,
      ENDPOINT_PORT: String(await freePort()),
    },
  }).catch(async (error) => {
    await server.stop();
    throw error;
  });
  return {
    name: 'Restate',
    ...peerTurn(child, ground),
    async stop() {
      await child.stop();
      await server.stop();
    },
  };
}

function peerTurn(child: CandidateProcess, { quick }: BenchGround) {
  const actors = quick ? PEER_PURCHASES.quick : PEER_PURCHASES.full;
  const life = { actors, steps: LIFE_STEPS, actorsEach: PURCHASES_A_CALL };
  return { turn: () => child.ask<number>('turn', life) };
}
