import { beforeAll, describe, expect, test } from 'vitest';
import { inertServices, readProcedures } from '../../../ops/codegen/api/procedures.ts';
import { routesOf } from '../../../src/web/compose.ts';
import { useApiHost } from '../../support/http/api-host.ts';
import type { Answer } from '../../support/http/person.ts';
import { createLeakWorld, everyRow, type LeakWorld } from '../../support/worlds/leak-world.ts';
import { type LeakRequest, PROCEDURES, ROUTES, twinOf, type Way } from './leak-ways.ts';

/**
 * Nothing private leaks (docs/contract.md#permission): an unauthenticated caller, a customer and another agent send
 * every id of an agent's property to every procedure and every route, and get, byte by byte, the answer for an id that
 * does not exist.
 */
let world: LeakWorld;
const host = useApiHost();
beforeAll(async () => {
  world = await createLeakWorld(host);
});

const inert = inertServices() as never;
const BUILT = routesOf(inert, inert, { readiness: inert, site: null }).map(
  ({ methods, path }) => `${methods === '*' ? '*' : methods.join(',')} ${path}`,
);
const ALL: [string, LeakRequest][] = [...Object.entries(PROCEDURES), ...Object.entries(ROUTES)];

test('no procedure and no route is forgotten', () => {
  expect(Object.keys(PROCEDURES).toSorted()).toEqual(readProcedures().map(({ path }) => path));
  expect(Object.keys(ROUTES).toSorted()).toEqual(BUILT.toSorted());
});

const heard = ({ status, text, headers }: Answer, id: string) => ({
  status,
  // An answer may repeat what was sent.
  text: text.replaceAll(id, '<id>'),
  headers: [...headers]
    .filter(([name]) => name !== 'date' && name !== 'x-request-id')
    .map(([name, value]) => [name, value.replaceAll(id, '<id>')]),
});
const shownOf = ({ kind }: Way): readonly string[] =>
  kind === 'property' || kind === 'image' || kind === 'stagedPicture' ? world.shown[kind] : [];

function expectNoSecrets({ text, headers }: Answer, sent: string | null): void {
  const all = `${text}\n${[...headers].flat().join('\n')}`;
  expect(world.secrets.filter((secret) => secret !== sent && all.includes(secret))).toEqual([]);
}

/** Tables that the callers may change: their own rows, and stored copies of public pictures. */
const lawful = async () => {
  const people = world.outsiders.map(([, { id }]) => id).filter((id) => id !== '');
  const invitations = await host.rows<{ id: string }>(
    'select id from agent_invitations where "invitedById" = any($1)',
    [people],
  );
  const threads = await host.rows<{ id: string }>(
    'select id from message_threads where "customerId" = any($1)',
    [people],
  );
  return [
    'renditions/',
    // Mails of the tours that they request, and of their invitations.
    '"side": ',
    // What webhooks of the agents say of these tours.
    '"event": "tour.requested"',
    // Reports of wrong data, which need no account.
    '"note": "Sold."',
    // Mails of the questions that they ask.
    ...threads.map(({ id }) => `"${id}"`),
    ...invitations.map(({ id }) => `"${id}"`),
    ...people.flatMap((id) => [`"${id}"`, `user:${id}`]),
  ];
};

async function getsAlerts(way: Way, person: LeakWorld['insiders'][number], id: string): Promise<boolean> {
  const [twin, theirs] = [twinOf(id), await way.ask(person, id, world)];
  const unknown = await way.ask(person, twin, world);
  return JSON.stringify(heard(theirs, id)) !== JSON.stringify(heard(unknown, twin));
}

describe('outsiders get nothing private', () => {
  test.each(ALL.filter(([, { ways }]) => ways.length > 0))('%s', async (_, { ways }) => {
    const before = { rows: await everyRow(host), objects: await host.objectKeys(), hints: hints() };
    for (const [who, person] of world.outsiders) {
      for (const way of ways) {
        const ids = [...world.hidden[way.kind], ...(way.isOpen ? [] : shownOf(way))];
        expect(ids.length).toBeGreaterThan(0);
        for (const id of ids) {
          const [twin, theirs] = [twinOf(id), await way.ask(person, id, world)];
          expect(theirs.status, theirs.text).toBeLessThan(500);
          expect(heard(theirs, id), `${who}, ${way.kind} ${id}`).toEqual(
            heard(await way.ask(person, twin, world), twin),
          );
          expectNoSecrets(theirs, id);
        }
      }
    }
    expect({ rows: await everyRow(host), objects: await host.objectKeys(), hints: hints() }).toEqual(before);
  });
});

describe('outsiders see public data without private fields', () => {
  test.each(ALL)('%s', async (_, { ways, plain = [] }) => {
    const before = { rows: await everyRow(host, await lawful()), hints: hints() };
    for (const [who, person] of world.outsiders) {
      for (const way of ways.filter(({ isOpen }) => isOpen))
        for (const id of shownOf(way)) {
          const answer = await way.ask(person, id, world);
          expect(answer.status, answer.text).toBeLessThan(500);
          expectNoSecrets(answer, id);
        }
      // Last, because it makes the customer an agent.
      if (plain === PROCEDURES['users.becomeAgent']?.plain && who !== 'nobody') continue;
      for (const ask of plain) {
        const answer = await ask(person);
        expect(answer.status, answer.text).toBeLessThan(500);
        expectNoSecrets(answer, null);
      }
    }
    expect({ rows: await everyRow(host, await lawful()), hints: hints() }).toEqual(before);
  });
});

const hints = () => [
  ...host.searched,
  ...[host.queue, host.descriptions].flatMap(({ enqueued, removed }) => [...enqueued, ...removed]),
];

test('becoming an agent shows nothing of others', async () => {
  for (const [, person] of world.outsiders.slice(1))
    for (const ask of PROCEDURES['users.becomeAgent']?.plain ?? []) expectNoSecrets(await ask(person), null);
});

describe('the crawler notices a difference', () => {
  test.each(ALL.filter(([, { ways }]) => ways.some(({ sameForInsiders }) => sameForInsiders === undefined)))(
    '%s: its owners get more',
    async (_, { ways }) => {
      for (const way of ways.filter(({ sameForInsiders }) => sameForInsiders === undefined)) {
        const asked = world.insiders.flatMap((person) =>
          [...world.hidden[way.kind], ...shownOf(way)].map((id) => ({ person, id })),
        );
        let told = false;
        for (const { person, id } of asked) told ||= await getsAlerts(way, person, id);
        expect(told, way.kind).toBe(true);
      }
    },
  );
});
