import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { removeBatch } from '../../../persistence/actors/retention.ts';
import { createHostChecker } from '../../../src/web/host-checker.ts';
import { seedProperty, seedUser } from '../../support/database/seed.ts';
import { eventually } from '../../support/eventually.ts';
import { type ApiHost, startApiHost } from '../../support/http/api-host.ts';
import { type ConsoleHost, CREDENTIALS, openConsole, wordsOf } from '../../support/http/console-host.ts';
import { VAPID } from '../../support/http/push-service.ts';
import { listenForSockets } from '../../support/http/socket-server.ts';
import { MANUAL_EPOCH } from '../../support/manual-time.ts';
import { temporaryDirectory } from '../../support/platform/stack.ts';
import { openMailPorts } from '../../support/worlds/mail-ports.ts';

/** "Is it ready?": each check over real parts, missing and in order. */
const backupFile = join(temporaryDirectory(), 'backup-done');
let api: ApiHost;
let host: ConsoleHost;
beforeAll(async () => {
  api = await startApiHost();
  host = await openConsole({
    ...CREDENTIALS,
    PUBLIC_BASE_URL: api.url,
    PROVIDER_WEBHOOK_BASE_URL: api.url,
    LAST_BACKUP_FILE: backupFile,
  });
});
afterAll(async () => {
  await host.close();
  await api.stop();
});

/** The state and the words of each check. */
async function checks(): Promise<Record<string, string>> {
  const page = await host.text('/console/ready');
  const rows = [...page.matchAll(/<tr>\s*<t[dh][^>]*>([\s\S]*?)<\/tr>/g)].map(([row]) =>
    [...row.matchAll(/<t[dh][^>]*>([\s\S]*?)<\/t[dh]>/g)].map(([, cell = '']) => wordsOf(cell).trim()),
  );
  return Object.fromEntries(rows.map(([name = '', state, text]) => [name, `${state}: ${text}`]));
}

const ask = (email: string) =>
  host.get('/console/ready', { method: 'POST', body: new URLSearchParams({ email }) });
async function answer(map: { mapStyleUrl: string | null; mapPmtilesUrl: string | null }, push = true) {
  const { sink, ports, close } = await openMailPorts(host.database, { clock: { at: host.clock.now() } });
  const checker = createHostChecker({ ...ports, config: { ...map, push: push ? VAPID : null } });
  await checker.start();
  const waiting = async () =>
    (await host.database.pool.query('select 1 from host_checks where "endedAt" is null')).rowCount;
  await eventually(async () => (await waiting()) === 0, { what: 'the check of the API host' });
  await checker.stop(AbortSignal.timeout(5_000));
  await close();
  return sink.mails;
}

test('an empty installation reads what is missing first, with a page for each', async () => {
  const page = wordsOf(await host.text('/console/ready'));
  const found = await checks();
  expect(found).toMatchObject({
    Database: expect.stringMatching(/^Good: PostgreSQL 1[678]\.\d+, all migrations applied\.$/),
    'Public address': expect.stringContaining('Risk: http://127.0.0.1'),
    'Certificate of the address': 'Risk: The address is not https: only for a test on this machine.',
    'Object store': 'Good: An object was stored, read and deleted.',
    'Callbacks of the provider': expect.stringContaining('Risk: The receiver answers from here.'),
    Redis: expect.stringMatching(/^Good: Redis \d/),
    Mail: expect.stringContaining('Risk: Not checked'),
    Backup: expect.stringMatching(/^Missing: .* does not exist/),
    'Legal texts': expect.stringContaining('texts/en/privacy.md'),
    Agents: 'Missing: There is no agent: npm run ops -- first-agent',
    // This console's clock is not the machine's.
    Clocks: expect.stringMatching(/^Missing: /),
  });
  expect(page).toMatch(/Backup Missing .* docs\/runbooks\/alerts\/backup-old\.md/);
  const path = '/console/docs/runbooks/alerts/backup-old.md';
  expect(await host.text('/console/ready')).toContain(`href="${path}"`);
  expect(wordsOf(await host.text(path))).toMatch(/ProsceniumBackupOld .* ## What it means/);
  for (const other of [
    'alerts/none.md',
    'README',
    '..%2F..%2Fpackage.json',
    'alerts%2F..%2F..%2F..%2FREADME.md',
  ])
    expect([other, (await host.get(`/console/docs/runbooks/${other}`)).status]).toEqual([other, 404]);
  expect(page.indexOf('Backup Missing')).toBeLessThan(page.indexOf('Database Good'));
  expect(page).toContain('4 things missing');
});

test('what is done is good: an agent and a listing, a backup', async () => {
  const ownerAgentId = await seedUser(host.database.pool);
  await seedProperty(host.database.pool, { ownerAgentId });
  writeFileSync(backupFile, '');
  utimesSync(backupFile, MANUAL_EPOCH / 1_000, MANUAL_EPOCH / 1_000 - 3_600);
  expect(await checks()).toMatchObject({
    Agents: 'Good: There are agents and listings.',
    Backup: 'Good: The last one succeeded 1 h ago.',
  });
  utimesSync(backupFile, MANUAL_EPOCH / 1_000, MANUAL_EPOCH / 1_000 - 100 * 3_600);
  expect((await checks()).Backup).toMatch(/^Missing: The last one succeeded/);
});

test('the API host mails the operator and looks at the map, once; the address is in no page and no log', async () => {
  expect((await ask('not an address')).status).toBe(409);
  const asked = await ask('Olga@operator.example');
  expect([asked.status, asked.headers.get('location')]).toEqual([303, '/console/ready']);
  expect((await checks()).Mail).toBe('Risk: The API host is checking. Load this page again.');
  host.clock.advance(61_000);
  expect((await checks()).Mail).toBe('Missing: No API host has answered within a minute.');

  const mails = await answer({ mapStyleUrl: null, mapPmtilesUrl: `${api.url}/nowhere.pmtiles` });
  expect(mails.map(({ to, email }) => [to, email.subject])).toEqual([['olga@operator.example', 'Test mail']]);
  expect(await checks()).toMatchObject({
    Mail: expect.stringContaining('Good: The mail server accepted'),
    Map: 'Missing: The map’s background does not answer: HTTP 404.',
    'Push notices': 'Good: Push notices are sent.',
  });
  expect(await answer({ mapStyleUrl: null, mapPmtilesUrl: null }, false)).toEqual([]);
  expect((await checks())['Push notices']).toBe('Good: Push notices are sent.');
  expect(await host.text('/console/ready')).not.toContain('operator.example');
  expect(host.lines.join('')).not.toContain('operator.example');

  for (let n = 1; n < 10; n += 1) await ask('olga@operator.example');
  expect((await ask('olga@operator.example')).status).toBe(409);
  await removeBatch(host.database.pool, { what: 'hostChecks', before: Date.now() + 1e12, limit: 100 });
  expect((await host.database.pool.query('select 1 from host_checks')).rowCount).toBe(0);
});

test('what hangs costs five seconds and is missing; the others are checked', async () => {
  const silent = await listenForSockets(() => {});
  const url = `http://127.0.0.1:${silent.port}`;
  const other = await openConsole({ ...CREDENTIALS, PUBLIC_BASE_URL: url, PROVIDER_WEBHOOK_BASE_URL: url });
  try {
    const began = performance.now();
    const page = wordsOf(await other.text('/console/ready'));
    expect(performance.now() - began).toBeLessThan(9_000);
    expect(page).toContain('Public address Missing No answer within 5 seconds.');
    expect(page).toContain('Object store Good');
  } finally {
    await other.close();
    await silent.close();
  }
});
