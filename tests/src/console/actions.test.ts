import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PAUSE_SWITCH_ID } from '../../../persistence/actors/rows/pause-switch-row.ts';
import { currentServer } from '../../../persistence/standbys/confirmation.ts';
import { NOT_YET_DURABLE } from '../../../src/operations/operation.ts';
import { seedDeletion, seedStagingJob, seedUser } from '../../support/database/seed.ts';
import { journalOf } from '../../support/database/store-database.ts';
import { eventually } from '../../support/eventually.ts';
import { type ConsoleHost, CREDENTIALS, openConsole, wordsOf } from '../../support/http/console-host.ts';

/** The pages with operations: first the preview, then the reason, then the result. */
let host: ConsoleHost;
beforeAll(async () => {
  host = await openConsole();
});
afterAll(() => host.close());
beforeEach(() => host.database.clear());

const REASON = 'the customer called';
/** A form as a browser sends it from one of our pages. */
const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  host.get(path, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { origin: host.base, 'sec-fetch-site': 'same-origin', ...headers },
  });
/** The hidden fields of the page's form. */
const hiddenIn = (page: string): Record<string, string> =>
  Object.fromEntries(
    [...page.matchAll(/<input type="hidden" name="([\w-]+)" value="([^"]*)">/g)].map(([, name, value]) => [
      name,
      value,
    ]),
  );
const journal = (kind: string, id: string) => journalOf(host.database.pool, kind as never, id);
const failedDeletion = (errorClass = 'transient') =>
  seedDeletion(host.database.pool, { status: 'FAILED', attempts: 10, errorClass, lastError: 'no' });
const stateOf = async (jobId: string) => (await host.database.store.readJob(jobId))?.job.state;

