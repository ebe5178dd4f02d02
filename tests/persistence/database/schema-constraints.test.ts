import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { closeTestDatabases } from '../../support/database/legacy-database.ts';
import { insertRow } from '../../support/database/legacy-rows.ts';
import { type ListingRows, openRows } from '../../support/database/schema-rows.ts';

let { rows, propertyId, originalId } = {} as ListingRows;
beforeAll(async () => {
  rows = await openRows();
});
afterAll(closeTestDatabases);
beforeEach(async () => {
  ({ propertyId, originalId } = await rows.listing());
});

/** The write must violate exactly this constraint or index. */
const refused = (write: Promise<unknown>, constraint: string) =>
  expect(write).rejects.toMatchObject({ constraint });
const now = () => new Date();
const query = (sql: string, values: unknown[]) => rows.pool.query(sql, values);

describe('property_images', () => {
  test('a staged image is never the cover', async () => {
    const name = 'property_images_staged_cannot_be_main_check';
    await refused(rows.staged(propertyId, originalId, { isMain: true }), name);
    const staged = await rows.staged(propertyId, originalId);
    await refused(query('update property_images set "isMain" = true where id = $1', [staged]), name);
  });

  test('staged means reviewed, original means not', async () => {
    const name = 'property_images_review_status_check';
    await refused(rows.staged(propertyId, originalId, { reviewStatus: null }), name);
    await refused(rows.original(propertyId, { reviewStatus: 'APPROVED' }), name);
  });

  test('a photo shows a room or another subject of the list, and a staged image says only its room', async () => {
    const name = 'property_images_image_of_check';
    await refused(rows.original(propertyId, { roomType: 'KITCHEN', imageOf: 'Patio' }), name);
    for (const imageOf of ['Kitchen', 'Moon'])
      await refused(rows.original(propertyId, { roomType: null, imageOf }), name);
    await refused(rows.staged(propertyId, originalId, { roomType: null, imageOf: 'Patio' }), name);
    const photo = await rows.original(propertyId, { roomType: null, imageOf: 'Patio' });
    // As the release before does.
    await query(`update property_images set "roomType" = 'OFFICE' where id = $1`, [photo]);
    expect(await rows.one('property_images', photo)).toMatchObject({ roomType: 'OFFICE', imageOf: null });
    await refused(query(`update property_images set "imageOf" = 'Patio' where id = $1`, [photo]), name);
  });

  test('a staged image has an existing original', async () => {
    await refused(
      rows.original(propertyId, { styledFromId: originalId }),
      'property_images_staged_source_check',
    );
    await refused(rows.staged(propertyId, randomUUID()), 'property_images_styledFromId_fkey');
  });

  test('one live variant per original and style; another style, another original or a retry is allowed', async () => {
    const first = await rows.staged(propertyId, originalId);
    await refused(rows.staged(propertyId, originalId), 'property_images_live_staged_variant_uidx');
    await rows.staged(propertyId, originalId, { canonicalStyle: 'LUXURY' });
    await rows.staged(propertyId, await rows.original(propertyId));
    await query('delete from property_images where id = $1', [first]);
    await rows.staged(propertyId, originalId);
  });

  test('one live legacy variant per original and legacy style, no style included', async () => {
    for (const style of ['no-furniture', null]) {
      const legacy = { canonicalStyle: null, style };
      await rows.staged(propertyId, originalId, legacy);
      await refused(
        rows.staged(propertyId, originalId, legacy),
        'property_images_live_legacy_staged_variant_uidx',
      );
    }
  });

  test('one image per job, one row per file, one cover per listing', async () => {
    const aiJobId = randomUUID();
    await rows.staged(propertyId, originalId, { aiJobId, objectKey: 'one/file' });
    const luxury = { canonicalStyle: 'LUXURY' };
    await refused(
      rows.staged(propertyId, originalId, { ...luxury, aiJobId }),
      'property_images_aiJobId_uidx',
    );
    await refused(
      rows.staged(propertyId, originalId, { ...luxury, objectKey: 'one/file' }),
      'property_images_objectKey_key',
    );
    await rows.original(propertyId, { providerInputKey: 'one/copy', isMain: true });
    await refused(
      rows.original(propertyId, { providerInputKey: 'one/copy' }),
      'property_images_providerInputKey_key',
    );
    await refused(rows.original(propertyId, { isMain: true }), 'property_images_one_main_uidx');
  });
});

