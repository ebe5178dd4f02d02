import { beforeAll, beforeEach, expect, test } from 'vitest';
import { NO_CRASH_REPORTS, type ReportedRequest } from '../../../src/telemetry/crash-reports.ts';
import { seedProperty } from '../../support/database/seed.ts';
import { useApiHost } from '../../support/http/api-host.ts';
import type { Answer, Person } from '../../support/http/person.ts';

/** Every 500 of the API and the pages is logged once and captured once, with its route and without its address. */
let agent: Person;
let propertyId: string;
const captured: Array<{ error: unknown; request: ReportedRequest | undefined }> = [];

const host = useApiHost({
  settings: { SITE_ENABLED: 'true' },
  crashReports: {
    ...NO_CRASH_REPORTS,
    capture(error, request) {
      captured.push({ error, request });
      return null;
    },
  },
});
beforeAll(async () => {
  agent = await host.signedIn();
  propertyId = await seedProperty(host.pool, { ownerAgentId: agent.id });
});
beforeEach(() => {
  captured.length = 0;
  host.lines.length = 0;
});

/** Runs the work while these tables are missing: a fault of ours, for which no outage is to blame. */
async function without<T>(tables: readonly string[], work: () => Promise<T>): Promise<T> {
  for (const name of tables) await host.pool.query(`ALTER TABLE "${name}" RENAME TO "hidden_${name}"`);
  try {
    return await work();
  } finally {
    for (const name of tables) await host.pool.query(`ALTER TABLE "hidden_${name}" RENAME TO "${name}"`);
  }
}

const PAGE = { headers: { accept: 'text/html' } };
const EMAIL = 'someone.real@example.com';
const CASES: Array<{ what: string; missing: string; route: string; ask: () => Promise<Answer> }> = [
  {
    what: 'a page for everybody',
    missing: 'properties',
    route: '/properties/:propertyId',
    ask: () => agent.send('GET', `/properties/${propertyId}?pictures=none`, PAGE),
  },
  {
    what: 'a page of a person',
    missing: 'session',
    route: '/studio/:propertyId/details',
    ask: () => agent.send('GET', `/studio/${propertyId}/details?secret=1`, PAGE),
  },
  {
    what: 'a query',
    missing: 'favorites',
    route: 'favorites.listIds',
    ask: () => agent.query('favorites.listIds'),
  },
  {
    what: 'a change',
    missing: 'favorites',
    route: 'favorites.add',
    ask: () => agent.mutate('favorites.add', { propertyId }),
  },
  {
    what: 'a plain route',
    missing: 'provenance_records',
    route: '/api/provenance/:imageId/qr.svg',
    ask: () => agent.send('GET', `/api/provenance/${propertyId}/qr.svg`),
  },
  {
    what: 'an upload',
    missing: 'session',
    route: '/api/property-images',
    ask: () => agent.upload(new Uint8Array(8), { propertyId }),
  },
  {
    what: 'the sign-in',
    missing: 'sign_in_codes',
    route: '/api/auth/*',
    ask: () =>
      host.anonymous().send('POST', '/api/auth/email-otp/send-verification-otp', {
        body: JSON.stringify({ email: EMAIL, type: 'sign-in' }),
      }),
  },
];

test.each(CASES)('$what', async ({ missing, route, ask }) => {
  const answer = await without([missing], ask);
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([500, 'no-store']);
  const faults = host.lines.filter(({ level }) => ['error', 'fatal'].includes(String(level)));
  const requestId = answer.headers.get('x-request-id');
  expect(faults).toMatchObject([{ msg: 'request failed', requestId, route, code: 'INTERNAL_ERROR' }]);
  expect(captured).toMatchObject([{ error: { code: '42P01' }, request: { requestId, route } }]);
});

test('a page that fails for many at once is one fault', async () => {
  const answers = await without(['properties'], () =>
    Promise.all(Array.from({ length: 6 }, () => host.anonymous().send('GET', '/search?q=many', PAGE))),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(500));
  expect(host.lines.filter(({ level }) => level === 'error')).toHaveLength(1);
  expect(captured).toHaveLength(1);
  // No one keeps it.
  expect((await host.anonymous().send('GET', '/search?q=many', PAGE)).status).toBe(200);
});
