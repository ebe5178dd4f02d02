import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PAUSE_SWITCH_ID } from '../../../persistence/actors/rows/pause-switch-row.ts';
import { LINES_A_PAGE } from '../../../src/console/actors/list-filter.ts';
import {
  seedDeletion,
  seedOriginal,
  seedStagingJob,
  seedUser,
  seedVariant,
} from '../../support/database/seed.ts';
import { seedReport } from '../../support/database/seed-report.ts';
import { type ConsoleHost, CREDENTIALS, openConsole, wordsOf } from '../../support/http/console-host.ts';
import { createTcpGate } from '../../support/http/tcp-gate.ts';
import { MANUAL_EPOCH } from '../../support/manual-time.ts';
import { JobDriver, openTestRuntime, ROUTES, type TestRuntime } from '../../support/worlds/job-driver.ts';

/** The pages over real rows, as an operator without scripts sees them. */
let host: ConsoleHost;
let runtime: TestRuntime;
beforeAll(async () => {
  host = await openConsole();
  runtime = openTestRuntime(host.database);
});
afterAll(() => host.close());

test('pages come also while the worker uses all its connections', async () => {
  const { pool } = host.parts.database;
  const taken = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
  try {
    expect((await host.get('/console')).status).toBe(200);
    expect((await host.get('/console/costs')).status).toBe(200);
  } finally {
    for (const client of taken) client.release();
  }
});

test('the overview says when the database login can change tables', async () => {
  const said = async () =>
    /login of this process can change tables/.test(wordsOf(await host.text('/console')));
  expect(await said()).toBe(false);
  const { pool } = host.database;
  await pool.query('grant trigger on favorites to proscenium_roles');
  expect(await said()).toBe(true);
  await pool.query('revoke trigger on favorites from proscenium_roles');
});

