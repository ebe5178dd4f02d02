import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { Queue, Worker } from 'bullmq';
import pg from 'pg';
import { request } from 'undici';
import { changeSettings, finishPrediction } from '../../../../ops/simulator/control-client.ts';
import { createBlockingRedis } from '../../../../src/queues/redis.ts';
import { roomPhoto } from '../../../support/platform/listing.ts';
import type { TestPlatform } from '../../../support/platform/platform.ts';

/** One job or text of the dump. `name` says in which state it was left. */
export interface OldJob {
  id: string;
  type: 'ROOM_STAGING' | 'DESCRIPTION';
  name: string;
}

const DUMP = new URL('./installation.sql', import.meta.url);
/** How long ago the processes of the old installation ended. */
const STOPPED_AGO_MS = 30_000;
/** No process listens there: the old web process has ended. */
const OLD_WEB = 'http://127.0.0.1:9';

/** Writes the rows of the dump into an empty database, as if that installation had ended half a minute ago. */
export async function loadOldRows(databaseUrl: string): Promise<OldJob[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(readFileSync(DUMP, 'utf8'));
    await client.query("set search_path to public; set session_replication_role to 'replica'");
    await moveInstants(client);
    const { rows } = await client.query<OldJob>(
      'select j.id, j.type, p.address as name from ai_jobs j join properties p on p.id = j."propertyId"',
    );
    return rows;
  } finally {
    await client.end();
  }
}

async function moveInstants(client: pg.Client): Promise<void> {
  const { rows: ended } = await client.query('select max(at) as at from actor_transitions');
  const shiftMs = Date.now() - STOPPED_AGO_MS - ended[0].at.getTime();
  const { rows: columns } = await client.query<{ table: string; column: string }>(
    `select table_name as table, column_name as column from information_schema.columns
     where table_schema = 'public' and data_type = 'timestamp with time zone' and is_generated = 'NEVER'`,
  );
  for (const { table, column } of columns)
    await client.query(
      `update "${table}" set "${column}" = "${column}" + interval '${shiftMs} milliseconds'`,
    );
  await client.query(
    `update actor_transitions set event = jsonb_set(event, '{at}', to_jsonb((event->>'at')::bigint + $1))
     where event ? 'at'`,
    [shiftMs],
  );
}

/** The photos, their provider copies, and the staged pictures that the rows name. */
export async function putOldObjects({ bucket, rows }: TestPlatform): Promise<void> {
  const keys = await rows<{ key: string }>(
    `select distinct key from property_images, unnest(array["objectKey", "providerInputKey"]) as key
     where key is not null`,
  );
  const Body = await roomPhoto();
  for (const { key: Key } of keys)
    await bucket.client.send(
      new PutObjectCommand({ Bucket: bucket.bucket, Key, Body, ContentType: 'image/jpeg' }),
    );
}

interface OldAttempt {
  id: string;
  status: string;
  name: string;
  predictions: (string | null)[];
}

/**
 * Sends the purchases of the old release to the provider, and replaces the prediction names of the dump by
 * real ids. Unfinished predictions stay unfinished until the test releases them.
 */
export async function buyAsBefore(platform: TestPlatform, jobs: readonly OldJob[]): Promise<void> {
  const { provider, rows } = platform;
  await changeSettings(provider.baseUrl, { hold: true, pictures: 'plain' });
  const attempts = await rows<OldAttempt>(
    `select a.id, a.status, p.address as name, array["providerPredictionId", "strayPredictionId"] as predictions
     from ai_provider_attempts a join ai_jobs j on j.id = a."aiJobId" join properties p on p.id = j."propertyId"`,
  );
  for (const { id, status, name, predictions } of attempts) {
    const body = pictureOrder(id);
    const isTaken = ['SENT', 'UNCONFIRMED'].includes(status) && !name.endsWith('not taken');
    if (isTaken) await buy(platform, body);
    for (const named of predictions) {
      if (named === null) continue;
      const predictionId = await buy(platform, body);
      await rename(platform, named, predictionId);
      if (status === 'COLLECTING')
        await finishPrediction(provider.baseUrl, predictionId, { status: 'succeeded' });
    }
  }
  const texts = await rows<{ id: string; prompt: string; sendState: string; predictions: (string | null)[] }>(
    `select "aiJobId" as id, prompt, "sendState", array["providerPredictionId", "strayPredictionId"] as predictions
     from ai_description_jobs`,
  );
  for (const { id, prompt, sendState, predictions } of texts) {
    const body = { model: 'openai/gpt-5-mini', input: { prompt } };
    const { name = '' } = jobs.find((job) => job.id === id) ?? {};
    const isTaken = ['SENT', 'UNCONFIRMED'].includes(sendState) && name.endsWith(', taken');
    if (isTaken) await buy(platform, body);
    for (const named of predictions)
      if (named !== null) await rename(platform, named, await buy(platform, body));
  }
}

