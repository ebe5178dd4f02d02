import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import type { Redis } from 'ioredis';
import type { Pool } from 'pg';
import { openDatabase } from '../../persistence/database/database.ts';
import { countDocuments, idsWithDocument } from '../../persistence/search/search-documents.ts';
import { askForSearchEpoch, countRebuilt } from '../../persistence/search/search-epoch.ts';
import { directDatabaseUrl } from '../../src/config/addresses.ts';
import { createCommandRedis, settleRedis } from '../../src/queues/redis.ts';
import { createSearchQueue, type SearchQueue } from '../../src/queues/search-queue.ts';
import { checkDocuments, type DocumentFault, surplusIds } from '../../src/search/document-check.ts';
import { documentIds } from '../../src/search/document-store.ts';
import { uuid } from '../../src/wire/text.ts';

/**
 * `npm run search:schema`: rebuilds all search documents after their fields have changed, and verifies the result
 * (docs/contract.md#command-lines). The worker does the rebuilding: a new epoch in the database makes it rebuild
 * all documents, as after a flush of the store.
 */
const HELP = `Usage: DATABASE_URL=… KV_URL=… [QUEUE_SUFFIX=…] [PUBLIC_BASE_URL=…] npm run search:schema -- MODE

--dry-run   writes nothing; says how many documents of active properties there are to be, and how many there are
--enqueue   asks the worker to rebuild every document, and to remove those of no active property; asked again, it
            says how far the worker is, and asks for nothing twice
--verify    compares every document with the database and names each that is missing, surplus or wrong;
            refuses while rebuilds are under way. With PUBLIC_BASE_URL, addresses of images are compared whole

Exit codes: 0 done or verified, 1 documents are not right or the operation cannot run, 2 refused, try later.
`;
const MODES = ['dry-run', 'enqueue', 'verify'] as const;
type Mode = (typeof MODES)[number];
const OK = 0;
const FAILED = 1;
const REFUSED = 2;
const PAGE = 500;
const PATIENCE_MS = 3_000;

interface Ports {
  pool: Pool;
  redis: Redis;
  /** Opened only when needed: opening a queue writes to the store. */
  withQueue<T>(work: (queue: SearchQueue) => Promise<T>): Promise<T>;
}

async function main(args: string[]): Promise<number> {
  const options = modesOf(args);
  if (options === 'help') return say(HELP, OK);
  const [mode] = options;
  if (mode === undefined || options.length > 1) return say(HELP, FAILED);
  const { KV_URL: kvUrl } = process.env;
  const databaseUrl = directDatabaseUrl(process.env);
  if (!databaseUrl) return say('DATABASE_URL is not set. Give the address of the database.\n', FAILED);
  if (!kvUrl) return say('KV_URL is not set. Give the address of the key-value store.\n', FAILED);
  const database = await openDatabase({
    url: databaseUrl,
    poolSize: 2,
    applicationName: 'proscenium-search-schema',
  }).catch(() => null);
  if (database === null)
    return say('The database at DATABASE_URL cannot be reached. Check it and try again.\n', FAILED);
  const redis = createCommandRedis(kvUrl, () => {});
  try {
    await settleRedis(redis, PATIENCE_MS);
    if (redis.status !== 'ready')
      return say('The key-value store at KV_URL cannot be reached. Check it and try again.\n', FAILED);
    return await RUN[mode]({ pool: database.pool, redis, withQueue: (work) => withQueue(redis, work) });
  } catch (error) {
    return say(`Not finished: ${error instanceof Error ? error.message : String(error)}\n`, FAILED);
  } finally {
    redis.disconnect();
    await database.close();
  }
}

async function withQueue<T>(redis: Redis, work: (queue: SearchQueue) => Promise<T>): Promise<T> {
  const suffix = process.env.QUEUE_SUFFIX ?? '';
  const queue = createSearchQueue({ redis, suffix, onProblem: () => {} });
  try {
    return await work(queue);
  } finally {
    await queue.close();
  }
}