describe('an actor', () => {
  test('shows the reason for waiting first, then its life, its purchases, and the possible operations', async () => {
    const driver = await JobDriver.open(runtime);
    await driver.play(ROUTES['RETRYING.BACKOFF']());
    const [attempt] = (await driver.aggregate()).attempts;
    const page = await host.text(`/console/actors/stagingJob/${driver.jobId}`);
    const words = wordsOf(page);
    expect(words).toMatch(
      /RETRYING\.BACKOFF \S+ Backs off until 12:00:34 \(in 34 s\), then tries once more\./,
    );
    expect(words).toContain('Error PROVIDER_FAILED retryable');
    expect(words).toContain('Lease node-a');
    expect(words).toMatch(/ATTEMPT_FAILED PROCESSING\.ATTEMPT → RETRYING\.BACKOFF worker:node-a · epoch 1/);
    expect(page).toContain(`href="/console/actors/providerAttempt/${attempt?.id}"`);
    expect(words).toMatch(/SEND_CLAIMED RESERVED → SENT/);
    expect(page).toContain(`href="/console/actions/cancel-job?id=${driver.jobId}"`);
    expect(page).not.toContain('/console/actions/retry-deletion');
    expect(words).toMatch(/Events accepted now .* RETRY_DUE retryIsDue PROCESSING\.ATTEMPT/);
  });

  test('can be stepped through by links alone, each step with its state, change and accepted events', async () => {
    const driver = await JobDriver.open(runtime);
    await driver.play(ROUTES['RETRYING.BACKOFF']());
    const address = `/console/actors/stagingJob/${driver.jobId}`;
    const born = await host.text(`${address}?step=0`);
    expect(wordsOf(born)).toContain('Born as PENDING.QUEUED');
    expect(born).toMatch(/<g class="state visited present">\s*<title>PENDING\.QUEUED:/);
    expect(wordsOf(born)).toMatch(/Events accepted at step 0 .* WORKER_STARTED enabled PROCESSING\.ATTEMPT/);
    const begun = await host.text(`${address}?step=1`);
    expect(wordsOf(begun)).toMatch(/attemptCount 0 → 1/);
    expect(begun).toMatch(
      /<tr class="present" aria-current="step">\s*<th scope="row" class="number"><a href="[^"]*\?step=1">1</,
    );
    const last = await host.text(`${address}?step=2`);
    expect(wordsOf(last)).toMatch(/retryAt – → 12:00:34/);
    for (const [page, url] of [
      [begun, `${address}?step=1`],
      [last, address],
    ] as const)
      expect(page).toContain(`id="actor" class="live" hx-get="${url}"`);
    expect(wordsOf(await host.text(`${address}?step=99`))).toContain('Step 2 of 2');
  });

  test('that was bought shows its estimate only where prices are set', async () => {
    const priced = await openConsole({ ...CREDENTIALS, AI_STAGING_COST_MICROUSD_MEDIUM: '47000' });
    try {
      const shown = async (console: ConsoleHost) => {
        const driver = await JobDriver.open(openTestRuntime(console.database));
        await driver.play(ROUTES['RETRYING.BACKOFF']());
        const [attempt] = (await driver.aggregate()).attempts;
        const noted =
          'update ai_provider_attempts set "costMicrousd" = 47000, "costKind" = \'estimate\' where id = $1';
        await console.database.pool.query(noted, [attempt?.id]);
        return wordsOf(await console.text(`/console/actors/providerAttempt/${attempt?.id}`));
      };
      expect(await shown(priced)).toContain('Estimated cost $0.047');
      expect(await shown(host)).not.toMatch(/Estimated cost|\$/);
    } finally {
      await priced.close();
    }
  });

  test('that is a report shows its listing and its answer, and not what the customer wrote', async () => {
    const { pool } = host.database;
    const original = await seedOriginal(pool);
    const imageId = await seedVariant(pool, original, { reviewStatus: 'APPROVED' });
    const reportId = randomUUID();
    const { propertyId } = original;
    await seedReport(pool, { reportId, imageId, propertyId, customerId: await seedUser(pool) });
    await pool.query('update mismatch_reports set note = $2 where id = $1', [
      reportId,
      'It is under the mat.',
    ]);
    const page = await host.text(`/console/actors/mismatchReport/${reportId}`);
    const words = wordsOf(page);
    expect(words).toContain('Mismatch report');
    expect(words).toMatch(/OPEN .*Events accepted now .*REPORT_ACKNOWLEDGED .*ACKNOWLEDGED/);
    expect(page).toContain(propertyId);
    expect(page).not.toContain('under the mat');
    expect(await host.text(`/console/actors/mismatchReport?property=${propertyId}`)).toContain(reportId);
  });

  test('that is over does not refresh', async () => {
    const driver = await JobDriver.open(runtime);
    await driver.sendToJob({ type: 'CANCEL_ASKED' });
    const page = await host.text(`/console/actors/stagingJob/${driver.jobId}`);
    expect(wordsOf(page)).toContain('It is over: nothing is waited for.');
    expect(page).toContain('<div id="actor" class="live">');
    expect(page).not.toContain('cancel-job');
  });

  test('without a row is shown from its journal', async () => {
    const id = randomUUID();
    await host.database.pool.query(
      `insert into actor_transitions ("actorKind", "actorId", seq, "eventType", event, "fromState", "toState", at, "actedBy")
       values ('imageReview', $1, 1, 'REJECT', $2, 'PENDING_REVIEW', 'REMOVED', now(), 'user:x')`,
      [id, JSON.stringify({ type: 'REJECT', at: MANUAL_EPOCH, byUserId: randomUUID(), reason: null })],
    );
    const page = await host.text(`/console/actors/imageReview/${id}`);
    expect(wordsOf(page)).toContain('Its row is gone; this is what its journal tells.');
    const found = await host.get(`/console/actors/search?q=${id}`);
    expect(found.headers.get('location')).toBe(`/console/actors/imageReview/${id}`);
  });

  test('of each kind has a page, the single pause switch included', async () => {
    const deletion = await seedDeletion(host.database.pool, {
      nextAttemptAt: new Date(MANUAL_EPOCH + 60_000),
    });
    expect(wordsOf(await host.text(`/console/actors/deletionItem/${deletion}`))).toContain(
      'Backs off until 12:01:00 (in 1 min).',
    );
    expect((await host.get('/console/actors/startGate')).headers.get('location')).toBe(
      `/console/actors/startGate/${PAUSE_SWITCH_ID}`,
    );
    const gate = await host.text(`/console/actors/startGate/${PAUSE_SWITCH_ID}`);
    expect(gate).toContain('/console/actions/pause-starting');
  });

  test('with a long journal is shown in pages', async () => {
    const id = await seedDeletion(host.database.pool);
    await host.database.pool.query(
      `insert into actor_transitions ("actorKind", "actorId", seq, "eventType", event, "fromState", "toState", at, "actedBy")
       select 'deletionItem', $1, n, case when n % 2 = 1 then 'CLAIMED' else 'CLAIM_EXPIRED' end,
         case when n % 2 = 1 then jsonb_build_object('type', 'CLAIMED', 'at', $2::bigint + n * 1000, 'by', 'a')
           else jsonb_build_object('type', 'CLAIM_EXPIRED', 'at', $2::bigint + n * 1000) end,
         case when n % 2 = 1 then 'PENDING' else 'PROCESSING' end,
         case when n % 2 = 1 then 'PROCESSING' else 'PENDING' end, to_timestamp(($2::bigint + n * 1000) / 1000.0), 'worker:a'
       from generate_series(1, 120) n`,
      [id, MANUAL_EPOCH],
    );
    const address = `/console/actors/deletionItem/${id}`;
    const last = await host.text(address);
    expect(wordsOf(last)).toContain('101 to 120 of 120');
    expect(last).toContain(`href="${address}?step=100">Earlier</a>`);
    const before = await host.text(`${address}?step=100`);
    expect(wordsOf(before)).toContain('51 to 100 of 120');
    expect(wordsOf(before)).toMatch(/100 2026-01-15 12:01:40 1 s CLAIM_EXPIRED PROCESSING → PENDING/);
  });
});

