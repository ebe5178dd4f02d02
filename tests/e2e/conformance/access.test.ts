import { describe, expect, test } from 'vitest';
import { inertServices, readProcedures } from '../../../ops/codegen/api/procedures.ts';
import { routesOf } from '../../../src/web/compose.ts';
import { useApiHost } from '../../support/http/api-host.ts';
import { basicOf, OPERATOR } from '../../support/http/console-host.ts';
import type { Answer } from '../../support/http/person.ts';
import { VAPID_SETTINGS } from '../../support/http/push-service.ts';
import { MANUAL_EPOCH } from '../../support/manual-time.ts';
import { PROCEDURE_ACCESS, ROUTE_ACCESS, type Send, type Told } from './access.ts';
import { CALLERS, type Caller, createHome, type Home } from './access-world.ts';

/**
 * Every procedure and every route for every kind of caller: who is admitted, and with which error the others are
 * rejected.
 */
const host = useApiHost({
  settings: {
    AI_ROOM_STAGING_ENABLED: 'true',
    SECURITY_CONTACT: 'mailto:security@example.com',
    ...VAPID_SETTINGS,
  },
  overrides: { clock: { now: () => MANUAL_EPOCH } },
});

const PROCEDURES = readProcedures();
const inert = inertServices() as never;
const ROUTES = routesOf(inert, inert, { readiness: inert, site: null }).map(
  ({ methods, path }) => `${methods === '*' ? '*' : methods.join(',')} ${path}`,
);

describe('the table', () => {
  test.each([
    ...PROCEDURES.map(({ path }) => [path, PROCEDURE_ACCESS] as const),
    ...ROUTES.map((route) => [route, ROUTE_ACCESS] as const),
  ])('has a line for %s', (name, table) => {
    const how =
      `Say in tests/e2e/conformance/access.ts who may call ${name}: a line such as` +
      ` '${name}': to(agentsOfListing, listing), with an audience of that file and an input that is valid.`;
    expect(Object.hasOwn(table, name), how).toBe(true);
  });
  test('has no line for a procedure or route that no longer exists', () => {
    expect(Object.keys(PROCEDURE_ACCESS).toSorted()).toEqual(PROCEDURES.map(({ path }) => path));
    expect(Object.keys(ROUTE_ACCESS).toSorted()).toEqual(ROUTES.toSorted());
  });
  test.each(PROCEDURES)('agrees with docs/api.md about $path: $who', ({ path, who }) => {
    expect(PROCEDURE_ACCESS[path]?.audience.who).toBe(who);
  });
});

/** The request as the caller sends it; the operator sends the console's credentials. */
function sendAs(home: Home, caller: Caller): Send {
  const { send } = home.people[caller];
  if (caller !== 'operator') return send;
  const credentials = { authorization: basicOf(OPERATOR), cookie: 'operator=x' };
  return (method, path, init = {}) =>
    send(method, path, { ...init, headers: { ...init.headers, ...credentials } });
}

/** Answers that do not depend on permission would hide who is admitted. */
const NO_ANSWER: readonly (string | undefined)[] = ['INVALID_INPUT', 'RATE_LIMITED'];
const REFUSED: readonly (string | undefined)[] = ['UNAUTHORIZED', 'AGENT_REQUIRED', 'FORBIDDEN', 'NOT_FOUND'];

function toldBy({ status, errorCode, text }: Answer): string {
  if (status >= 500 || NO_ANSWER.includes(errorCode)) return `${status} ${text}`;
  if (REFUSED.includes(errorCode) || errorCode === 'WEBHOOK_SIGNATURE_INVALID') return String(errorCode);
  return 'in';
}

async function everybody(ask: (send: Send, home: Home) => Promise<Answer>): Promise<Record<string, string>> {
  const delivery = CALLERS.map(async (caller) => {
    const home = await createHome(host);
    return [caller, toldBy(await ask(sendAs(home, caller), home))] as const;
  });
  return Object.fromEntries(await Promise.all(delivery));
}

describe('procedures', () => {
  test.each(PROCEDURES)('$path', async ({ path, kind }) => {
    const { audience, input } = PROCEDURE_ACCESS[path] ?? {};
    const delivery = await everybody(async (send, home) => {
      const json = await input?.(home);
      const body = JSON.stringify({ json: json ?? null });
      if (kind === 'mutation') return send('POST', `/api/trpc/${path}`, { body });
      const query = json === undefined ? '' : `?input=${encodeURIComponent(body)}`;
      return send('GET', `/api/trpc/${path}${query}`);
    });
    expect(delivery).toEqual(audience?.told satisfies Record<string, Told> | undefined);
  });
});

describe('routes', () => {
  test.each(ROUTES)('%s', async (route) => {
    const access = ROUTE_ACCESS[route];
    if (access === undefined) throw new Error('see the table');
    expect(await everybody(access.ask)).toEqual(access.audience.told);
  });
});
