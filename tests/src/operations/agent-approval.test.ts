import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { operate } from '../../../ops/cli/operate.ts';
import { seedUser } from '../../support/database/seed.ts';
import { type ConsoleHost, openConsole } from '../../support/http/console-host.ts';
import { MANUAL_EPOCH } from '../../support/manual-time.ts';

/** The approval of agents, by `npm run ops -- approve-agent` and on the console's page. */
let host: ConsoleHost;
beforeAll(async () => {
  host = await openConsole();
});
afterAll(() => host.close());
beforeEach(() => host.database.clear());

const REASON = 'license checked';
async function newAgent(since = MANUAL_EPOCH): Promise<string> {
  const agentId = await seedUser(host.database.pool, { licenseNumber: 'L-77', officeName: 'Harbour Homes' });
  await host.database.pool.query('insert into agent_standings ("agentId", "agentSince") values ($1, $2)', [
    agentId,
    new Date(since),
  ]);
  return agentId;
}
async function standingOf(agentId: string): Promise<Record<string, unknown> | undefined> {
  const { rows } = await host.database.pool.query('select * from agent_standings where "agentId" = $1', [
    agentId,
  ]);
  return rows[0];
}

describe('npm run ops -- approve-agent', () => {
  const ops = async (...args: string[]) => {
    const [out, err]: [string[], string[]] = [[], []];
    const code = await operate({
      args: ['approve-agent', ...args],
      environment: { DATABASE_URL: host.database.url },
      screen: { out: (text) => void out.push(text), err: (text) => void err.push(text) },
      signal: new AbortController().signal,
    });
    return { code, out: out.join('\n'), err: err.join('\n') };
  };
  const signed = ['--by', 'ada', '--reason', REASON];

  test('lists the waiting agents, the longest first, and approves with operator and reason', async () => {
    expect((await ops('--list')).out).toBe('No agent waits for approval.');
    const [later, first] = [await newAgent(MANUAL_EPOCH + 1_000), await newAgent()];
    const { out } = await ops('--list');
    expect(out.split('\n').map((line) => line.slice(0, 36))).toEqual([first, later]);
    expect(out).toContain('license L-77, Harbour Homes');
    expect(out).not.toContain('@');

    const looked = await ops('--id', first, '--by', 'ada', '--dry-run');
    expect([looked.code, looked.out]).toEqual([0, expect.stringContaining('Nothing was done')]);
    expect(await standingOf(first)).toMatchObject({ approvedAt: null });

    const done = await ops('--id', first, ...signed);
    expect([done.code, done.out]).toEqual([0, expect.stringContaining(`by operator:ada: ${REASON}`)]);
    expect(await standingOf(first)).toMatchObject({
      approvedAt: expect.any(Date),
      approvedBy: 'operator:ada',
      approvalReason: REASON,
    });
    expect((await ops('--list')).out).toContain(later);
  });

  test('the first approval stays, and a person who is not an agent is not approved', async () => {
    const agentId = await newAgent();
    await ops('--id', agentId, ...signed);
    const again = await ops('--id', agentId, '--by', 'bob', '--reason', 'another time');
    expect([again.code, again.out]).toEqual([1, expect.stringContaining('nothing was changed')]);
    expect(await standingOf(agentId)).toMatchObject({ approvedBy: 'operator:ada' });
    const customer = await seedUser(host.database.pool, { role: 'customer' });
    const { code, out } = await ops('--id', customer, '--id', randomUUID(), '--id', 'nobody', ...signed);
    expect([code, out.match(/missing: /g)]).toEqual([1, ['missing: ', 'missing: ', 'missing: ']]);
    expect(await standingOf(customer)).toBeUndefined();
  });

  test('confirms a license with its state, also of an agent who is approved already', async () => {
    const agentId = await newAgent();
    await ops('--id', agentId, ...signed);
    const compared = ['--license', 'L-77', '--license-state', 'WA'];
    const done = await ops('--id', agentId, ...compared, ...signed);
    expect(done.code).toBe(0);
    expect(await standingOf(agentId)).toMatchObject({
      confirmedLicense: 'L-77',
      licenseState: 'WA',
      licenseConfirmedBy: 'operator:ada',
    });
    const looked = await ops('--id', agentId, '--by', 'ada', '--dry-run');
    expect(looked.out).toContain('license L-77 (WA, confirmed)');
    const again = await ops('--id', agentId, ...compared, ...signed);
    expect([again.code, again.out]).toEqual([1, expect.stringContaining('nothing was changed')]);
  });

  test('neither approves nor confirms when the agent has written another number since it was compared', async () => {
    const agentId = await newAgent();
    await host.database.pool.query(`update "user" set "licenseNumber" = 'L-78' where id = $1`, [agentId]);
    const { code, out } = await ops('--id', agentId, '--license', 'L-77', '--license-state', 'WA', ...signed);
    expect([code, out]).toEqual([1, expect.stringContaining('nothing was changed')]);
    expect(await standingOf(agentId)).toMatchObject({ approvedAt: null, confirmedLicense: null });
  });

  test('an agent without a row, created by the previous release, is approved as well', async () => {
    const agentId = await seedUser(host.database.pool);
    expect((await ops('--id', agentId, ...signed)).code).toBe(0);
    expect(await standingOf(agentId)).toMatchObject({
      agentSince: new Date(MANUAL_EPOCH),
      approvedBy: 'operator:ada',
    });
  });

  test.each([
    [[], '--id is needed'],
    [['--id', randomUUID(), '--by', 'ada'], '--reason is needed'],
    [['--list', '--id', randomUUID()], 'exclude each other'],
    [['--id', randomUUID(), '--license', 'L-1', '--license-state', 'Washington'], 'two capital letters'],
    [['--id', randomUUID(), '--license', 'L-1'], 'needs --license-state'],
    [
      ['--id', randomUUID(), '--id', randomUUID(), '--license', 'L-1', '--license-state', 'WA'],
      'of one --id',
    ],
    [['--all'], "Unknown option '--all'"],
  ])('%j is rejected', async (args, words) => {
    const { code, err } = await ops(...args);
    expect([code, err]).toEqual([2, expect.stringContaining(words)]);
  });
});