describe('lists of actors', () => {
  test('show the selected filters and a link to older rows', async () => {
    for (let n = 0; n < LINES_A_PAGE + 5; n += 1)
      await seedDeletion(host.database.pool, {
        createdAt: new Date(MANUAL_EPOCH - 7_200_000 - n * 1_000),
        claimedBy: 'w1',
      });
    const first = await host.text('/console/actors/deletionItem?state=PENDING&older=1h');
    expect(first).toMatch(/<option value="PENDING" selected>/);
    expect(first).toMatch(/<option value="1h" selected>/);
    const next = /rel="next" href="([^"]+)"/.exec(first)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect(next).toMatch(/^\/console\/actors\/deletionItem\?state=PENDING&older=1h&after=/);
    expect(first.match(/<tr><th scope="row">|<tr>\s*<th scope="row">/g)).toHaveLength(LINES_A_PAGE);
    const second = await host.text(next);
    expect(second).toContain('>Newest</a>');
    expect(second).toContain('<div id="list" class="live">');
    expect(second).not.toContain('rel="next"');
  });

  test('ignore unknown filters', async () => {
    const odd = await host.get(
      `/console/actors/stagingJob?state=${encodeURIComponent("x' or 1=1")}&property=1&worker=a b&older=ever&after=x&failed=no`,
    );
    expect(odd.status).toBe(200);
    expect(await odd.text()).not.toContain('1=1');
  });
});

describe('the search', () => {
  test('redirects to a single result, lists several, and gives advice when there is none', async () => {
    const { jobId, imageId, propertyId } = await seedStagingJob(host.database.pool);
    const search = (text: string) => host.get(`/console/actors/search?q=${encodeURIComponent(text)}`);
    expect((await search(` ${jobId.toUpperCase()} `)).headers.get('location')).toBe(
      `/console/actors/stagingJob/${jobId}`,
    );
    expect((await search(propertyId)).headers.get('location')).toBe(`/console/listings/${propertyId}`);
    const original = await search(imageId);
    expect([
      original.status,
      (await original.text()).includes(`href="/console/actors/stagingJob/${jobId}"`),
    ]).toEqual([200, true]);
    const nothing = await search('no-such-prediction');
    expect([nothing.status, wordsOf(await nothing.text())]).toEqual([
      404,
      expect.stringContaining('Nothing bears the id no-such-prediction'),
    ]);
  });
});