describe('ai_jobs', () => {
  const finals = ['SUCCESS', 'FAILED', 'CANCELED'];

  test.each(['PENDING', 'PROCESSING', 'RETRYING', 'CANCEL_REQUESTED'])(
    'one %s staging job per dedupe key',
    async (status) => {
      const phases: Record<string, string> = {
        PENDING: 'QUEUED',
        PROCESSING: 'ATTEMPT',
        RETRYING: 'BACKOFF',
      };
      const dedupeKey = randomUUID();
      const row = { status, phase: phases[status] ?? null, retryAt: now(), dedupeKey };
      for (const final of finals) await rows.job({ status: final, phase: null, dedupeKey });
      await rows.job(row);
      await refused(rows.job({ dedupeKey }), 'ai_jobs_active_staging_dedupe_uidx');
      await rows.job({ ...row, type: 'DESCRIPTION' });
      for (const final of finals) await rows.job({ status: final, phase: null, dedupeKey });
    },
  );

  test('every status has its phases and no other', async () => {
    const phases = [null, 'QUEUED', 'PROVIDER_DISABLED', 'ATTEMPT', 'BACKOFF'];
    const allowed: Record<string, (string | null)[]> = {
      PENDING: ['QUEUED', 'PROVIDER_DISABLED'],
      PROCESSING: ['ATTEMPT'],
      RETRYING: ['BACKOFF'],
      CANCEL_REQUESTED: [null],
      SUCCESS: [null],
      FAILED: [null],
      CANCELED: [null],
    };
    for (const [status, mine] of Object.entries(allowed)) {
      for (const phase of phases) {
        const write = rows.job({ status, phase, retryAt: now() });
        if (mine.includes(phase)) await write;
        else await refused(write, 'ai_jobs_status_phase_check');
      }
    }
  });

  test('RETRYING has a retry time', () =>
    refused(rows.job({ status: 'RETRYING', phase: 'BACKOFF' }), 'ai_jobs_retrying_has_due_time_check'));

  test.each(finals)('a job that is %s has no lease', async (status) => {
    const name = 'ai_jobs_final_has_no_lease_check';
    await refused(rows.job({ status, phase: null, leaseOwner: 'worker' }), name);
    await refused(rows.job({ status, phase: null, leaseExpiresAt: now() }), name);
    await rows.job({ status, phase: null, leaseEpoch: 3 });
  });

  test('a job outlives its listing', async () => {
    const id = await rows.job({ propertyId });
    await query('delete from properties where id = $1', [propertyId]);
    expect(await rows.one('ai_jobs', id)).toMatchObject({ propertyId: null });
  });
});

