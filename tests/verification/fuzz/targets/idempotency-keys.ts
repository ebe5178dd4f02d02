import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { Answer, Person } from '../../../support/http/person.ts';
import { defineTarget } from '../target.ts';
import { type HostWorld, sendLoosely } from '../worlds/host-world.ts';

interface Step {
  readonly who: 'owner' | 'otherAgent' | 'customer';
  readonly call: number;
  readonly input: number;
  /** Which of the run's keys. */
  readonly key: number;
}
interface Run {
  readonly keys: readonly string[];
  readonly steps: readonly Step[];
}

const VALID = /^[ -~]{1,255}$/;
/** Every text that the client's HTTP library accepts as a header value. */
const sendable = fc
  .string({
    unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)),
    maxLength: 300,
  })
  .filter((text) => !text.includes('\x7f'));
const printable = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 255 });
const key = fc.oneof(
  { arbitrary: printable, weight: 6 },
  { arbitrary: sendable, weight: 2 },
  { arbitrary: fc.constantFrom('', 'k'.repeat(256), 'k'.repeat(4_000), 'a\tb'), weight: 1 },
);

/** A valid key that begins with the run's own text, so that it is new. */
const ofThisRun = (given: string, run: string): string =>
  VALID.test(given) ? `${run}${given}`.slice(0, 255).trim() : given;

type Ask = (input: number) => { method: string; path: string; body: string };
const procedure =
  (path: string, inputs: readonly unknown[]): Ask =>
  (input) => ({ method: 'POST', path: `/api/trpc/${path}`, body: JSON.stringify({ json: inputs[input] }) });

/** The calls; every input is valid up to the check of the key. */
function callsOf({ rows }: HostWorld, address: string): Ask[] {
  const [shown] = rows.shown.property;
  const [hidden] = rows.hidden.property;
  const [image] = rows.hidden.image;
  const home = { listPrice: 1, address, city: 'A' };
  return [
    procedure('properties.create', [home, { ...home, city: 'B' }, { ...home, city: '' }]),
    procedure('users.updateProfile', [{ locale: 'en' }, { locale: 'es' }, { locale: 'xx' }]),
    procedure('favorites.add', [{ propertyId: shown }, { propertyId: hidden }, { propertyId: 'x' }]),
    procedure('ai.approveStagedVariant', [{ imageId: image }, { imageId: shown }, {}]),
    (input) => ({
      method: 'PATCH',
      path: `/api/property-images/${image}`,
      body: ['{"position":0}', '{"position":1}', '{"isMain":true}'][input] ?? '',
    }),
  ];
}

/** Indexes of the list above. */
const [CREATE, ROUTE] = [0, 4];

/** The route rejects customers before it reads a key, as the guards of procedures do. */
const GUARDED: readonly (string | undefined)[] = ['AGENT_REQUIRED', 'UNAUTHORIZED'];
const isGuarded = (step: Step, { errorCode }: Answer) =>
  GUARDED.includes(errorCode) || (step.call === ROUTE && step.who === 'customer');

const RAREST_FIRST = ['repeated', 'INVALID_INPUT', 'reused'];

/** Repeated calls with keys, compared with the expected answers. */
export const idempotencyKeys = defineTarget<HostWorld, Run>({
  name: 'idempotency-keys',
  about: 'Idempotency-Key headers: odd keys, repeats, other inputs, other people',
  runs: 60,
  mustSee: ['repeated', 'reused', 'INVALID_INPUT'],
  input: () =>
    fc.record({
      keys: fc.array(key, { minLength: 1, maxLength: 2 }),
      steps: fc.array(
        fc.record({
          who: fc.constantFrom('owner', 'owner', 'otherAgent', 'customer'),
          call: fc.constantFrom(0, 0, 1, 1, 2, 3, 4),
          input: fc.constantFrom(0, 0, 0, 1, 2),
          key: fc.nat({ max: 1 }),
        }),
        { minLength: 3, maxLength: 8 },
      ),
    }),
  async feed({ keys, steps }, world) {
    const address = randomUUID();
    const calls = callsOf(world, address);
    const first = new Map<string, { input: number; answer: Answer }>();
    const seen = new Set<string>();
    for (const step of steps) {
      const [ask, given] = [calls[step.call], ofThisRun(keys[step.key % keys.length] ?? '', address)];
      // The HTTP library cuts off everything beyond ASCII, so the remaining key is not defined.
      const getsAlerts = /^[ -~\t]*$/.test(given) && given.trim() === given;
      if (ask === undefined || (!getsAlerts && step.call === CREATE)) continue;
      const answer = await sendOne(world, world.people[step.who], { ...ask(step.input), key: given });
      if (answer === null || isGuarded(step, answer) || !getsAlerts) continue;
      if (!VALID.test(given)) {
        expect(answer.errorCode, 'an odd key was taken').toBe('INVALID_INPUT');
        seen.add('INVALID_INPUT');
        continue;
      }
      const name = JSON.stringify([step.who, step.call, given]);
      const earlier = first.get(name);
      if (earlier === undefined) {
        expect(answer.errorCode ?? '').not.toMatch(/^IDEMPOTENCY/);
        first.set(name, { input: step.input, answer });
      } else if (earlier.input === step.input) {
        expect([answer.status, answer.text]).toEqual([earlier.answer.status, earlier.answer.text]);
        seen.add('repeated');
      } else {
        expect(answer.errorCode).toBe('IDEMPOTENCY_KEY_REUSED');
        seen.add('reused');
      }
    }
    await expectEachOnce(world, address, first);
    return RAREST_FIRST.find((outcome) => seen.has(outcome)) ?? 'once';
  },
});

async function sendOne(
  world: HostWorld,
  person: Person,
  { method, path, body, key: sent }: { method: string; path: string; body: string; key: string },
): Promise<Answer | null> {
  let answer: Answer | null = null;
  const headers = { 'idempotency-key': sent };
  const send = async () => {
    answer = await sendLoosely(person, method, path, { body, headers });
    return answer;
  };
  const family = path.startsWith('/api/trpc/') ? 'procedure' : 'route';
  await world.judge(family, send, { mayChange: ['idempotency_keys'] });
  return answer;
}

/** The listings of this run are exactly those named in answers. */
async function expectEachOnce(
  { host }: HostWorld,
  address: string,
  first: ReadonlyMap<string, { answer: Answer }>,
): Promise<void> {
  const told = [...first.values()].flatMap(({ answer }) =>
    answer.status === 200 && typeof answer.data?.propertyId === 'string' && answer.data.favorite === undefined
      ? [answer.data.propertyId]
      : [],
  );
  const made = await host.rows<{ id: string }>('select id from properties where address = $1', [address]);
  expect(made.map(({ id }) => id).toSorted()).toEqual(told.toSorted());
}