test('the overview shows what needs a person, the pause switch, and the workers seen', async () => {
  const { jobId } = await seedStagingJob(host.database.pool, { createdAt: MANUAL_EPOCH - 3_600_000 });
  await seedDeletion(host.database.pool, { status: 'FAILED', errorClass: 'transient', lastError: 'x' });
  const words = wordsOf(await host.text('/console'));
  expect(words).toContain('1 deletion failed for good');
  expect(words).toMatch(/silent for too long/);
  expect(words).toContain(`${jobId.slice(0, 8)} PENDING, silent for 1 h`);
  expect(words).toContain('On: at most 60 purchases a minute begin.');
  expect(words).toMatch(/node-a .* \d/);
  await host.database.pool.query(`update start_gate set status = 'PAUSED'`);
  expect(wordsOf(await host.text('/console'))).toContain('Paused. What was bought continues.');
  await host.database.pool.query(`update start_gate set status = 'OPEN'`);
});

test('a missing page or actor is reported with what to do next', async () => {
  for (const path of [
    '/console/nothing',
    '/console/charts/nothing',
    '/console/actors/nothing',
    '/console/actors/stagingJob/x',
  ]) {
    const answer = await host.get(path);
    expect([path, answer.status]).toEqual([path, 404]);
    expect(await answer.text()).toContain('<nav aria-label="Console">');
  }
  const unknown = await host.get(`/console/actors/stagingJob/${randomUUID()}`);
  expect([unknown.status, wordsOf(await unknown.text())]).toEqual([
    404,
    expect.stringContaining('No staging job has the id'),
  ]);
});

test('the files of the pages are revalidated each time and sent once', async () => {
  for (const [name, type] of [
    ['console.css', 'text/css; charset=utf-8'],
    ['console.js', 'text/javascript; charset=utf-8'],
    ['htmx.js', 'text/javascript; charset=utf-8'],
    ['icon.svg', 'image/svg+xml'],
  ] as const) {
    const answer = await host.get(`/console/assets/${name}`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type]);
    expect(answer.headers.get('cache-control')).toBe('private, no-cache');
    const etag = answer.headers.get('etag') ?? '';
    await answer.arrayBuffer();
    const again = await host.get(`/console/assets/${name}`, { headers: { 'if-none-match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
  }
  expect((await host.get('/console/assets/..%2fconsole.ts')).status).toBe(404);
});

test('while the database is away every page reports it, and works again afterwards', async () => {
  const gate = await createTcpGate(host.database.url);
  const away = await openConsole(CREDENTIALS, { through: gate.through });
  try {
    await gate.cut();
    for (const path of [
      '/console',
      '/console/actors/stagingJob',
      '/console/charts/tour',
      `/console/actors/tour/${randomUUID()}`,
    ]) {
      const answer = await away.get(path);
      expect([path, answer.status, answer.headers.get('retry-after')]).toEqual([path, 503, '5']);
      const page = await answer.text();
      expect(wordsOf(page)).toContain('Nothing is lost: jobs wait');
      expect(page).not.toMatch(/ECONN|at .*\.ts|postgres/);
    }
    await gate.open();
    expect((await away.get('/console')).status).toBe(200);
  } finally {
    await away.close();
    await gate.cut();
  }
});

test('the overview shows the gap of a failover until an operator has closed it', async () => {
  const { pool } = host.database;
  const gap = (from: string | null, until: string | null) =>
    pool.query('update start_gate set "gapFrom" = $1, "gapUntil" = $2', [from, until]);
  await gap('2026-01-15T11:59:10Z', '2026-01-15T11:59:25Z');
  expect(wordsOf(await host.text('/console'))).toContain(
    'Decisions between 2026-01-15 11:59:10 and 2026-01-15 11:59:25 may be lost',
  );
  expect(await host.text(`/console/actors/startGate/${PAUSE_SWITCH_ID}`)).toContain(
    'href="/console/actions/close-gap',
  );
  await gap(null, null);
  expect(wordsOf(await host.text('/console'))).not.toContain('may be lost');
});
