/**
 * Each attack from outside that could end or starve the API host, against a web role with 1 GB of memory, while
 * ordinary visitors call. `HOSTILE_FIGURES=yes` prints what was measured.
 */
import { readdir } from 'node:fs/promises';
import { request } from 'undici';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { readMail } from '../../../ops/dev/stack/mailbox.ts';
import { eventually } from '../../support/eventually.ts';
import { REPEATED_ADDRESS } from './attacks/bodies.ts';
import { FLOODED_DOMAIN } from './attacks/mails.ts';
import type { AttackName } from './attacks.ts';
import { disservices, openPage, orderPictures, type Service, usePictures } from './bystanders.ts';
import { damage, isSlowed, type Onslaught, withstand } from './onslaught.ts';
import { signInMeanwhile } from './victim.ts';
import { FIRST_DAY_QUOTA, MAILS_PER_PERSON_HOUR, startWorld, TOURS_A_DAY, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterEach(() => world.restoreWeb());
afterAll(() => world.stop());

function tell(what: string, figures: object): void {
  if (process.env.HOSTILE_FIGURES === 'yes') process.stderr.write(`${what} ${JSON.stringify(figures)}\n`);
}

/** Other load on the machine slows single rounds; an effect of the attack appears in all rounds. */
const ROUNDS = 3;
/** Attacks that use processors or bandwidth even if the server rejects them. */
const BUSY: readonly AttackName[] = [
  'renditionFlood',
  'withheldUploads',
  'unsignedCallbacks',
  'slowPictures',
  'dearQuestions',
];
const CODES_PER_NETWORK_HOUR = 60;
/** The time that the attacker needs to send everything. */
const SENDING_MS = 12_000;

async function sending(): Promise<void> {
  const until = performance.now() + SENDING_MS;
  await eventually(() => performance.now() >= until, { what: 'everything to be sent' });
}

/** Fails for any damage, and when visitors are slower in every round. Rounds are numbered from 0. */
async function withstands(
  name: AttackName,
  meanwhile: (round: number) => Promise<void> = async () => {},
): Promise<Onslaught['answers']> {
  const waits: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const seen = await withstand(world, name, { meanwhile: () => meanwhile(round) });
    tell(name, seen);
    expect(damage(seen)).toEqual([]);
    if (!isSlowed(seen, { isBusy: BUSY.includes(name) })) return seen.answers;
    waits.push(`${seen.attackedP99} ms, ${seen.calmP99} ms without the attack`);
  }
  expect.fail(`visitors' p99 was ${waits.join('; ')}`);
}

test('inputs of types that become huge when built', async () => {
  expect(Object.keys(await withstands('typedArrayMeta'))).toEqual(['400']);
});

test('deeply nested inputs', async () => {
  const answers = await withstands('recursiveMeta');
  expect(Object.keys(answers)).toEqual(['400']);
  expect(answers[400]).toBeGreaterThan(50);
});

test('pictures of few pixels with an extreme side', async () => {
  const answers = await withstands('longPictures');
  expect(Object.keys(answers)).toEqual(['413']);
});

test('sixty uploads without their last byte', async () => {
  const answers = await withstands('withheldUploads', sending);
  expect(Object.keys(answers).filter((answer) => /^2|500/.test(answer))).toEqual([]);
});

test('one address requests every size of large pictures', async () => {
  const services: Service[] = [];
  const answers = await withstands('renditionFlood', async (round) => {
    services.push(...(await usePictures(world, round)));
  });
  tell('pictures of others', services);
  expect(disservices(services)).toEqual([]);
  expect(Object.keys(answers).filter((answer) => !['200', '503'].includes(answer))).toEqual([]);
  const crowded = world.platform.lines.filter((line) => line.includes('part of the system is away'));
  expect(crowded).toEqual([]);
});

test('sixty unusual sizes of a picture leave room for the standard sizes', async () => {
  const imageId = world.photoIds.at(-1);
  const show = async (query: string) => {
    const { statusCode, body } = await request(`${world.target.origin}/api/images/${imageId}?${query}`);
    await body.dump();
    expect(statusCode).toBe(200);
  };
  const sides = [64, 128, 256, 384];
  const odd = sides.flatMap((w) => sides.flatMap((h) => [40, 60, 80, 90].map((q) => `w=${w}&h=${h}&q=${q}`)));
  for (const query of odd.slice(0, 60)) await show(`${query}&format=jpeg`);
  await show('w=512&format=webp');
  await eventually(
    async () => {
      const kept = await world.platform.rows<{ variant: string }>(
        'select variant from image_renditions where "imageId" = $1',
        [imageId],
      );
      return kept.some(({ variant }) => /contain-512x\d+-q80\.webp$/.test(variant));
    },
    { what: "the ladder's size to be kept", timeoutMs: 10_000 },
  );
});

