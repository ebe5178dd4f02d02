/**
 * Writes `installation.sql` beside it: an installation as the release of commit 034b3d4 left it when all of its
 * processes ended at one moment, with jobs and texts in every state. That release itself wrote the rows: this program
 * tells its machines through its stores what workers, provider and agents would have told them.
 *
 *     git worktree add --detach /tmp/034b3d4 034b3d4 && ln -s "$PWD/node_modules" /tmp/034b3d4/node_modules
 *     node_modules/.bin/node tests/e2e/platform/old-installation/record.mjs /tmp/034b3d4 postgres://user:password@host/empty-database
 *
 * It needs `pg_dump` of the server's version (15 or newer) in the path. The address of a listing is the name of its
 * scene; a prediction is named after its scene, and the test puts the id of a real one in its place. Names and paths in
 * this file are those of that release, so no types of today apply to it.
 */
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const [checkout = '', url = ''] = process.argv.slice(2);
const release = (path) => import(pathToFileURL(resolve(checkout, path)).href);
const { migrate } = await release('persistence/migrator.ts');
const { openDatabase } = await release('persistence/database.ts');
const { createPostgresActorStore } = await release('persistence/postgres-actor-store.ts');
const { createPostgresLeases } = await release('persistence/postgres-leases.ts');
const { createDescriptionStore } = await release('persistence/postgres-description-store.ts');
const { createActorSystem } = await release('supervisors/deliver.ts');
const { createDescriptionService } = await release('supervisors/descriptions/fault-controller.ts');
const { deleteOriginal } = await release('supervisors/original-deletion.ts');
const seeds = await release('tests/persistence/seed.ts');
const { renderDescriptionPrompt } = await release('src/descriptions/prompt.ts');
const { seedDescription, FACTS } = await release('tests/persistence/seed-description.ts');

const job = (type, fields = {}) => ({ to: 'job', event: { type, ...fields } });
const attempt = (type, fields = {}) => ({ to: 'attempt', event: { type, ...fields } });
const jitter = 0;
const start = (enabled = true) =>
  job('WORKER_STARTED', { enabled, attemptId: randomUUID(), queueAttempt: 1, queueWaitMs: 5 });
const started = start();
const notStarted = start(false);
const claimed = { type: 'SEND_CLAIMED', token: 'token' };
const refused = (errorCode) => ({ type: 'SEND_REFUSED', errorCode, retryAfterMs: null, jitter });
const created = { type: 'PREDICTION_CREATED', predictionId: 'prediction', providerStatus: 'starting' };
const another = { ...created, type: 'PREDICTION_FOUND', predictionId: 'another-prediction' };
const cancel = job('CANCEL_ASKED');
const crash = job('RUNNER_CRASHED', { progressMark: 1 });

const send = [attempt(claimed.type, claimed)];
const buy = [...send, attempt(created.type, created)];
const succeed = attempt('PREDICTION_SUCCEEDED', {
  providerStatus: 'succeeded',
  objectKey: 'staged/output.jpg',
});
const fail = attempt('PREDICTION_FAILED', { errorCode: 'PROVIDER_FAILED', providerStatus: 'failed', jitter });
const output = { bytes: 1000, width: 1024, height: 1024, format: 'jpeg', checksum: 'ab'.repeat(32) };
const store = attempt('OUTPUT_STORED', { jitter, imageId: 'image', output });
const unknown = attempt('SEND_UNKNOWN');
const restart = attempt('RUNNER_RESTARTED');
const failOnce = [started, ...buy, fail];
const retry = [...failOnce, job('RETRY_DUE', { enabled: true, attemptId: randomUUID() })];
const result = [started, ...buy, succeed, store];