describe('the console', () => {
  const PATH = '/console/actions/approve-agent';
  const post = (fields: Record<string, string>) =>
    host.get(PATH, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { origin: host.base, 'sec-fetch-site': 'same-origin' },
    });

  test('lists the operation with the others, and the waiting agents', async () => {
    expect(await host.text('/console/actions')).toContain(`href="${PATH}"`);
    expect(await host.text(PATH)).toContain('No agent waits for approval.');
    const agentId = await newAgent();
    const page = await host.text(PATH);
    expect(page).toContain(`href="${PATH}?id=${agentId}"`);
    expect(page).toContain('Harbour Homes');
    expect(page).not.toMatch(/Ada Agent|@example/);
  });

  test('shows an agent first, then approves them with the name of the operator', async () => {
    const agentId = await newAgent();
    const page = await host.text(`${PATH}?id=${agentId}`);
    expect(page).toContain('They are not approved.');
    expect(page).toContain('L-77');
    const answer = await post({ id: agentId, reason: REASON });
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('Done. Approved on')]);
    expect(await standingOf(agentId)).toMatchObject({
      approvedAt: new Date(MANUAL_EPOCH),
      approvedBy: 'operator:operator',
      approvalReason: REASON,
    });
    // Sending the form again changes nothing.
    const again = await post({ id: agentId, reason: 'again' });
    expect([again.status, await again.text()]).toEqual([409, expect.stringContaining('Nothing was changed')]);
    expect(await host.text(`${PATH}?id=${agentId}`)).not.toContain(
      '<form method="post" action="/console/actions',
    );
  });

  test('without a reason or an agent nothing is changed', async () => {
    const agentId = await newAgent();
    const answer = await post({ id: agentId, reason: '' });
    expect([answer.status, await answer.text()]).toEqual([
      409,
      expect.stringContaining('3 to 500 characters'),
    ]);
    expect(await standingOf(agentId)).toMatchObject({ approvedAt: null });
    expect((await host.get(`${PATH}?id=${randomUUID()}`)).status).toBe(404);
    expect((await post({ id: 'nobody', reason: REASON })).status).toBe(404);
  });
});
