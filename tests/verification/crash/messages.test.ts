import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RoleProcess } from '../../../ops/dev/stack/role-process.ts';
import { onWeb, type Person, signIn } from '../../support/platform/agent.ts';
import { createListing } from '../../support/platform/listing.ts';
import { openStagingWorld, type StagingWorld } from '../../support/platform/staging-world.ts';
import { NAMED_POINTS, WEB_POINTS } from './named-points.ts';
import { openPostgresGate, type PostgresGate } from './outages/postgres-gate.ts';

/**
 * A message is written and its web process is killed with SIGKILL, before the commit and after it. The same call is sent
 * again: both sides see each message once, in the same order.
 */
const TEST_MS = 60_000;
const GATED = 1;
let world: StagingWorld;
let gate: PostgresGate;
let gatedWeb: RoleProcess | undefined;
let customer: Person;
let propertyId: string;
let customerId: string;

const startGatedWeb = async () => {
  gatedWeb = await world.platform.startWeb({ DATABASE_URL: gate.url }, GATED);
  await gatedWeb.ready;
};

beforeAll(async () => {
  world = await openStagingWorld({ workers: 0 });
  gate = await openPostgresGate(String(world.platform.pool.options.connectionString));
  await startGatedWeb();
  propertyId = await createListing(world.agent);
  await world.platform.rows(`update properties set "standardStatus" = 'Active' where id = $1`, [propertyId]);
  customer = await signIn(world.platform, { agent: false });
  customerId = (await customer.mutate('users.updateProfile', { name: 'Carla' })).data.id;
}, 60_000);
afterAll(async () => {
  await world.close();
  await gate.close();
});

const texts = async (person: Person): Promise<string[]> =>
  (await person.query('messages.list', { propertyId, customerId })).data.items.map(
    ({ text }: { text: string }) => text,
  );
const written: string[] = [];

/** Kills the process at the point, and sends the same call to the next one. */
async function killedOnce(
  point: (typeof WEB_POINTS)[number],
  by: () => Person,
  procedure: string,
  input: object,
) {
  if (gatedWeb?.isRunning() !== true) await startGatedWeb();
  const doomed = gatedWeb;
  // The gate reads the statements with their values: the text must not be one of its words.
  const text = `Message ${written.length + 1}`;
  const call = { ...input, messageId: randomUUID(), text };
  const cut = gate.cutAt(point, 'INSERT INTO messages', () => {
    process.kill(doomed?.pid ?? 0, 'SIGKILL');
  });
  const unanswered = expect(by().mutate(procedure, call)).rejects.toThrow();
  await cut;
  await unanswered;
  expect(await doomed?.exited).toEqual({ code: null, signal: 'SIGKILL' });
  await startGatedWeb();
  for (let time = 0; time < 2; time += 1) expect((await by().mutate(procedure, call)).status).toBe(200);
  written.push(text);
  for (const person of [customer, world.agent]) expect(await texts(person)).toEqual(written);
}

describe.each(WEB_POINTS)('a web process is killed %s', (point) => {
  test(
    `while a question is asked and answered (${NAMED_POINTS[point].meaning}): each message once, in order`,
    async () => {
      await killedOnce(point, () => onWeb(world.platform, customer, GATED), 'messages.open', { propertyId });
      const list = await world.agent.query('messages.list', { propertyId, customerId });
      const { threadId } = list.data.thread;
      await killedOnce(point, () => onWeb(world.platform, world.agent, GATED), 'messages.send', { threadId });
    },
    TEST_MS,
  );
});