test('a thousand endless callbacks without a valid signature', async () => {
  const answers = await withstands('unsignedCallbacks', sending);
  expect(Object.keys(answers).filter((answer) => /^2|500/.test(answer))).toEqual([]);
});

test('two thousand connections that send single bytes slowly', async () => {
  const answers = await withstands('slowConnections');
  expect(Object.keys(answers).filter((answer) => /^2|500/.test(answer))).toEqual([]);
});

test('a client requests codes for the address of another person, and tries them', async () => {
  await withstands('lockOut', (round) => (round === 0 ? signInMeanwhile(world) : Promise.resolve()));
});

test('requests hidden in bodies that two parsers could read differently', async () => {
  const answers = await withstands('smuggling');
  expect(Object.keys(answers).filter((answer) => answer.includes('+') || answer.startsWith('2'))).toEqual([]);
});

test('long queries, in bodies and in addresses', async () => {
  const answers = await withstands('longQueries');
  expect(Object.keys(answers).toSorted()).toEqual(['address 431', 'body 200']);
});

test('small bodies that decompress to large ones', async () => {
  const answers = await withstands('gzipBombs');
  expect(Object.keys(answers).filter((answer) => !/^4/.test(answer))).toEqual([]);
});

test('a new account submits a hundred and twenty pictures', async () => {
  const services: Service[] = [];
  const answers = await withstands('manyOrders', async (round) => {
    services.push(...(await orderPictures(world.agent, world.photoIds.slice(round * 2, round * 2 + 2))));
  });
  expect(disservices(services)).toEqual([]);
  const [{ count } = { count: 0 }] = await world.platform.rows<{ count: number }>(
    'select count(*)::int as count from ai_jobs where "propertyId" = $1',
    [world.target.propertyId],
  );
  expect(count).toBeLessThanOrEqual(FIRST_DAY_QUOTA);
  expect(Object.keys(answers).filter((answer) => answer.startsWith('4'))).not.toEqual([]);
  expect(answers).not.toHaveProperty('500');
});

test('one call repeated under one idempotency key', async () => {
  const answers = await withstands('repeatsInFlight');
  const made = await world.platform.rows('select from properties where address = $1', [REPEATED_ADDRESS]);
  // Each round has a key of its own.
  expect(made.length).toBeLessThanOrEqual(ROUNDS);
  expect(Object.keys(answers).filter((answer) => !['200', '409'].includes(answer))).toEqual([]);
});

test('one address requests pages that were never rendered', async () => {
  const pages: Service[] = [];
  const answers = await withstands('pageFlood', async (round) => {
    for (let visitor = 0; visitor < 10; visitor += 1) pages.push(await openPage(world, round * 10 + visitor));
  });
  tell('pages of others', pages);
  expect(disservices(pages)).toEqual([]);
  // How many are refused depends on the machine.
  expect(Object.keys(answers).filter((answer) => !['200 HTML', '503 HTML'].includes(answer))).toEqual([]);
});

test('twenty addresses ask the dearest question, one at a time each', async () => {
  const answers = await withstands('dearQuestions');
  expect(Object.keys(answers).filter((answer) => !['200', '429', '503'].includes(answer))).toEqual([]);
});

test('an account uploads small files that take a decoder seconds', async () => {
  const services: Service[] = [];
  const answers = await withstands('slowPictures', async (round) => {
    services.push(...(await usePictures(world, round)));
  });
  tell('pictures of others', services);
  expect(disservices(services)).toEqual([]);
  expect(Object.keys(answers).filter((answer) => /^5(?!03)/.test(answer))).toEqual([]);
});

test('one address requests sign-in codes for one made-up person after the other', async () => {
  const answers = await withstands('codeFlood');
  expect(Object.keys(answers).filter((answer) => !['200', '429'].includes(answer))).toEqual([]);
  const mails = (await readdir(world.platform.mailDir)).filter((name) => name.includes(FLOODED_DOMAIN));
  expect(mails.length).toBeLessThanOrEqual(CODES_PER_NETWORK_HOUR);
});

test('an account requests a tour of every home of an agent', async () => {
  const answers = await withstands('tourFlood');
  expect(Object.keys(answers).filter((answer) => !['200', '429'].includes(answer))).toEqual([]);
  const count = async (sql: string): Promise<number> => {
    const [row] = await world.platform.rows<{ count: number }>(`select count(*)::int as count ${sql}`);
    return row?.count ?? -1;
  };
  expect(await count('from tours')).toBe(TOURS_A_DAY);
  await eventually(async () => (await count('from tour_mails')) === 0, {
    what: 'the mails to be sent or held',
    timeoutMs: 60_000,
  });
  const mails = await readMail(world.platform.mailDir, { to: world.agent.email });
  const aboutTours = mails.filter(({ email }) => !/\b\d{6}\b/.test(email.subject ?? ''));
  expect(aboutTours.length).toBeLessThanOrEqual(MAILS_PER_PERSON_HOUR + 1);
});