describe('ai_provider_attempts', () => {
  test('at most attempts 1 and 2, each once', async () => {
    const job = await rows.job();
    await rows.attempt(job);
    await rows.attempt(job, { attemptNumber: 2 });
    await refused(rows.attempt(job), 'ai_provider_attempts_aiJobId_attemptNumber_key');
    for (const attemptNumber of [0, 3])
      await refused(rows.attempt(job, { attemptNumber }), 'ai_provider_attempts_attemptNumber_check');
  });

  test('a prediction and a file each belong to one attempt', async () => {
    const taken = { providerPredictionId: 'p1', objectKey: 'staged/k1' };
    await rows.attempt(await rows.job(), taken);
    await refused(
      rows.attempt(await rows.job(), { providerPredictionId: 'p1' }),
      'ai_provider_attempts_providerPredictionId_key',
    );
    await refused(
      rows.attempt(await rows.job(), { objectKey: 'staged/k1' }),
      'ai_provider_attempts_objectKey_key',
    );
  });

  test.each(['RUNNING', 'CANCELING', 'COLLECTING', 'SUCCEEDED'])('%s has a prediction', async (status) => {
    const job = await rows.job();
    await refused(
      rows.attempt(job, { status, objectKey: randomUUID() }),
      'ai_provider_attempts_prediction_check',
    );
  });

  test.each(['COLLECTING', 'SUCCEEDED'])('%s has a file', async (status) => {
    const job = await rows.job();
    const attempt = { status, providerPredictionId: randomUUID() };
    const name = 'ai_provider_attempts_object_check';
    await refused(rows.attempt(job, attempt), name);
    const id = await rows.attempt(job, { ...attempt, objectKey: randomUUID() });
    await refused(
      rows.pool.query('update ai_provider_attempts set "objectKey" = null where id = $1', [id]),
      name,
    );
  });

  test.each(['COLLECTING', 'SUCCEEDED'])('%s of a text has no file', async (status) => {
    const job = await rows.job({ type: 'DESCRIPTION' });
    await rows.attempt(job, { status, providerPredictionId: randomUUID() });
  });

  test('UNCONFIRMED has a start time and a reason', async () => {
    const job = await rows.job();
    const name = 'ai_provider_attempts_unconfirmed_check';
    await refused(rows.attempt(job, { status: 'UNCONFIRMED', unconfirmedSince: now() }), name);
    await refused(rows.attempt(job, { status: 'UNCONFIRMED', unconfirmedCause: 'restart' }), name);
    await refused(
      rows.attempt(job, { unconfirmedCause: 'weather' }),
      'ai_provider_attempts_unconfirmedCause_check',
    );
  });
});

describe('the rest', () => {
  test('a webhook is received once', async () => {
    const receipt = { webhookId: 'w1', providerAttemptId: randomUUID(), outcome: 'APPLIED' };
    await insertRow(rows.pool, 'ai_provider_webhook_receipts', receipt);
    await refused(
      insertRow(rows.pool, 'ai_provider_webhook_receipts', receipt),
      'ai_provider_webhook_receipts_webhookId_key',
    );
  });

  test('an image is approved once and rejected once', async () => {
    const event = { imageId: randomUUID(), at: now() };
    const add = (kind: string) => insertRow(rows.pool, 'property_image_review_events', { ...event, kind });
    await add('APPROVED');
    await add('REJECTED');
    for (const kind of ['APPROVED', 'REJECTED'])
      await refused(add(kind), 'property_image_review_events_imageId_kind_key');
  });

  test('the journal has each number once, for known actor kinds only', async () => {
    const add = (kind: string, id: string) =>
      query(
        `insert into actor_transitions ("actorKind", "actorId", seq, "eventType", event, "toState", at, "actedBy")
         values ($1, $2, 1, 'E', '{}', 'S', now(), 'test')`,
        [kind, id],
      );
    const id = randomUUID();
    await add('stagingJob', id);
    await refused(add('stagingJob', id), 'actor_transitions_actorKind_actorId_seq_key');
    await refused(add('gardener', id), 'actor_transitions_actorKind_check');
  });

  test('users and listings accept only known enum values', async () => {
    await refused(rows.user({ role: 'admin' }), 'user_role_check');
    await refused(rows.user({ locale: 'de' }), 'user_locale_check');
    await refused(rows.property({ standardStatus: 'Sold' }), 'properties_standardStatus_check');
    await rows.user({ email: 'same@example.org' });
    await refused(rows.user({ email: 'same@example.org' }), 'user_email_key');
  });

  test('an account of a provider belongs to one user', async () => {
    const account = async () =>
      insertRow(rows.pool, 'account', { accountId: 'a', providerId: 'google', userId: await rows.user() });
    await account();
    await refused(account(), 'account_providerId_accountId_key');
  });
});
