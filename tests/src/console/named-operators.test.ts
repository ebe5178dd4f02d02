import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operate } from '../../../ops/cli/operate.ts';
import { createConsole } from '../../../src/console/console.ts';
import {
  codeOf,
  fromBase32,
  STEP_SECONDS,
  stepOf,
  toBase32,
} from '../../../src/console/sign-in/one-time-code.ts';
import { createOperators, newOperator, readOperators } from '../../../src/console/sign-in/operators.ts';
import { NO_CRASH_REPORTS } from '../../../src/telemetry/crash-reports.ts';
import { createOpsServer } from '../../../src/telemetry/ops-server.ts';
import { createReadiness } from '../../../src/telemetry/readiness.ts';
import { seedUser } from '../../support/database/seed.ts';
import {
  basicOf,
  type ConsoleHost,
  CREDENTIALS,
  OPERATOR,
  openConsole,
} from '../../support/http/console-host.ts';

/** Operators by name: their file, one-time codes, sessions, and the trail that names them. */
const folder = mkdtempSync(join(tmpdir(), 'operators-'));
const FILE = join(folder, 'operators.json');
const PASSWORD = 'a long enough password';

async function ops(...args: string[]) {
  const [out, err]: [string[], string[]] = [[], []];
  const code = await operate({
    args: ['add-operator', ...args],
    environment: { OPERATORS_FILE: FILE },
    screen: { out: (text) => void out.push(text), err: (text) => void err.push(text) },
    signal: new AbortController().signal,
  });
  return { code, out: out.join('\n'), err: err.join('\n') };
}
const given = (password: string): string => {
  const path = join(folder, 'password');
  writeFileSync(path, `${password}\n`);
  return path;
};

let host: ConsoleHost;
let secret: Buffer;
beforeAll(async () => {
  const ada = await ops('--name', 'ada', '--password-file', given(PASSWORD), '--totp');
  secret = fromBase32(/secret=([A-Z2-7]+)/.exec(ada.out)?.[1] ?? '') ?? Buffer.alloc(0);
  await ops('--name', 'bob', '--password-file', given(PASSWORD));
  host = await openConsole({ ...CREDENTIALS, OPERATORS_FILE: FILE });
});
afterAll(() => host.close());