/** `ago`: minutes before the end of the installation. */
const PICTURES = {
  queued: { told: [] },
  'switched off': { told: [notStarted] },
  'quarantined before its start': { told: [], isQuarantined: true },
  reserved: { told: [started] },
  'reserved, unreachable once': {
    told: [started, ...send, attempt('SEND_REFUSED', refused('PROVIDER_UNREACHABLE'))],
  },
  'reserved, its runners crashed': { told: [started, crash, crash] },
  'sent, taken': { told: [started, ...send] },
  'sent, not taken': { told: [started, ...send], ago: 20 },
  'sent, to be canceled': { told: [started, ...send, cancel] },
  'unconfirmed, taken': { told: [started, ...send, unknown] },
  'unconfirmed after a restart, taken': { told: [started, ...send, restart] },
  'unconfirmed, not taken': { told: [started, ...send, unknown], ago: 20 },
  'unconfirmed after a restart, not taken': { told: [started, ...send, restart], ago: 20 },
  'unconfirmed, to be canceled': { told: [started, ...send, unknown, cancel] },
  running: { told: [started, ...buy] },
  'running, with a stray': { told: [started, ...buy, attempt(another.type, another)] },
  'running, its original deleted': { told: [started, ...buy, { to: 'original', event: { type: '' } }] },
  canceling: { told: [started, ...buy, cancel] },
  collecting: { told: [started, ...buy, succeed] },
  'collecting, download failed': { told: [started, ...buy, succeed, attempt('DOWNLOAD_FAILED', { jitter })] },
  'waiting for attempt 2': { told: failOnce },
  'canceled while waiting for attempt 2': { told: [...failOnce, cancel] },
  'attempt 2 reserved': { told: retry, ago: 2 },
  'attempt 2 sent, taken': { told: [...retry, ...send], ago: 2 },
  'attempt 2 running': { told: [...retry, ...buy], ago: 2 },
  'attempt 2 collecting': { told: [...retry, ...buy, succeed], ago: 2 },
  succeeded: { told: result },
  'succeeded, approved': { told: [...result, { to: 'image', event: { type: 'APPROVE' } }] },
  'succeeded, rejected': { told: [...result, { to: 'image', event: { type: 'REJECT', reason: 'dark' } }] },
  'succeeded with attempt 2': { told: [...retry, ...buy, succeed, store], ago: 2 },
  'failed, refused for good': {
    told: [started, ...send, attempt('SEND_REFUSED', refused('PROVIDER_BILLING'))],
  },
  'failed twice': { told: [...retry, ...buy, fail], ago: 2 },
  'failed, lost': { told: [started, ...send, restart, attempt('WINDOW_PASSED', { jitter })], ago: 20 },
  'failed, its runners crashed': { told: [started, ...buy, crash, crash, crash, crash, crash] },
  'canceled before its start': { told: [cancel] },
  'canceled at the provider': {
    told: [started, ...buy, cancel, attempt('PREDICTION_CANCELED', { providerStatus: 'canceled' })],
  },
  'canceled, output discarded': { told: [started, ...buy, succeed, cancel] },
};

