import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { inertServices, readProcedures } from '../../../ops/codegen/api/procedures.ts';
import { REPEAT_RULES, WITHOUT_REPEATS } from '../../../src/repeats/repeat-rules.ts';
import { routesOf } from '../../../src/web/compose.ts';
import { useApiHost } from '../../support/http/api-host.ts';
import { VAPID_SETTINGS } from '../../support/http/push-service.ts';
import { MANUAL_EPOCH } from '../../support/manual-time.ts';
import { everyRow } from '../../support/worlds/leak-world.ts';
import { setClock } from '../../support/worlds/tour-visits.ts';
import { EVERY_CALL } from './every-call.ts';

/**
 * Tests the table of `src/repeats/repeat-rules.ts` for each call: a repeat gets the same answer and changes nothing;
 * a repeat after a crash is answered as the table says and does no harm.
 */
const clock = setClock();
const host = useApiHost({
  settings: { AI_ROOM_STAGING_ENABLED: 'true', ...VAPID_SETTINGS },
  overrides: clock.overrides,
});

/** Changing routes without an idempotency key, with the reason. */
const ROUTES_WITHOUT: Record<string, string> = {
  '* /api/trpc/*': 'Procedures have lines of their own.',
  '* /api/auth/*': 'Sign-in.',
  'POST /api/alert-switches/:token': 'Alerts that have ended stay so, however often it is asked.',
  'POST /api/mail-switches/:name': 'What is switched off stays so, however often it is asked.',
  'POST /reso/oauth2/token': 'Each call gives another token, at most 20 at a time.',
  'POST /api/webhooks/provider/staging/:providerAttemptId': 'The provider names each delivery itself.',
};

test('every mutation and every changing route has a rule', () => {
  const mutations = readProcedures().filter(({ kind }) => kind === 'mutation');
  const inert = inertServices() as never;
  const routes = routesOf(inert, inert, { readiness: inert, site: null }).flatMap(({ methods, path }) =>
    methods === '*'
      ? [`* ${path}`]
      : methods.filter((method) => method !== 'GET').map((method) => `${method} ${path}`),
  );
  const all = [...mutations.map(({ path }) => path), ...routes];
  const said = [...Object.keys(REPEAT_RULES), ...WITHOUT_REPEATS, ...Object.keys(ROUTES_WITHOUT)];
  const how =
    'Give each call that changes something a line in RULES of src/repeats/repeat-rules.ts and in EVERY_CALL of ' +
    'tests/src/repeats/every-call.ts; a procedure of sign-in or of the account goes into WITHOUT there instead.';
  expect(said.toSorted(), how).toEqual(all.toSorted());
  expect(Object.keys(EVERY_CALL).toSorted(), how).toEqual(Object.keys(REPEAT_RULES).toSorted());
  // A key belongs to a person, so no public mutation takes one.
  for (const { path } of mutations.filter(({ who }) => who === 'public'))
    expect(WITHOUT_REPEATS.has(path), path).toBe(true);
});

/** Every row that counts as an effect: not renewed sessions, not the bookkeeping of search and of caches. */
async function everything(): Promise<Record<string, string[]>> {
  const { session, idempotency_keys, cache_purges, ...rest } = await everyRow(host);
  return Object.fromEntries(
    Object.entries(rest).map(([table, rows]) => [
      table,
      rows.map((row) => row.replaceAll(/"(updatedAt|searchVersion|version)": ("[^"]*"|\d+)/g, '')),
    ]),
  );
}

test.each(Object.entries(REPEAT_RULES))('%s', async (operation, { afterCrash }) => {
  const prepare = EVERY_CALL[operation];
  if (prepare === undefined) throw new Error('see the test above');
  const call = await prepare({ host, clock });
  const key = randomUUID();
  const first = await call(key);
  expect(first.status, first.text).toBeLessThan(300);
  const after = await everything();
  const again = await call(key);
  expect({ status: again.status, text: again.text }).toEqual({ status: first.status, text: first.text });
  expect(await everything()).toEqual(after);

  if (afterCrash === 'kept') return expectKeptWithWork(key);
  // The rows as a process leaves them when it dies after the work.
  const crashed = new Date(MANUAL_EPOCH - 1);
  await host.rows('update idempotency_keys set answer = null, "expiresAt" = $2 where key = $1', [
    key,
    crashed,
  ]);
  const late = await call(key);
  if (afterCrash === 'same')
    expect({ status: late.status, text: late.text }).toEqual({ status: first.status, text: first.text });
  else expect(late.errorCode).toBe(afterCrash);
  expect(await everything()).toEqual(after);
});

/** One transaction wrote the answer and the rows of the call. */
async function expectKeptWithWork(key: string): Promise<void> {
  const [row] = await host.rows<{ xmin: string }>(
    'select xmin::text from idempotency_keys where key = $1 and answer is not null',
    [key],
  );
  const made = await host.rows(
    `select 1 from properties where xmin::text = $1 union all select 1 from ai_jobs where xmin::text = $1
     union all select 1 from property_images where xmin::text = $1
     union all select 1 from room_groups where xmin::text = $1
     union all select 1 from avatars where xmin::text = $1
     union all select 1 from agent_invitations where xmin::text = $1
     union all select 1 from open_houses where xmin::text = $1
     union all select 1 from webhook_deliveries where xmin::text = $1
     union all select 1 from webhook_endpoints where xmin::text = $1`,
    [row?.xmin],
  );
  expect(made.length).toBeGreaterThan(0);
}
