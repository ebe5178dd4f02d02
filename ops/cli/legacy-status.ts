import { parseArgs } from 'node:util';
import { Queue } from 'bullmq';
import { openDatabase } from '../../persistence/database/database.ts';
import { aliasUseSince } from '../../persistence/jobs/legacy-messages.ts';
import { directDatabaseUrl } from '../../src/config/addresses.ts';
import { queueNames, STAGE_ROOM_ENTRY } from '../../src/queues/names.ts';
import { connectRedis } from '../../src/queues/redis.ts';
import {
  type Condition,
  judge,
  type LegacyFindings,
  type QueueCounts,
  render,
} from '../operate/legacy-report.ts';

/**
 * Whether the legacy bridge can be removed: the four conditions of docs/contract.md#old-stage-room-messages. Two
 * are read from the database and the queue; two must be confirmed by a person, with flags. Changes nothing.
 */
const HELP = `Usage: DATABASE_URL=… KV_URL=… [QUEUE_SUFFIX=…] npm run legacy:status -- [options]

Shows whether the legacy bridge may end, and what is still in the way:
  1. no staging job of the last 30 days was submitted under an old style name (also look through the logs
     for refused ones: errorCode STYLE_ALIAS_SUNSET)
  2. all supported clients send only canonical styles      --clients-canonical says that you made sure
  3. the legacy queue has no stage-room entry that is waiting, active, delayed or failed
  4. the supported client floor is above the release with canonical styles
                                                           --client-floor-reached says that you made sure

  --json   the same as JSON
  --help   this text

Exit code: 0 when all four hold, 1 when one does not, 2 when it could not be found out.
`;
const DAY_MS = 86_400_000;
const ALIAS_DAYS = 30;
const PAGE = 1_000;
const CONNECT_TIMEOUT_MS = 3_000;
/** `wait` holds the waiting entries; prioritized and parked ones wait as well. */
const STATES = {
  waiting: ['wait', 'prioritized', 'waiting-children'],
  active: ['active'],
  delayed: ['delayed'],
  failed: ['failed'],
} as const;

process.exitCode = await main();

async function main(): Promise<number> {
  const options = readOptions();
  if (typeof options === 'string') return say(`${options}\n\n${HELP}`, 2);
  if (options.help) return say(HELP, 0);
  const { KV_URL: kvUrl, QUEUE_SUFFIX: suffix = '' } = process.env;
  const databaseUrl = directDatabaseUrl(process.env);
  if (!databaseUrl) return say('DATABASE_URL is not set. Give the address of the database.\n', 2);
  if (!kvUrl) return say('KV_URL is not set. Give the address of the key-value store.\n', 2);
  const now = Date.now();
  const aliases = await aliasUse(databaseUrl, now - ALIAS_DAYS * DAY_MS).catch(() => null);
  if (aliases === null)
    return say('The database at DATABASE_URL cannot be read. Check the address and its migrations.\n', 2);
  const queue = await stageRoomEntries(kvUrl, queueNames(suffix).descriptions).catch(() => null);
  if (queue === null)
    return say('The key-value store at KV_URL cannot be read. Check it and try again.\n', 2);
  const findings: LegacyFindings = {
    aliases,
    aliasDays: ALIAS_DAYS,
    queueName: queueNames(suffix).descriptions,
    queue,
    clientsCanonical: options['clients-canonical'],
    clientFloorReached: options['client-floor-reached'],
  };
  const conditions: Condition[] = judge(findings);
  const mayEnd = conditions.every(({ state }) => state === 'holds');
  const text = options.json
    ? `${JSON.stringify({ mayEnd, conditions }, null, 2)}\n`
    : render(conditions, mayEnd);
  return say(text, mayEnd ? 0 : 1);
}

function readOptions() {
  const flag = { type: 'boolean', default: false } as const;
  const options = { json: flag, help: flag, 'clients-canonical': flag, 'client-floor-reached': flag };
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function aliasUse(databaseUrl: string, since: number) {
  const database = await openDatabase({ url: databaseUrl, applicationName: 'proscenium-legacy-status' });
  try {
    return await aliasUseSince(database.pool, since);
  } finally {
    await database.close();
  }
}

/** Reads every page of every state: our own entries are in the same queue, so its counters are not enough. */
async function stageRoomEntries(kvUrl: string, name: string): Promise<QueueCounts> {
  const redis = connectRedis(kvUrl, {
    maxRetriesPerRequest: 0,
    retryStrategy: null,
    lazyConnect: true,
    connectTimeout: CONNECT_TIMEOUT_MS,
  });
  redis.on('error', () => {});
  try {
    await redis.connect();
    const queue = new Queue(name, { connection: redis, skipMetasUpdate: true });
    queue.on('error', () => {});
    const counts: QueueCounts = { waiting: 0, active: 0, delayed: 0, failed: 0 };
    for (const key of Object.keys(STATES) as (keyof QueueCounts)[])
      for (const state of STATES[key]) counts[key] += await countNamed(queue, state);
    await queue.close();
    return counts;
  } finally {
    redis.disconnect();
  }
}

async function countNamed(queue: Queue, state: (typeof STATES)[keyof QueueCounts][number]): Promise<number> {
  let found = 0;
  for (let start = 0; ; start += PAGE) {
    const entries = await queue.getJobs([state], start, start + PAGE - 1);
    // An entry may leave between its listing and its reading.
    found += entries.filter((entry) => entry?.name === STAGE_ROOM_ENTRY).length;
    if (entries.length < PAGE) return found;
  }
}

function say(text: string, code: number): number {
  process.stdout.write(text);
  return code;
}