const text = (value) => job('PREDICTION_SUCCEEDED', { providerStatus: 'succeeded', text: value });
const claim = job(claimed.type, claimed);
const begun = job('WORKER_STARTED', { enabled: true, queueAttempt: 1, queueWaitMs: 5 });
const bought = [begun, claim, job(created.type, created)];
const textCrash = job('RUNNER_CRASHED');
const textFails = job('PREDICTION_FAILED', { errorCode: 'PROVIDER_FAILED', providerStatus: 'failed' });
const TEXTS = {
  'text queued': { told: [] },
  'text switched off': { told: [{ ...begun, event: { ...begun.event, enabled: false } }] },
  'text quarantined before its start': { told: [], isQuarantined: true },
  'text reserved': { told: [begun] },
  'text reserved, unreachable once': {
    told: [begun, claim, job('SEND_REFUSED', refused('PROVIDER_UNREACHABLE'))],
  },
  'text reserved, its runners crashed': { told: [begun, textCrash, textCrash] },
  'text sent, taken': { told: [begun, claim] },
  'text sent, not taken': { told: [begun, claim], ago: 20 },
  'text unconfirmed, taken': { told: [begun, claim, job('SEND_UNKNOWN')] },
  'text unconfirmed after a restart, taken': { told: [begun, claim, job('RUNNER_RESTARTED')] },
  'text unconfirmed, not taken': { told: [begun, claim, job('SEND_UNKNOWN')], ago: 20 },
  'text running': { told: bought },
  'text running, with a stray': { told: [...bought, job(another.type, another)] },
  'text succeeded': { told: [...bought, text('A house with a garden.')] },
  'text succeeded, with a stray': { told: [...bought, text('A house.'), job(another.type, another)] },
  'text failed, refused for good': { told: [begun, claim, job('SEND_REFUSED', refused('PROVIDER_BILLING'))] },
  'text failed at the provider': { told: [...bought, textFails] },
  'text failed, of bad words': {
    told: [
      ...bought,
      job('TEXT_REFUSED', { providerStatus: 'succeeded', errorCode: 'DESCRIPTION_REJECTED' }),
    ],
  },
  'text failed, lost': { told: [begun, claim, job('SEND_UNKNOWN'), job('WINDOW_PASSED')], ago: 20 },
  'text failed, lost and found later': {
    told: [begun, claim, job('SEND_UNKNOWN'), job('WINDOW_PASSED'), job('PREDICTION_FOUND', { ...created })],
    ago: 20,
  },
  'text failed, its runners crashed': {
    told: [...bought, textCrash, textCrash, textCrash, textCrash, textCrash],
  },
  'text canceled before its start': { told: [cancel] },
  'text canceled, its listing gone': { told: [...bought, job('LISTING_GONE')] },
};

const OWNER = 'worker-of-034b3d4';
const MINUTE = 60_000;
const stopsAt = Date.now();
await migrate(url);
const database = await openDatabase({ url });
const { pool } = database;
const quiet = {
  queue: {
    enqueue: async () => {},
    remove: async () => {},
    missing: async () => [],
    pauseStarts: async () => {},
  },
  nudges: { publish() {} },
  reporter: { report() {}, alert() {}, transition() {}, count() {}, problem() {} },
  timers: { sleep: async () => {} },
  chance: { jitter: () => 0 },
};
const mailroom = createActorSystem({ ...quiet, store: createPostgresActorStore(pool) });
const desk = createDescriptionService({ ...quiet, descriptions: createDescriptionStore(pool) });
const agent = await seeds.seedUser(pool, { name: 'Ada Agent', email: 'ada@example.com' });

/** Ids of the catalogue above as ids of this scene. */
function own(event, scene) {
  const slug = `${scene.name.replaceAll(/\W+/g, '-')}-${scene.number}`;
  const given = { ...event, at: scene.at };
  if ('predictionId' in event) given.predictionId = `${event.predictionId}-of-${slug}`;
  if ('objectKey' in event) given.objectKey = `staged/${slug}.jpg`;
  if ('attemptId' in event) given.attemptId = randomUUID();
  if (event.type === 'OUTPUT_STORED') given.imageId = scene.imageId;
  if (event.type === 'APPROVE' || event.type === 'REJECT') given.byUserId = agent;
  return given;
}

async function apply(name, event, answer) {
  const { outcome } = await answer;
  if (outcome !== 'applied') throw new Error(`${name}: ${event.type} was ${outcome}`);
}

/** A second between two events; attempt 2 begins when its wait is over. */
function* instants({ told, ago = 1 }) {
  let at = stopsAt - ago * MINUTE;
  for (const one of told) {
    at += one.event.type === 'RETRY_DUE' ? 40_000 : 1_000;
    yield { told: one, at };
  }
}

async function setAside(jobId) {
  const error = 'its row was not understood';
  await pool.query('update ai_jobs set "quarantinedAt" = $2, "quarantineError" = $3 where id = $1', [
    jobId,
    new Date(stopsAt - MINUTE),
    error,
  ]);
}

