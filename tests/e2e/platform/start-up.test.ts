import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Role, type RoleVariables, roleEnvironment } from '../../../ops/dev/stack/role-environment.ts';
import { migrations } from '../../../persistence/migrations/registry.ts';
import { FOREIGN_SECRETS, variableNames } from '../../../src/config/settings.ts';
import { VERSION } from '../../../src/version.ts';
import { createDatabase, type TestDatabase } from '../../support/database/database.ts';
import { eventually } from '../../support/eventually.ts';
import { listenForSockets } from '../../support/http/socket-server.ts';
import { type Gate, openGate } from '../../support/platform/gates.ts';
import { opsUrlOf, type Readiness, readyz } from '../../support/platform/outcomes.ts';
import { startTestPlatform, type TestPlatform } from '../../support/platform/platform.ts';
import { sharedProvider, sharedStack } from '../../support/platform/stack.ts';
import { startProgram } from '../../support/platform/started-program.ts';

/** Whether a role starts, what it prints when it does not, and what it reports to operators while it runs. */
const ROLES: Role[] = ['web', 'worker'];

/** A working environment of the role, on free ports. */
const environment = (role: Role, changes: RoleVariables = {}) =>
  roleEnvironment({ ...sharedStack(), provider: sharedProvider() }, role, {
    PORT: '0',
    OPS_PORT: '0',
    PUBLIC_BASE_URL: 'http://127.0.0.1:3000',
    PROVIDER_WEBHOOK_BASE_URL: 'http://127.0.0.1:3000',
    ...changes,
  });
const onlyPath = { PATH: process.env.PATH ?? '' };

/** Runs the role's own program until it ends. */
async function failedStart(role: Role, env: RoleVariables): Promise<{ code: number | string; said: string }> {
  const cleared = Object.fromEntries(variableNames(role).map((name) => [name, undefined]));
  const program = startProgram([`src/${role}.ts`], { env: { ...cleared, ...env } });
  const code = await program.ended();
  return { code, said: program.said() };
}
/** The variables named in the list, one a line; any other line fails. */
function listed(role: Role, said: string): string[] {
  const [head, ...lines] = said.trimEnd().split('\n');
  expect(head).toBe(`The environment of the ${role} role is not usable:`);
  return lines
    .map((line) => /^ {2}([A-Z][A-Z0-9_]*): \S/.exec(line)?.[1] ?? `not in the list: ${line}`)
    .sort();
}

const COMMON = [
  'DATABASE_URL',
  'KV_URL',
  'PUBLIC_BASE_URL',
  'S3_ACCESS_KEY_ID',
  'S3_BUCKET',
  'S3_ENDPOINT',
  'S3_SECRET_ACCESS_KEY',
];
const REQUIRED: Record<Role, string[]> = {
  web: [...COMMON, 'AUTH_SECRET', 'MAIL_FROM', 'PROVIDER_WEBHOOK_SIGNING_SECRET', 'SMTP_URL'],
  worker: [...COMMON, 'AI_STAGING_USER_HASH_SECRET', 'PROVIDER_API_TOKEN', 'PROVIDER_WEBHOOK_BASE_URL'],
};
/** Settings for which every text is valid. */
const NEVER_WRONG = ['AI_ROOM_STAGING_ENABLED', 'SENTRY_DSN', 'SITE_SENTRY_DSN'];

describe.each(ROLES)('%s', (role) => {
  test('lists all missing settings at once, and nothing else', async () => {
    const { code, said } = await failedStart(role, onlyPath);
    expect(code).toBe(78);
    expect(listed(role, said)).toEqual([...REQUIRED[role]].sort());
  });

  test('lists all wrong settings at once, and prints no secret', async () => {
    const wrong = 'worth nothing!\t';
    const env = Object.fromEntries(variableNames(role).map((name) => [name, wrong]));
    const { code, said } = await failedStart(role, { ...onlyPath, ...env });
    expect(code).toBe(78);
    expect(listed(role, said)).toEqual(
      variableNames(role)
        .filter((name) => !NEVER_WRONG.includes(name))
        .sort(),
    );
    const shown = said.split('\n').filter((line) => line.includes('worth nothing'));
    expect(
      shown.filter((line) => /SECRET|TOKEN|PASSWORD|_URL: expected a URL|ACCESS_KEY/.test(line)),
    ).toEqual([]);
  });

  test('rejects secrets of the other role', async () => {
    const foreign = Object.fromEntries(FOREIGN_SECRETS[role].map((name) => [name, 'f'.repeat(64)]));
    const { code, said } = await failedStart(role, { ...environment(role), ...foreign });
    expect(code).toBe(78);
    expect(listed(role, said)).toEqual([...FOREIGN_SECRETS[role]].sort());
    expect(said).not.toContain('ffff');
    expect(FOREIGN_SECRETS[role]).toContain(
      role === 'web' ? 'PROVIDER_API_TOKEN' : 'PROVIDER_WEBHOOK_SIGNING_SECRET',
    );
  });

  test('does not start on a database with pending migrations', async () => {
    const empty = await createDatabase({ migrated: false });
    const { code, said } = await failedStart(role, environment(role, { DATABASE_URL: empty.url }));
    expect(code).toBe(1);
    const last = lastLine(said);
    expect(last).toMatchObject({ level: 'fatal', msg: `the ${role} role could not start` });
    for (const { name } of migrations) expect(last.err?.message).toContain(name);
    expect(last.err?.message).toContain('npm run migrate');
    await empty.drop();
  });

  test('reports an unreachable database', async () => {
    const { code, said } = await failedStart(
      role,
      environment(role, { DATABASE_URL: 'postgres://somebody:unspoken-word@127.0.0.1:9/nothing' }),
    );
    expect(code).toBe(1);
    expect(lastLine(said)).toMatchObject({ level: 'fatal', err: { code: 'ECONNREFUSED' } });
    expect(said).not.toContain('unspoken-word');
  });

  test.each(role === 'web' ? ['PORT', 'OPS_PORT'] : ['OPS_PORT'])(
    'reports which address is in use: %s',
    async (name) => {
      const neighbor = await listenForSockets(() => {});
      const database = await createDatabase();
      const { code, said } = await failedStart(role, {
        ...environment(role, { DATABASE_URL: database.url }),
        [name]: String(neighbor.port),
      });
      expect(code).toBe(1);
      const last = lastLine(said);
      expect(last).toMatchObject({ level: 'fatal', msg: `the ${role} role could not start` });
      expect(last.err?.message).toContain(`127.0.0.1:${neighbor.port}`);
      await neighbor.close();
      await database.drop();
    },
  );
});

