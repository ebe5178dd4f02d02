import { parseArgs } from 'node:util';
import type { Redis } from 'ioredis';
import { openDatabase } from '../../persistence/database/database.ts';
import { directDatabaseUrl } from '../../src/config/addresses.ts';
import { createCommandRedis, settleRedis } from '../../src/queues/redis.ts';
import { createObjectStorage, type ObjectStorage } from '../../src/storage/object-storage.ts';
import { askProvider } from '../invariants/ask-provider.ts';
import { askRows, type When } from '../invariants/ask-rows.ts';
import { askStores } from '../invariants/ask-stores.ts';
import { PROVEN_ELSEWHERE } from '../invariants/elsewhere.ts';
import { inOrder, render } from '../invariants/report.ts';
import type { Verdict } from '../invariants/verdict.ts';

/**
 * Checks a live installation: every invariant that can be decided from its rows and stores. The rows are read at
 * one instant in a read-only transaction; nothing else is written either.
 */
const HELP = `Usage: DATABASE_URL=… [KV_URL=… QUEUE_SUFFIX=…] [S3_ENDPOINT=… S3_BUCKET=… …] npm run invariants -- [options]

Asks every invariant and prints a line for each: it holds, or what breaks it, or where it is proven instead.
With KV_URL it looks into the queues and the search documents, too; with the worker's S3_ settings (S3_ENDPOINT,
S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, S3_REGION) into the bucket. With PUBLIC_BASE_URL, addresses
of images in documents are compared whole. With --provider and the worker's PROVIDER_API_TOKEN, PROVIDER_BASE_URL
and PROVIDER_WEBHOOK_BASE_URL the provider's last hour is compared with the rows. Safe at any time: it writes nothing
and takes no locks.

  --always-only   only what holds at every instant
  --quiet-only    only what holds once nothing moves: on a busy installation, ask those twice
  --no-replay     does not play every actor's journal again (I9), which takes longest
  --provider      compares the provider's purchases of the last hour, too (I41)
  --timeout N     seconds that one question to the database may take (60)
  --json          the same as JSON
  --help          this text

Exit code: 0 when all hold, 1 when one is broken, 2 when something could not be found out.
`;
const OK = 0;
const BROKEN = 1;
const UNKNOWN = 2;
const PATIENCE_MS = 3_000;
const MAX_TIMEOUT_S = 86_400;
const S3_NAMES = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const;
const DEFAULT_REGION = 'us-east-1';
const PROVIDER_NAMES = ['PROVIDER_API_TOKEN', 'PROVIDER_WEBHOOK_BASE_URL'] as const;

process.exitCode = await main();

async function main(): Promise<number> {
  const options = readOptions();
  if (typeof options === 'string') return say(`${options}\n\n${HELP}`, UNKNOWN);
  if (options.help) return say(HELP, OK);
  const { KV_URL: kvUrl, QUEUE_SUFFIX: queueSuffix = '', PUBLIC_BASE_URL } = process.env;
  const url = directDatabaseUrl(process.env);
  if (!url) return say('DATABASE_URL is not set. Give the address of the database.\n', UNKNOWN);
  const missing = missingStorageNames();
  if (missing.length > 0)
    return say(`Of the bucket's settings ${missing.join(', ')} must be set, too.\n`, UNKNOWN);
  const database = await openDatabase({
    url,
    poolSize: 2,
    applicationName: 'proscenium-invariants',
  }).catch(() => null);
  if (database === null)
    return say('The database at DATABASE_URL cannot be reached. Check it and try again.\n', UNKNOWN);
  const redis = kvUrl ? createCommandRedis(kvUrl, () => {}) : null;
  const objects = openObjects();
  try {
    if (!(await isReady(redis)))
      return say('The key-value store at KV_URL cannot be reached. Check it and try again.\n', UNKNOWN);
    const { when, timeoutMs, replay, provider } = options;
    const rows = await askRows(database.pool, { when, replay, at: Date.now(), timeoutMs });
    const publicBaseUrl = PUBLIC_BASE_URL?.replace(/\/+$/, '') || undefined;
    const stores = await askStores({ pool: database.pool, redis, objects, queueSuffix, publicBaseUrl }, when);
    const purchases = await askProvider(database.pool, provider ? process.env : null);
    return printVerdicts(inOrder([...rows, ...stores, purchases]), options.json);
  } catch {
    return say('Not finished: the connection to the database was lost. Try again.\n', UNKNOWN);
  } finally {
    redis?.disconnect();
    objects?.close();
    await database.close();
  }
}

function printVerdicts(verdicts: readonly Verdict[], json: boolean): number {
  const has = (outcome: Verdict['outcome']) => verdicts.some((verdict) => verdict.outcome === outcome);
  const code = has('broken') ? BROKEN : has('unanswered') ? UNKNOWN : OK;
  const report = { holds: code === OK, invariants: verdicts, provenElsewhere: PROVEN_ELSEWHERE };
  return say(json ? `${JSON.stringify(report, null, 2)}\n` : render(verdicts), code);
}

function readOptions() {
  const flag = { type: 'boolean', default: false } as const;
  const flags = {
    'always-only': flag,
    'quiet-only': flag,
    'no-replay': flag,
    provider: flag,
    json: flag,
    help: flag,
  };
  try {
    const { values } = parseArgs({ options: { ...flags, timeout: { type: 'string', default: '60' } } });
    const seconds = Number(values.timeout);
    if (!(seconds > 0 && seconds <= MAX_TIMEOUT_S)) return '--timeout takes a number of seconds.';
    if (values['always-only'] && values['quiet-only']) return '--always-only and --quiet-only leave nothing.';
    const when: When = values['always-only'] ? 'always' : values['quiet-only'] ? 'quiet' : 'both';
    const { json, help, provider } = values;
    if (provider && PROVIDER_NAMES.some((name) => !process.env[name]))
      return `--provider needs the worker's ${PROVIDER_NAMES.join(' and ')}.`;
    return { when, json, help, provider, replay: !values['no-replay'], timeoutMs: seconds * 1_000 };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function isReady(redis: Redis | null): Promise<boolean> {
  if (redis !== null) await settleRedis(redis, PATIENCE_MS);
  return redis === null || redis.status === 'ready';
}

/** The missing settings of the bucket: either all of them are given, or none. */
function missingStorageNames(): string[] {
  const missing = S3_NAMES.filter((name) => !process.env[name]);
  return missing.length === S3_NAMES.length ? [] : missing;
}

function openObjects(): ObjectStorage | null {
  const [endpoint, bucket, accessKeyId, secretAccessKey] = S3_NAMES.map((name) => process.env[name] ?? '');
  if (!endpoint || !bucket || !accessKeyId || !secretAccessKey) return null;
  const region = process.env.S3_REGION || DEFAULT_REGION;
  return createObjectStorage({ endpoint, region, accessKeyId, secretAccessKey, bucket });
}

function say(text: string, code: number): number {
  process.stdout.write(text);
  return code;
}