const lease = (jobId, ago = 1) => ({
  jobId,
  owner: OWNER,
  at: stopsAt - ago * MINUTE,
  ttlMs: ago * MINUTE,
});
const createdAt = ({ ago = 1 }) => stopsAt - (ago + 1) * MINUTE;

for (const [name, scene] of Object.entries(PICTURES)) {
  const propertyId = await seeds.seedProperty(pool, { ownerAgentId: agent, address: name });
  const original = await seeds.seedOriginal(pool, { propertyId });
  const seeded = await seeds.seedStagingJob(pool, {
    original,
    createdAt: createdAt(scene),
    job: { requestedByUserId: agent },
  });
  const { jobId } = seeded;
  const imageId = randomUUID();
  const leases = createPostgresActorStore(pool);
  const held = scene.told.length > 0 ? await leases.acquireLease(lease(jobId, scene.ago)) : null;
  const origin = { by: `worker:${OWNER}`, ...(held ? { lease: held.lease } : {}) };
  for (const { told, at } of instants(scene)) {
    const attempts = await pool.query(
      'select id, "attemptNumber" from ai_provider_attempts where "aiJobId" = $1 order by 2 desc limit 1',
      [jobId],
    );
    const { id: attemptId = '', attemptNumber: number = 1 } = attempts.rows[0] ?? {};
    const event = own(told.event, { name, number, imageId, at });
    if (told.to === 'original') {
      await deleteOriginal(mailroom, { imageId: original.imageId, at, by: `user:${agent}` });
      continue;
    }
    const message = {
      job: { to: 'stagingJob', id: jobId, event },
      attempt: { to: 'providerAttempt', id: attemptId, event },
      image: { to: 'imageReview', id: imageId, event },
    }[told.to];
    const isAgents = told.to === 'image' || event.type === 'CANCEL_ASKED';
    await apply(name, event, mailroom.deliver(message, isAgents ? { by: `user:${agent}` } : origin));
  }
  if (scene.isQuarantined) await setAside(jobId);
}

for (const [name, scene] of Object.entries(TEXTS)) {
  const propertyId = await seeds.seedProperty(pool, { ownerAgentId: agent, address: name });
  const { jobId } = await seedDescription(pool, { propertyId, createdAt: createdAt(scene) });
  await pool.query('update ai_jobs set "requestedByUserId" = $2 where id = $1', [jobId, agent]);
  const { prompt } = renderDescriptionPrompt({ jobId, facts: FACTS, locale: 'en' });
  await pool.query('update ai_description_jobs set prompt = $2 where "aiJobId" = $1', [jobId, prompt]);
  const leases = createPostgresLeases(pool, 'DESCRIPTION');
  const held = scene.told.length > 0 ? await leases.acquireLease(lease(jobId, scene.ago)) : null;
  const origin = { by: `worker:${OWNER}`, ...(held ? { lease: held.lease } : {}) };
  for (const { told, at } of instants(scene)) {
    const event = own(told.event, { name, number: 1, imageId: '', at });
    const isAgents = event.type === 'CANCEL_ASKED';
    await apply(name, event, desk.deliver(jobId, event, isAgents ? { by: `user:${agent}` } : origin));
  }
  if (scene.isQuarantined) await setAside(jobId);
}
await database.close();

const dump = execFileSync('pg_dump', ['--inserts', '--no-owner', '--no-privileges', '--no-comments', url], {
  encoding: 'utf8',
});
// What newer releases of pg_dump write for psql alone, and what no table needs.
const plain = dump
  .replaceAll(/^\\.*\n/gm, '')
  .replaceAll(/^--.*\n/gm, '')
  .replaceAll(/\n{2,}/g, '\n');
const file = join(fileURLToPath(new URL('.', import.meta.url)), 'installation.sql');
writeFileSync(file, `-- Written by record.mjs; never by hand.\n${plain}`);