function modesOf(args: string[]): Mode[] | 'help' {
  try {
    const { values } = parseArgs({
      args,
      options: {
        'dry-run': { type: 'boolean', default: false },
        enqueue: { type: 'boolean', default: false },
        verify: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    return values.help ? 'help' : MODES.filter((mode) => values[mode]);
  } catch {
    return [];
  }
}

const RUN: Record<Mode, (ports: Ports) => Promise<number>> = {
  'dry-run': async ({ pool, redis }) => {
    const { expected } = await countDocuments(pool);
    const stored = (await surplusIds(redis, new Set())).size;
    return say(`${expected} active property documents; ${stored} are stored now. Nothing was written.\n`, OK);
  },
  enqueue: ({ pool, redis, withQueue }) => withQueue((queue) => enqueue({ pool, redis, queue })),
  verify: ({ pool, redis, withQueue }) => withQueue((queue) => verify({ pool, redis, queue })),
};

interface QueuePorts {
  pool: Pool;
  redis: Redis;
  queue: SearchQueue;
}

async function enqueue({ pool, redis, queue }: QueuePorts): Promise<number> {
  await queue.forgetFailed();
  await askForSearchEpoch(pool, randomUUID());
  const { expected } = await countDocuments(pool);
  let removals = 0;
  for await (const page of documentIds(redis, PAGE)) {
    const ids = page.filter((id) => uuid.safeParse(id).success);
    const wanted = await idsWithDocument(pool, ids);
    const surplus = ids.filter((id) => !wanted.has(id));
    await queue.enqueue(surplus);
    removals += surplus.length;
  }
  const also = removals === 0 ? '' : `, and ${removals} removals`;
  const progress = `${await countRebuilt(pool)} of ${expected} are done`;
  return say(`${expected} rebuilds asked for${also}; ${progress}. Verify when the worker is done.\n`, OK);
}

async function verify({ pool, redis, queue }: QueuePorts): Promise<number> {
  const moving = await movement({ pool, queue });
  if (moving !== null) return say(`Not verified: ${moving}\n`, REFUSED);
  const publicBaseUrl = process.env.PUBLIC_BASE_URL?.replace(/\/+$/, '') || undefined;
  const { checked, faults } = await checkDocuments({ pool, redis, publicBaseUrl });
  if (faults.length === 0) return say(`${checked} search documents verified: all complete and right.\n`, OK);
  // A listing that changes meanwhile looks like a fault, but is none.
  const begun = await movement({ pool, queue });
  if (begun !== null) return say(`Not verified: ${begun}\n`, REFUSED);
  const lines = faults.map(toText).join('\n');
  return say(
    `${lines}\n${faults.length} faults in ${checked} documents. Run --enqueue to mend them.\n`,
    FAILED,
  );
}

/** Why documents cannot be compared now; null when they can. */
async function movement({ pool, queue }: Omit<QueuePorts, 'redis'>): Promise<string | null> {
  const counts = Object.entries(await queue.counts()).map(([state, count]) => `${count} ${state}`);
  const { owed, isRebuilding } = await countDocuments(pool);
  if (counts.length === 0 && owed === 0 && !isRebuilding) return null;
  const jobs = counts.length === 0 ? '' : `backfill jobs are moving (${counts.join(', ')}). `;
  const rows = owed === 0 ? '' : `${owed} listings still await their rebuild. `;
  const all = isRebuilding ? 'a rebuild of all documents has not ended. ' : '';
  return `${all}${jobs}${rows}Let the worker finish, then run it again.`;
}

function toText({ propertyId, kind, fields }: DocumentFault): string {
  return [kind.padEnd(7), propertyId, ...(fields.length > 0 ? [fields.join(', ')] : [])].join('  ');
}

function say(text: string, code: number): number {
  process.stdout.write(text);
  return code;
}

process.exitCode = await main(process.argv.slice(2));