interface LastLine {
  level: string;
  msg: string;
  err?: { message: string; code?: string };
}
const lastLine = (said: string) => JSON.parse(said.trimEnd().split('\n').at(-1) ?? '') as LastLine;

describe('crash reports of a role that cannot start', () => {
  test.each([
    { scheme: 'http', connects: false },
    { scheme: 'https', connects: true },
  ])('connects to a $scheme ingest address: $connects', async ({ scheme, connects }) => {
    let connections = 0;
    const ingest = await listenForSockets(() => {
      connections += 1;
    });
    const empty = await createDatabase({ migrated: false });
    const { code } = await failedStart(
      'worker',
      environment('worker', {
        DATABASE_URL: empty.url,
        SENTRY_DSN: `${scheme}://public@127.0.0.1:${ingest.port}/1`,
      }),
    );
    expect(code).toBe(1);
    expect(connections > 0).toBe(connects);
    await ingest.close();
    await empty.drop();
  });
});

describe('a running platform reports', () => {
  let database: TestDatabase;
  let gates: { database: Gate; kv: Gate; objects: Gate };
  let platform: TestPlatform;
  /** Every address that answers readiness. */
  let urls: string[];

  beforeAll(async () => {
    const { kvUrl, s3 } = sharedStack();
    database = await createDatabase();
    gates = {
      database: await openGate(database.url),
      // As slow as a store in another network: the roles wait for it before they begin.
      kv: await openGate(kvUrl, { delayMs: 1_000 }),
      objects: await openGate(s3.endpoint),
    };
    platform = await startTestPlatform({
      databaseUrl: database.url,
      settings: {
        DATABASE_URL: gates.database.through(database.url),
        KV_URL: gates.kv.through(kvUrl),
        S3_ENDPOINT: gates.objects.through(s3.endpoint),
        // Crash reports cannot be sent to either of these addresses.
        SENTRY_DSN: 'placeholder',
        AI_STAGING_COST_MICROUSD_PANORAMA: 'by agreement',
      },
    });
    const ops = await Promise.all(platform.roles.map((role) => opsUrlOf(platform, role)));
    urls = [...platform.urls, ...ops];
  }, 60_000);
  afterAll(async () => {
    await platform.stop();
    await Promise.all(Object.values(gates).map((gate) => gate.close()));
    await database.drop();
  });

  const settled = (fits: (report: Readiness) => boolean) =>
    Promise.all(
      urls.map((url) =>
        eventually(
          async () => {
            const report = await readyz(url);
            if (fits(report)) return report;
            throw new Error(JSON.stringify(report));
          },
          { what: `${url}/readyz to change` },
        ),
      ),
    );
  const failing = ({ checks }: Readiness) =>
    Object.entries(checks)
      .filter(([, { ok }]) => !ok)
      .map(([name]) => name)
      .sort();

  test('no warning or error with a stack up to the first sweeps, when nothing is wrong', async () => {
    const swept = () => platform.rows('select from search_epoch where "finishedAt" is not null');
    await eventually(async () => (await swept()).length === 1, {
      what: 'the first sweep of search documents',
    });
    const logged = platform.lines.flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));
    expect(logged.length).toBeGreaterThan(2);
    const alarming = logged.filter(
      ({ level, err }) => !['debug', 'info'].includes(level) && err !== undefined,
    );
    expect(alarming).toEqual([]);
    // No other log line has a stack either.
    expect(platform.lines.filter((line) => /^\s+at \S/.test(line))).toEqual([]);
  });

  test('an unused price setting, once', () => {
    const naming = platform.lines.filter((line) => line.includes('AI_STAGING_COST_MICROUSD_PANORAMA'));
    expect(naming.map((line) => (JSON.parse(line) as { event: string; level: string }).event)).toEqual([
      'prices_not_used',
    ]);
    expect(naming.join()).not.toContain('by agreement');
  });

  test('that it is alive and ready, with every check', async () => {
    for (const url of urls)
      expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ status: 'ok', version: VERSION });
    const reports = await settled(({ ready }) => ready);
    for (const report of reports) {
      expect(report.status).toBe(200);
      expect(Object.keys(report.checks)).toEqual(
        expect.arrayContaining(['configuration', 'database', 'kv', 'migrations', 'objects']),
      );
      expect(report.checks.configuration).toMatchObject({ detail: { matches: true } });
    }
    // Of the worker alone.
    expect(reports.filter(({ checks }) => 'clock' in checks)).toHaveLength(1);
  });

  test.each([
    { away: 'database', unanswered: ['configuration', 'database', 'migrations'] },
    { away: 'kv', unanswered: ['kv'] },
    { away: 'objects', unanswered: ['objects'] },
  ] as const)('that $away is unavailable, and that it is available again', async ({ away, unanswered }) => {
    gates[away].shut();
    for (const report of await settled(({ ready }) => !ready)) {
      expect(report.status).toBe(503);
      expect(failing(report)).toEqual(unanswered);
      for (const name of unanswered) expect(report.checks[name]?.code).toMatch(/^\w+$/);
    }
    for (const url of urls) expect((await fetch(`${url}/healthz`)).status).toBe(200);
    gates[away].open();
    await settled(({ ready }) => ready);
    expect(platform.roles.every((role) => role.isRunning())).toBe(true);
  });

  test('that the database is older than the program', async () => {
    const newest = migrations.at(-1)?.name;
    const [row] = await platform.rows<Record<string, unknown>>(
      'delete from mikro_orm_migrations where name = $1 returning *',
      [newest],
    );
    for (const report of await settled(({ ready }) => !ready)) {
      expect(report.status).toBe(503);
      expect(failing(report)).toEqual(['migrations']);
      expect(report.checks.migrations).toEqual({ ok: false, code: 'MIGRATIONS_PENDING' });
    }
    await platform.rows('insert into mikro_orm_migrations (name, executed_at) values ($1, $2)', [
      newest,
      row?.executed_at,
    ]);
    await settled(({ ready }) => ready);
  });

  const NAMES: Record<Role, string[]> = {
    web: ['proscenium_http_requests_total', 'proscenium_http_request_duration_seconds_bucket'],
    worker: [
      'proscenium_staging_jobs',
      'proscenium_alert_active',
      'proscenium_provider_request_duration_seconds_bucket',
      'proscenium_jobs_adopted_total',
      'proscenium_leases_lost_total',
      'proscenium_sweep_failures_total',
      'proscenium_jobs_quarantined_total',
      'proscenium_deletions_done_total',
      'proscenium_search_documents_written_total',
    ],
  };
  const BOTH = [
    'proscenium_staging_transitions_total',
    'proscenium_provider_requests_total',
    'proscenium_queue_nudges_total',
    'proscenium_dispatcher_repairs_total',
    'proscenium_webhook_refusals_total',
    'process_cpu_seconds_total',
    'nodejs_eventloop_lag_seconds',
  ];
  test.each([
    { role: 'web', at: 0 },
    { role: 'worker', at: 1 },
  ] as const)('the series of the $role', async ({ role, at }) => {
    const ops = await opsUrlOf(platform, platform.roles[at] as (typeof platform.roles)[number]);
    const response = await fetch(`${ops}/metrics`);
    expect(response.headers.get('content-type')).toContain('text/plain');
    const text = await response.text();
    for (const name of [...BOTH, ...NAMES[role]])
      expect(text).toMatch(new RegExp(`^# TYPE ${name.replace(/_bucket$/, '')} `, 'm'));
    for (const line of text.split('\n').filter((one) => one !== '' && !one.startsWith('#')))
      expect(line).toContain(`role="${role}"`);
    // The API host does not publish them.
    expect((await fetch(`${platform.urls[0]}/metrics`)).status).toBe(404);
  });

  test('that the settings of the producers differ', async () => {
    const other = await platform.startWeb({ AI_STAGING_QUALITY: 'high' });
    await other.ready;
    const seenBy = async (index: number) => {
      const report = await readyz(await opsUrlOf(platform, platform.roles[index] as typeof other));
      return [report.status, report.checks.configuration?.detail];
    };
    for (const index of [0, 1, 2])
      await eventually(
        async () =>
          isDeepStrictEqual(await seenBy(index), [
            200,
            { matches: false, differingSettings: 'AI_STAGING_QUALITY' },
          ]),
        { what: `role ${index} to name the setting` },
      );
  });
});