describe('one operation', () => {
  test('every operation is listed with its description and its bulk form', async () => {
    const page = await host.text('/console/actions');
    const ofMany = ['cancel-job', 'retry-deletion', 'release-job', 're-enqueue-job', 'collect-output'];
    for (const name of [...ofMany, 'rebuild-document', 'pause-starting', 'resume-starting'])
      expect(page).toContain(`href="/console/actions/${name}"`);
    for (const name of ofMany) expect(page).toContain(`/console/actions/${name}/all`);
    expect(page).not.toContain('pause-starting/all');
    expect(page).not.toContain('rebuild-document/all');
  });

  test('shows the preview and writes nothing; then applies it and redirects to the actor', async () => {
    const { jobId } = await seedStagingJob(host.database.pool);
    const page = await host.text(`/console/actions/cancel-job?id=${jobId}`);
    expect(page).toContain('What it will do');
    expect(page).toContain('PENDING.QUEUED');
    expect(page).toContain('CANCELED');
    expect(hiddenIn(page)).toEqual({ id: jobId, version: '0' });
    expect(await stateOf(jobId)).toBe('PENDING.QUEUED');

    const answer = await post('/console/actions/cancel-job', { ...hiddenIn(page), reason: REASON });
    const done = await answer.text();
    expect([answer.status, done]).toEqual([200, expect.stringContaining('Done. It is')]);
    expect(done).toContain(`href="/console/actors/stagingJob/${jobId}"`);
    expect(await journal('stagingJob', jobId)).toMatchObject([
      { eventType: 'CANCEL_ASKED', actedBy: 'operator:operator', note: REASON },
    ]);
    expect(host.lines.some((line) => line.includes('console: operation') && line.includes(jobId))).toBe(true);
  });

  test('each open invitation is withdrawn by a button, and no page shows its address', async () => {
    const PATH = '/console/actions/invite-agent';
    const invitation = { email: 'bob@example.com', officeName: 'Harbor Homes', locale: 'en', reason: REASON };
    expect((await post(PATH, invitation)).status).toBe(200);
    // Its end comes a millisecond after its beginning, and this console's clock does not move.
    host.clock.advance(1_000);
    const list = await host.text(PATH);
    const [, link = ''] = /href="(\/console\/actions\/withdraw-invitation\?id=[\da-f-]+)"/.exec(list) ?? [];
    const page = await host.text(link);
    expect(page).toContain('It was made by operator operator, for Harbor Homes.');
    const fields = { ...hiddenIn(page), reason: REASON };
    const done = await (await post('/console/actions/withdraw-invitation', fields)).text();
    expect(done).toMatch(/Done\. It is <span class="mono">WITHDRAWN<\/span> at version 1/);
    expect((await post('/console/actions/withdraw-invitation', fields)).status).toBe(409);
    expect(await host.text(PATH)).not.toContain('withdraw-invitation');
    expect([list, page, done, ...host.lines].join('')).not.toContain('bob@example.com');
  });

  test('a suspension that no standby has is answered as not confirmed; the button and a reload confirm it', async () => {
    let hasStandby = false;
    const confirm = async () => {
      const server = await currentServer(other.database.pool);
      return hasStandby && server !== null ? { server, isTrusted: true } : null;
    };
    const confirmation = { confirm, unconfirmedMs: () => 0, isHopeful: () => true, close: async () => {} };
    const other = await openConsole(CREDENTIALS, { confirmation });
    const send = (fields: Record<string, string>) =>
      other.get('/console/actions/suspend-account', { method: 'POST', body: new URLSearchParams(fields) });
    try {
      const id = await seedUser(other.database.pool);
      const preview = await other.text(`/console/actions/suspend-account?id=${id}`);
      const form = { ...hiddenIn(preview), reason: REASON };
      const unconfirmed = await send(form);
      const page = await unconfirmed.text();
      expect([unconfirmed.status, unconfirmed.headers.get('retry-after')]).toEqual([503, '5']);
      expect(wordsOf(page)).toContain(`Done. It is SUSPENDED at version 1. ${NOT_YET_DURABLE}`);
      expect(wordsOf(await (await send(form)).text())).toContain(NOT_YET_DURABLE);
      hasStandby = true;
      for (const [again, status] of [
        [form, 409],
        [hiddenIn(page), 200],
      ] as const) {
        const answer = await send(again);
        expect(answer.status).toBe(status);
        expect(wordsOf(await answer.text())).not.toContain(NOT_YET_DURABLE);
      }
    } finally {
      await other.close();
    }
  });

  test('the form requires an id, except for an actor that exists only once', async () => {
    expect(await host.text('/console/actions/cancel-job')).toContain('name="id"');
    const page = await host.text('/console/actions/pause-starting');
    expect(hiddenIn(page)).toEqual({ id: PAUSE_SWITCH_ID, version: '0' });
    await post('/console/actions/pause-starting', { ...hiddenIn(page), reason: REASON });
    expect((await host.database.store.read('startGate', PAUSE_SWITCH_ID))?.state).toBe('PAUSED');
    expect(await host.text('/console/actions/pause-starting')).toContain('Starting is paused already.');
  });

  test('a change since the preview shows a new preview, and nothing is applied', async () => {
    const { jobId } = await seedStagingJob(host.database.pool);
    const cancel = await host.text(`/console/actions/cancel-job?id=${jobId}`);
    const offer = await host.text(`/console/actions/re-enqueue-job?id=${jobId}`);
    await post('/console/actions/re-enqueue-job', { ...hiddenIn(offer), reason: REASON });
    const answer = await post('/console/actions/cancel-job', {
      ...hiddenIn(cancel),
      reason: 'my <own> words',
    });
    const page = await answer.text();
    expect([answer.status, page]).toEqual([409, expect.stringContaining('It has moved on since')]);
    expect(hiddenIn(page)).toEqual({ id: jobId, version: '1' });
    expect(page).toContain('my &lt;own&gt; words');
    expect(await stateOf(jobId)).toBe('PENDING.QUEUED');
    // Sending the same form twice, as a reload does, counts as such a change.
    const again = await post('/console/actions/cancel-job', { ...hiddenIn(page), reason: REASON });
    expect(again.status).toBe(200);
    const reloaded = await post('/console/actions/cancel-job', { ...hiddenIn(page), reason: REASON });
    expect([reloaded.status, await reloaded.text()]).toEqual([
      409,
      expect.stringContaining('It is over (CANCELED)'),
    ]);
    expect(await journal('stagingJob', jobId)).toHaveLength(2);
  });

  test.each([
    ['no reason', { reason: '' }, '3 to 500 characters'],
    ['a reason that is too long', { reason: 'x'.repeat(501) }, '3 to 500 characters'],
    ['no version', { version: undefined, reason: REASON }, 'Look at what it will do'],
    ['a version that is none', { version: 'latest', reason: REASON }, 'Look at what it will do'],
  ])('%s: nothing is applied, and the page says why', async (_, fields, words) => {
    const { jobId } = await seedStagingJob(host.database.pool);
    const given = Object.entries({ id: jobId, version: '0', ...fields }).filter(
      ([, value]) => value !== undefined,
    );
    const answer = await post(
      '/console/actions/cancel-job',
      Object.fromEntries(given) as Record<string, string>,
    );
    expect([answer.status, await answer.text()]).toEqual([409, expect.stringContaining(words)]);
    expect(await stateOf(jobId)).toBe('PENDING.QUEUED');
  });

  test('force is a separate step with its own preview', async () => {
    const id = await failedDeletion('needs-person');
    const plain = await host.text(`/console/actions/retry-deletion?id=${id}`);
    expect(plain).toContain('It would change nothing');
    expect(plain).not.toContain('method="post" action="/console/actions/');
    expect(plain).toContain(`/console/actions/retry-deletion?id=${id}&amp;force=yes`);
    const forced = await host.text(`/console/actions/retry-deletion?id=${id}&force=yes`);
    expect(hiddenIn(forced)).toMatchObject({ id, force: 'yes' });
    await post('/console/actions/retry-deletion', { ...hiddenIn(forced), reason: REASON });
    expect(await journal('deletionItem', id)).toMatchObject([{ event: { force: true }, note: REASON }]);
  });

  test('wrong ids, operations and methods', async () => {
    for (const id of [randomUUID(), 'nonsense', '<script>alert(1)</script>']) {
      const answer = await host.get(`/console/actions/cancel-job?id=${encodeURIComponent(id)}`);
      const page = await answer.text();
      expect([answer.status, page]).toEqual([404, expect.stringContaining('There is nothing of that id')]);
      expect(page).not.toContain('<script>alert');
      expect((await post('/console/actions/cancel-job', { id, version: '0', reason: REASON })).status).toBe(
        404,
      );
    }
    for (const path of [
      '/console/actions/nonsense',
      '/console/actions/nonsense/all',
      '/console/actions/pause-starting/all',
    ])
      expect([path, (await host.get(path)).status]).toEqual([path, 404]);
    expect((await post('/console/actions/set-state', { id: randomUUID(), state: 'SUCCESS' })).status).toBe(
      404,
    );
  });

  test('a form sent from another site changes nothing', async () => {
    const { jobId } = await seedStagingJob(host.database.pool);
    const fields = { id: jobId, version: '0', reason: REASON };
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    expect((await post('/console/actions/cancel-job', fields, foreign)).status).toBe(403);
    expect(await stateOf(jobId)).toBe('PENDING.QUEUED');
  });
});