const signIn = (user: string, password: string, code = '', base = host.base) =>
  fetch(`${base}/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ user, password, code }),
  });
const cookieOf = (answer: Response): string => answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
const stepNow = () => Math.floor(host.clock.now() / 1000 / STEP_SECONDS);

describe('npm run ops -- add-operator', () => {
  test('writes name and hash, readable only by its owner, and never the password', async () => {
    const text = readFileSync(FILE, 'utf8');
    expect(JSON.parse(text)).toMatchObject([{ name: 'ada', totp: expect.any(String) }, { name: 'bob' }]);
    expect(text).not.toContain(PASSWORD);
    expect(statSync(FILE).mode & 0o777).toBe(0o600);
  });
  test('refuses a short password, a wrong name, and one that is there', async () => {
    expect(await ops('--name', 'eve', '--password-file', given('fourteen chars'))).toMatchObject({ code: 2 });
    expect(await ops('--name', 'a b')).toMatchObject({ code: 2, err: expect.stringContaining('a name has') });
    expect(await ops('--name', 'bob')).toMatchObject({ code: 1 });
  });
  test('makes a password when none is given, and replaces one', async () => {
    const own = join(folder, 'own.json');
    await ops('--name', 'eve', '--file', own);
    const { out } = await ops('--name', 'eve', '--file', own, '--replace');
    const password = /Password, shown only now: (\S+)/.exec(out)?.[1] ?? '';
    expect(password.length).toBeGreaterThanOrEqual(15);
    const operators = createOperators(readOperators(own), null);
    expect(await operators.verify({ user: 'eve', password })).toMatchObject({ name: 'eve' });
    expect(await operators.verify({ user: 'eve', password: `${password}x` })).toBeNull();
    expect(await operators.verify({ user: 'ada', password })).toBeNull();
  });
  test('a file that is not valid, or a name twice, is refused at start', async () => {
    const { entry } = await newOperator({ user: 'eve', password: PASSWORD }, { withCodes: false });
    const own = join(folder, 'wrong.json');
    for (const wrong of [[{ name: 'eve' }], [entry, entry], [{ ...entry, totp: 'AAAA' }]]) {
      writeFileSync(own, JSON.stringify(wrong));
      expect(() => readOperators(own)).toThrow(own);
    }
    expect(() => createOperators([entry], { user: 'eve', password: 'x' })).toThrow('eve');
  });
});

describe('one-time codes', () => {
  test.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [2_000_000_000, '279037'],
  ])('of RFC 6238 at %d s: %s', (seconds, code) => {
    const own = Buffer.from('12345678901234567890');
    expect(codeOf(own, Math.floor(seconds / STEP_SECONDS))).toBe(code);
    expect(fromBase32(toBase32(own))).toEqual(own);
  });
  test('are accepted one step early or late, and no further', () => {
    const now = host.clock.now();
    const accepted = [-2, -1, 0, 1, 2].map(
      (away) => stepOf(secret, codeOf(secret, stepNow() + away), now) !== null,
    );
    expect(accepted).toEqual([false, true, true, true, false]);
  });
  test('are needed with the password, and work once', async () => {
    const code = codeOf(secret, stepNow());
    expect((await signIn('ada', PASSWORD)).status).toBe(404);
    expect((await signIn('ada', 'a wrong password', code)).status).toBe(404);
    const answers = await Promise.all([signIn('ada', PASSWORD, code), signIn('ada', PASSWORD, code)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 404]);
    expect((await signIn('ada', PASSWORD, codeOf(secret, stepNow() - 1))).status).toBe(404);
    expect((await signIn('ada', PASSWORD, codeOf(secret, stepNow() + 1))).status).toBe(303);
    expect(
      (
        await host.get('/console', {
          headers: { authorization: basicOf({ user: 'ada', password: PASSWORD }) },
        })
      ).status,
    ).toBe(404);
  });
});

test('each operator acts under their own name, and the log has one line for each act', async () => {
  const personId = await seedUser(host.database.pool);
  const names = ['bob', OPERATOR.user];
  for (const [at, name] of names.entries()) {
    const cookie = cookieOf(await signIn(name, name === 'bob' ? PASSWORD : OPERATOR.password));
    const act = at === 0 ? 'suspend-account' : 'restore-account';
    const page = await fetch(`${host.base}/console/actions/${act}`, {
      method: 'POST',
      headers: { cookie },
      body: new URLSearchParams({ id: personId, version: String(at), reason: 'spam' }),
    });
    expect([page.status, (await page.text()).includes('Done.')]).toEqual([200, true]);
  }
  const { rows } = await host.database.pool.query('select act, by from operator_acts order by at, act desc');
  expect(rows).toEqual([
    { act: 'suspend-account', by: 'operator:bob' },
    { act: 'restore-account', by: 'operator:operator' },
  ]);
  const acts = host.lines
    .map((line) => JSON.parse(line))
    .filter(({ event }) => event === 'security.operator_act');
  expect(acts).toMatchObject(names.map((operator) => ({ operator, id: personId, outcome: 'applied' })));
});

test('a restart signs no one out; a new password signs out its operator alone', async () => {
  const [bob, other] = [
    cookieOf(await signIn('bob', PASSWORD)),
    cookieOf(await signIn(OPERATOR.user, OPERATOR.password)),
  ];
  const statuses = async () => {
    const { parts } = host;
    const server = createOpsServer({
      host: '127.0.0.1',
      port: 0,
      metrics: parts.metrics.registry,
      readiness: createReadiness({}),
      logger: parts.logger,
      crashReports: NO_CRASH_REPORTS,
      pages: createConsole(parts),
    });
    const base = `http://127.0.0.1:${await server.start()}`;
    const seen = [bob, other].map(
      async (cookie) => (await fetch(`${base}/console/people`, { headers: { cookie } })).status,
    );
    const all = await Promise.all(seen);
    await server.stop();
    return all;
  };
  expect(await statuses()).toEqual([200, 200]);
  await ops('--name', 'bob', '--replace');
  expect(await statuses()).toEqual([404, 200]);
});