function pictureOrder(attemptId: string) {
  return {
    model: 'openai/gpt-image-2',
    input: {
      prompt: 'Stage this living room.',
      input_images: [`${OLD_WEB}/input.jpg?attempt=${attemptId}`],
      quality: 'medium',
      aspect_ratio: '1:1',
      output_format: 'jpeg',
      output_compression: 92,
      number_of_images: 1,
      moderation: 'auto',
      user_id: 'a'.repeat(64),
    },
    webhook: `${OLD_WEB}/api/webhooks/provider/staging/${attemptId}`,
    webhook_events_filter: ['completed'],
  };
}

async function buy({ provider }: TestPlatform, order: { model: string }): Promise<string> {
  const { model, ...body } = order;
  const answer = await request(`${provider.baseUrl}/v1/models/${model}/predictions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${provider.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { id, ...rest } = (await answer.body.json()) as { id?: string };
  if (id === undefined) throw new Error(`not bought: ${answer.statusCode} ${JSON.stringify(rest)}`);
  return id;
}

async function rename({ pool }: TestPlatform, name: string, predictionId: string): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("set session_replication_role to 'replica'");
    for (const table of ['ai_provider_attempts', 'ai_description_jobs'])
      for (const column of ['providerPredictionId', 'strayPredictionId'])
        await client.query(`update ${table} set "${column}" = $2 where "${column}" = $1`, [
          name,
          predictionId,
        ]);
    await client.query(
      `update actor_transitions set event = jsonb_set(event, '{predictionId}', to_jsonb($2::text))
       where event->>'predictionId' = $1`,
      [name, predictionId],
    );
  } finally {
    client.release(true);
  }
}

/** Names and payloads of the entries are those of that release. */
const OPTIONS = { attempts: 1, removeOnComplete: true, removeOnFail: true } as const;
const WITH_ENTRY = /^(text )?(queued|succeeded|quarantined before its start)$/;
const WITH_LOST_ENTRY = /^(text )?(reserved|running)$/;

/**
 * Fills the queues as the old release left them: entries of waiting jobs, one that is not due, old ones of
 * finished jobs, entries taken by the ended worker, and the schedule of the deletions.
 */
export async function putOldEntries(platform: TestPlatform, jobs: readonly OldJob[]): Promise<void> {
  const connection = createBlockingRedis(platform.kvUrl, () => {});
  const named = (name: string) => `${name}${platform.queueSuffix}`;
  const open = (name: string) => new Queue(named(name), { connection });
  const queues = {
    ROOM_STAGING: { queue: open('ai-staging'), entry: 'stage-room' },
    DESCRIPTION: { queue: open('ai'), entry: 'describe-listing' },
  };
  const add = ({ id, type }: OldJob, delay = 0) =>
    queues[type].queue.add(queues[type].entry, { aiJobId: id }, { ...OPTIONS, jobId: id, delay });
  const [search, storage] = [open('search-indexing'), open('storage')];
  try {
    for (const job of jobs) if (WITH_LOST_ENTRY.test(job.name)) await add(job);
    for (const { queue } of Object.values(queues)) await takeAll(queue.name, connection);
    for (const job of jobs) {
      if (WITH_ENTRY.test(job.name)) await add(job);
      if (job.name === 'waiting for attempt 2') await add(job, 5_000);
    }
    const [listing] = await platform.rows<{ id: string }>('select id from properties limit 1');
    const propertyId = listing?.id ?? '';
    await search.add('rebuild-document', { propertyId }, { ...OPTIONS, jobId: propertyId });
    const drain = 'drain-deletion-outbox';
    await storage.upsertJobScheduler(drain, { every: 60_000 }, { name: drain, data: {}, opts: OPTIONS });
  } finally {
    for (const queue of [queues.ROOM_STAGING.queue, queues.DESCRIPTION.queue, search, storage])
      await queue.close();
    connection.disconnect();
  }
}

/** As a worker that has taken the entries and then ended: they are active, and their locks run out. */
async function takeAll(name: string, connection: ReturnType<typeof createBlockingRedis>): Promise<void> {
  const worker = new Worker(name, null, { connection, lockDuration: 1_000 });
  await worker.waitUntilReady();
  while ((await worker.getNextJob('ended', { block: false })) !== undefined);
  await worker.close(true);
}

/**
 * An npm script as an operator runs it.
 * @throws Error with what it printed when it does not end well.
 */
export async function npmRun(
  script: string,
  args: string[],
  variables: Record<string, string>,
): Promise<void> {
  const env = { ...process.env, ...variables };
  await promisify(execFile)('npm', ['run', script, '--', ...args], { env }).catch(({ stdout, stderr }) => {
    throw new Error(`npm run ${script}:\n${stdout}${stderr}`);
  });
}
