import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PAUSE_SWITCH_ID } from '../../../persistence/actors/rows/pause-switch-row.ts';
import { CONSOLE_KINDS } from '../../../persistence/console/kinds.ts';
import { createTextScreen, shownFields } from '../../../src/console/shown-text.ts';
import {
  seedDeletion,
  seedOriginal,
  seedProperty,
  seedUser,
  seedVariant,
} from '../../support/database/seed.ts';
import { seedDescription } from '../../support/database/seed-description.ts';
import {
  basicOf,
  type ConsoleHost,
  CREDENTIALS,
  OPERATOR,
  openConsole,
} from '../../support/http/console-host.ts';
import { MANUAL_EPOCH } from '../../support/manual-time.ts';
import { JobDriver, openTestRuntime, ROUTES } from '../../support/worlds/job-driver.ts';
import { TourDriver, tourScene } from '../../support/worlds/tour-world.ts';

/**
 * No page of the console shows a person's address or text, a prompt, a URL or a secret, whatever people typed,
 * providers answered and stores reported.
 */
const MAIL = 'ada.lovelace@customers.example';
/** The operator's email address, whose name is shown without the domain. */
const SIGN_IN_NAME = 'grace@company.example';
const WORDS = 'please hide the safe behind the painting';
const SIGNED = 'https://bucket.s3.example/room.jpg?X-Amz-Signature=0123456789abcdef';
const TOKEN = 'r8_PlantedTokenOfTheProvider000000';
const PLANTED = `${MAIL} ${SIGNED} ${TOKEN}`;
const TRACES =
  /company\.example|ada\.lovelace|customers\.example|hide the safe|bucket\.s3|X-Amz|PlantedToken|Planted draft|correct-horse/i;

let host: ConsoleHost;
beforeAll(async () => {
  host = await openConsole({ ...CREDENTIALS, QUEUE_DASHBOARD_USER: SIGN_IN_NAME });
});
afterAll(() => host.close());

async function plant(): Promise<string[]> {
  const { pool } = host.database;
  const agent = await seedUser(pool, { name: WORDS, email: MAIL });
  const propertyId = await seedProperty(pool, { ownerAgentId: agent, address: WORDS, publicRemarks: WORDS });
  const original = await seedOriginal(pool, { propertyId });
  const variant = await seedVariant(pool, original, { providerInputs: { prompt: WORDS, url: SIGNED } });
  const runtime = openTestRuntime(host.database);
  const driver = await JobDriver.open(runtime, {
    original,
    job: { requestedByUserId: agent },
    details: { prompt: WORDS, legacyMetadata: { email: MAIL } },
  });
  await driver.play(ROUTES.RUNNING());
  await pool.query(
    `update ai_jobs set "quarantinedAt" = now(), "quarantineError" = $2, "leaseOwner" = null, "leaseExpiresAt" = null
     where id = $1`,
    [driver.jobId, PLANTED],
  );
  const attempt = await driver.attempt();
  const deletion = await seedDeletion(pool, {
    status: 'FAILED',
    lastError: PLANTED,
    errorClass: 'transient',
  });
  const description = await seedDescription(pool, { propertyId });
  await pool.query(
    `update ai_description_jobs set facts = $2, prompt = $3, text = 'Planted draft' where "aiJobId" = $1`,
    [description.jobId, JSON.stringify({ email: MAIL }), WORDS],
  );
  const tour = new TourDriver(runtime, await tourScene(host.database));
  await tour.request();
  const event = {
    type: 'X',
    at: MANUAL_EPOCH,
    reason: WORDS,
    note: WORDS,
    url: SIGNED,
    who: MAIL,
    token: TOKEN,
  };
  const told = { ...event, inner: { text: WORDS, link: SIGNED, list: [MAIL] } };
  const kinds = [
    ['stagingJob', driver.jobId],
    ['providerAttempt', attempt.id],
    ['imageReview', variant],
    ['deletionItem', deletion],
    ['descriptionJob', description.jobId],
    ['tour', tour.id],
    ['startGate', PAUSE_SWITCH_ID],
    ['searchDocument', propertyId],
  ] as const;
  for (const [kind, id] of kinds)
    await pool.query(
      `insert into actor_transitions ("actorKind", "actorId", seq, "eventType", event, "fromState", "toState", at, "actedBy", note)
       values ($1, $2, 900, 'X', $3, 'A', 'B', now(), $4, $5)`,
      [kind, id, JSON.stringify(told), `user:${MAIL}`, PLANTED],
    );
  await pool.query(`update start_gate set status = 'PAUSED'`);
  return kinds.map(([kind, id]) => `/console/actors/${kind}/${id}`);
}

test('no page contains the planted texts', async () => {
  const pages = [
    ...(await plant()),
    '/console',
    '/console/charts',
    '/console/actions',
    '/console/costs',
    '/console/ready',
    '/console/actions/invite-agent',
    '/console/actions/add-client',
    '/console/nothing',
    ...Object.keys(CONSOLE_KINDS).flatMap((kind) => [`/console/actors/${kind}`, `/console/charts/${kind}`]),
    `/console/actors/stagingJob/${randomUUID()}`,
  ];
  const authorization = basicOf({ ...OPERATOR, user: SIGN_IN_NAME });
  for (const path of pages) {
    const answer = await host.get(path, { headers: { authorization } });
    const page = await answer.text();
    expect([path, answer.status]).not.toEqual([path, 500]);
    expect(TRACES.exec(page)?.[0], path).toBeUndefined();
  }
  expect(host.lines.join('')).not.toMatch(TRACES);
});

test('removed text is marked', async () => {
  const screen = createTextScreen(host.parts.config);
  const fields = shownFields(
    {
      errorCode: 'X',
      nothing: null,
      reason: WORDS,
      code: 'NOT_SHOWN_CODE',
      note: 'LISTING_LEFT_MARKET',
      at2: MANUAL_EPOCH,
    },
    { screen, at: MANUAL_EPOCH },
  );
  expect(fields).toEqual([
    { name: 'errorCode', value: 'X' },
    { name: 'reason', value: `(${WORDS.length} characters, not shown)` },
    { name: 'code', value: 'NOT_SHOWN_CODE' },
    { name: 'note', value: 'LISTING_LEFT_MARKET' },
    { name: 'at2', value: '12:00:00' },
  ]);
  expect(screen(`asked ${MAIL} about ${SIGNED}`)).toBe('asked [e-mail] about [address]');
  expect(screen('data:image/png;base64,AAAA')).toBe('[data]');
  expect(screen('x'.repeat(1_000))).toHaveLength(302);
});