describe('bulk operations', () => {
  const PATH = '/console/actions/retry-deletion/all';

  test('select, see the number and the first rows, confirm with a reason, read the report', async () => {
    for (let n = 0; n < 250; n += 1) await failedDeletion();
    const broken = await failedDeletion('needs-person');
    expect(await host.text(PATH)).toContain('name="error-class"');
    const look = await host.text(`${PATH}?look=yes`);
    expect(look).toContain('251 of them');
    // Of three rows; the broken one, for which nothing will be done, may be among them.
    expect(look.match(/What it will do/g)?.length).toBeGreaterThan(1);
    expect(hiddenIn(look)).toHaveProperty('at');
    expect(await journal('deletionItem', broken)).toEqual([]);

    const answer = await post(PATH, { ...hiddenIn(look), reason: REASON });
    const page = await answer.text();
    expect(answer.status).toBe(200);
    expect(page).toContain('<li>200 of 251: ');
    expect(page).toContain('<li>251 of 251: 250 done, 0 failed</li>');
    expect(page).toContain('Finished: 250 done, 1 left as they are, 0 not there, 0 failed.');
    expect(page).toContain(broken);
    expect(page.trimEnd().endsWith('</html>')).toBe(true);
    const { rows } = await host.database.pool.query(
      `select count(*)::int as count from actor_transitions where "actedBy" = 'operator:operator' and note = $1`,
      [REASON],
    );
    expect(rows[0].count).toBe(250);
  });

  test('rows created after the preview are not included', async () => {
    await failedDeletion();
    const look = await host.text(`${PATH}?look=yes`);
    host.clock.advance(60_000);
    const late = await seedDeletion(host.database.pool, {
      status: 'FAILED',
      errorClass: 'transient',
      createdAt: new Date(host.clock.now()),
    });
    const report = await (await post(PATH, { ...hiddenIn(look), reason: REASON })).text();
    expect(report).toContain('Finished: 1 done');
    expect(await journal('deletionItem', late)).toEqual([]);
  });

  test('a bulk run stops when the page stops loading, and the rest is left for the next run', async () => {
    for (let n = 0; n < 40; n += 1) await failedDeletion();
    // Each row takes some time, so that the run can be stopped.
    await host.database.pool.query(`
      create function slow() returns trigger language plpgsql as $$ begin perform pg_sleep(0.05); return new; end $$;
      create trigger slow before update on storage_deletion_outbox for each row execute function slow()`);
    const stopping = new AbortController();
    const look = await host.text(`${PATH}?look=yes`);
    const answer = await host.get(PATH, {
      method: 'POST',
      body: new URLSearchParams({ ...hiddenIn(look), reason: REASON }),
      signal: stopping.signal,
      headers: { origin: host.base },
    });
    const counted = async () =>
      (
        await host.database.pool.query(
          `select count(*)::int as n from storage_deletion_outbox where status = 'PENDING'`,
        )
      ).rows[0].n;
    expect(answer.status).toBe(200);
    await eventually(async () => (await counted()) > 0, { what: 'the first' });
    stopping.abort();
    await eventually(() => host.lines.some((line) => line.includes('"ended":"aborted"')), {
      what: 'the end',
    });
    await host.database.pool.query('drop function slow cascade');
    expect(await counted()).toBeLessThan(40);
  });

  test('an incomplete selection and a missing reason are reported', async () => {
    const choice = await host.get('/console/actions/cancel-job/all?look=yes&type=TEXT');
    const page = await choice.text();
    expect([choice.status, page]).toEqual([
      409,
      expect.stringContaining('type must be ROOM_STAGING or DESCRIPTION'),
    ]);
    expect(page).toContain('status is needed');
    await failedDeletion();
    const unsigned = await post(PATH, { reason: '' });
    expect([unsigned.status, await unsigned.text()]).toEqual([409, expect.stringContaining('1 of them')]);
    expect(await host.text('/console/actions/release-job/all?look=yes')).toContain('There are none.');
  });
});
