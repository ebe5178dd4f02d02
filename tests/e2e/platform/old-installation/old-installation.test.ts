import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ledgerOf, releaseHeld } from '../../../../ops/simulator/control-client.ts';
import { createDatabase, type TestDatabase } from '../../../support/database/database.ts';
import { eventually } from '../../../support/eventually.ts';
import { sessionCookie } from '../../../support/http/api-host.ts';
import { createPerson, type Person } from '../../../support/http/person.ts';
import { startTestPlatform, type TestPlatform } from '../../../support/platform/platform.ts';
import { sharedStack } from '../../../support/platform/stack.ts';
import { STEADY } from '../../../support/platform/staging-world.ts';
import {
  buyAsBefore,
  loadOldRows,
  npmRun,
  type OldJob,
  putOldEntries,
  putOldObjects,
} from './old-installation.ts';

/**
 * Migrates an installation of the release at commit 034b3d4, with jobs and texts in every state and entries
 * in the queues, and runs it with today's web and worker. `old-installation/record.mjs` made the dump.
 */

/** The end of each open job or text by its old state; the others do not change. */
const ENDS: Record<string, string> = {
  'quarantined before its start': 'PENDING QUEUED',
  'sent, not taken': 'PROCESSING UNCONFIRMED',
  'sent, to be canceled': 'CANCELED',
  'unconfirmed after a restart, not taken': 'FAILED PREDICTION_UNCONFIRMED',
  'unconfirmed, to be canceled': 'CANCELED',
  'running, its original deleted': 'CANCELED',
  canceling: 'CANCELED',
  'canceled while waiting for attempt 2': 'CANCELED PROVIDER_FAILED',
  'text quarantined before its start': 'PENDING',
  'text sent, not taken': 'PROCESSING',
  'text unconfirmed, not taken': 'FAILED PREDICTION_UNCONFIRMED',
};
const OVER: Record<string, string> = {
  'failed, refused for good': 'FAILED PROVIDER_BILLING',
  'failed twice': 'FAILED PROVIDER_FAILED',
  'failed, lost': 'FAILED PREDICTION_UNCONFIRMED',
  'failed, its runners crashed': 'FAILED RUNNER_CRASHED',
  'text failed, refused for good': 'FAILED PROVIDER_BILLING',
  'text failed at the provider': 'FAILED PROVIDER_FAILED',
  'text failed, of bad words': 'FAILED DESCRIPTION_REJECTED',
  'text failed, lost': 'FAILED PREDICTION_UNCONFIRMED',
  'text failed, lost and found later': 'FAILED PREDICTION_UNCONFIRMED',
  'text failed, its runners crashed': 'FAILED RUNNER_CRASHED',
};
const isOver = ({ name }: OldJob) => /^(text )?(succeeded|failed|canceled (before|at)|canceled, )/.test(name);
const expectedEnd = (job: OldJob): string => {
  const ended = /^(text )?canceled (before|at)|^(text )?canceled, /.test(job.name) ? 'CANCELED' : 'SUCCESS';
  return ENDS[job.name] ?? OVER[job.name] ?? ended;
};

let database: TestDatabase;
let platform: TestPlatform;
let jobs: OldJob[];
let before: Map<string, number>;
let finished: unknown;
let agent: Person;
beforeAll(async () => {
  database = await createDatabase({ migrated: false });
  platform = await startTestPlatform({ webs: 0, workers: 0, databaseUrl: database.url });
  jobs = await loadOldRows(database.url);
  await putOldObjects(platform);
  await buyAsBefore(platform, jobs);
  await putOldEntries(platform, jobs);
  before = await bought();
  finished = await rowsOfFinished();
  await npmRun('migrate', [], { DATABASE_URL: database.url });
  const roles = [await platform.startWeb(), await platform.startWorker(STEADY)];
  await Promise.all(roles.map(({ ready }) => ready));
  agent = await ada();
  await releaseHeld(platform.provider.baseUrl);
});
afterAll(async () => {
  await platform.stop();
  await database.drop();
});

async function ada(): Promise<Person> {
  const [user] = await platform.rows<{ id: string }>(`select id from "user" where name = 'Ada Agent'`);
  const id = user?.id ?? '';
  const cookie = await sessionCookie(platform.pool, id, sharedStack().secrets.authSecret);
  // Over plain http the cookie has no `__Host-` prefix, which browsers accept only on https.
  return createPerson(platform.urls[0] ?? '', { id, cookie: cookie.replace('__Host-', '') });
}

/** Accepted purchases of each attempt, and of each text. */
async function bought(): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const entry of await ledgerOf(platform.provider.baseUrl)) {
    if (entry.kind !== 'create' || !entry.accepted) continue;
    const prompt = String(entry.prediction?.input.prompt);
    const text = jobs.find(({ id, type }) => type === 'DESCRIPTION' && prompt.includes(id));
    const key = text?.id ?? entry.attemptId ?? '';
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** The fields of finished jobs that an agent can see. */
const rowsOfFinished = () =>
  platform.rows(
    `select id, status, "errorCode", "startedAt", "finishedAt", "canceledAt",
       (select "resultImageId" from ai_room_staging_jobs where "aiJobId" = id) as result
     from ai_jobs where id = any($1) order by id`,
    [jobs.filter(isOver).map(({ id }) => id)],
  );

async function shown({ id, type }: OldJob): Promise<string> {
  const procedure = type === 'DESCRIPTION' ? 'ai.getDescriptionJob' : 'ai.getStagingJob';
  const { status, data, text } = await agent.query(procedure, { aiJobId: id });
  if (status !== 200) throw new Error(`${procedure} answered ${status}: ${text}`);
  const phase = data.status === 'PROCESSING' ? data.attempts?.at(-1).status : data.phase;
  return [data.status, phase, data.errorCode].filter((word) => word).join(' ');
}

describe('an installation of 034b3d4 is migrated and goes on', () => {
  test('every job and text ends, or waits as before', async () => {
    const wanted = Object.fromEntries(jobs.map((job) => [job.name, expectedEnd(job)]));
    await eventually(
      async () => {
        const seen: Record<string, string> = {};
        for (const job of jobs) seen[job.name] = await shown(job);
        expect(seen).toEqual(wanted);
        return true;
      },
      { what: 'the ends of all jobs', timeoutMs: 100_000, intervalMs: 500 },
    );
  });

  test('finished jobs and texts are unchanged', async () => {
    expect(await rowsOfFinished()).toEqual(finished);
    const done = jobs.find(({ name }) => name === 'text succeeded');
    const { data } = await agent.query('ai.getDescriptionJob', { aiJobId: done?.id });
    expect(data.text).toBe('A house with a garden.');
  });

  test('nothing is bought a second time', async () => {
    for (const [key, count] of await bought()) expect([key, count]).toEqual([key, before.get(key) ?? 1]);
  });

  test('no invariant is broken', () =>
    npmRun('invariants', ['--always-only'], { DATABASE_URL: database.url }));
});
