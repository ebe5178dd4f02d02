import { createHmac, randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { seedProperty } from '../../support/database/seed.ts';
import { eventually } from '../../support/eventually.ts';
import { WEBHOOK_SECRET } from '../../support/http/api-host.ts';
import { type HostProcess, startHostProcess } from '../../support/http/host-process.ts';
import type { Person } from '../../support/http/person.ts';
import { noisy } from '../../support/pictures/photo-fixtures.ts';

/**
 * Many simultaneous bodies without their last byte: how much memory of the API host they hold together, and for how
 * long. A client that sends a complete body meanwhile is answered.
 */
const MIB = 1024 * 1024;
let host: HostProcess;
beforeEach(async () => {
  host = await startHostProcess();
}, 60_000);
afterEach(async () => {
  for (const { socket } of open) socket.destroy();
  open.clear();
  await host.stop();
});

const open = new Set<Unfinished>();
interface Unfinished {
  readonly socket: Socket;
  status: string | null;
  isClosed: boolean;
}

/** Sends the head, then as much of the body as the host accepts. */
function send(head: string, pieces: readonly Uint8Array[]): Unfinished {
  const socket = connect(host.port, '127.0.0.1');
  const one: Unfinished = { socket, status: null, isClosed: false };
  open.add(one);
  socket.on('error', () => undefined);
  socket.on('close', () => {
    one.isClosed = true;
  });
  socket.on('data', (bytes) => {
    one.status ??= /^HTTP\/1.1 (\d{3})/.exec(bytes.toString('latin1'))?.[1] ?? null;
  });
  socket.write(head);
  for (const piece of pieces) socket.write(piece);
  return one;
}

const headOf = (method: string, path: string, headers: Record<string, string | number>) =>
  `${method} ${path} HTTP/1.1\r\nHost: x\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;

const networkOf = (index: number) => `10.${index >> 8}.${index & 255}.1`;

function countsOf(unfinished: readonly Unfinished[]): Record<string, number> {
  const counted: Record<string, number> = {};
  for (const { status } of unfinished) counted[status ?? 'none'] = (counted[status ?? 'none'] ?? 0) + 1;
  return counted;
}

interface Figures {
  /** The largest growth of the host's memory. */
  readonly megabytes: number;
  /** Time until each was answered or closed. */
  readonly seconds: number;
  readonly answers: Record<string, number>;
}

/** Starts the unfinished bodies, runs `meanwhile`, and waits until the host has ended them all. */
async function measured(start: () => Unfinished[], meanwhile: () => Promise<void>): Promise<Figures> {
  host.forgetPeak();
  const before = host.memory().resident;
  const from = performance.now();
  const unfinished = start();
  const outcome = await meanwhile().then(
    () => null,
    (error: Error) => error,
  );
  await eventually(() => unfinished.every(({ status, isClosed }) => status !== null || isClosed), {
    what: `${unfinished.length} unfinished bodies to be answered`,
    timeoutMs: 240_000,
  });
  const seconds = Math.round((performance.now() - from) / 1000);
  const megabytes = Math.round((host.memory().peak - before) / MIB);
  const figures = { megabytes, seconds, answers: countsOf(unfinished) };
  if (process.env.SHOW_FIGURES !== undefined) process.stderr.write(`${JSON.stringify(figures)}\n`);
  if (outcome !== null) throw outcome;
  return figures;
}

const PHOTOS = '/api/property-images';
const AVATAR = '/api/users/avatar';

describe('uploads without their last byte', () => {
  const photo = Buffer.alloc(24 * MIB, 1);
  const avatar = photo.subarray(0, 9 * MIB);
  const END = '\r\n--b--\r\n';
  const FILE = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n';
  const field = (value: string) =>
    `--b\r\nContent-Disposition: form-data; name="propertyId"\r\n\r\n${value}\r\n`;
  const upload = (given: { index: number; person: Person; to: string; start: string }) => {
    const file = given.to === AVATAR ? avatar : photo;
    return send(
      headOf(given.to === AVATAR ? 'PUT' : 'POST', given.to, {
        'x-forwarded-for': networkOf(given.index),
        cookie: given.person.cookie,
        'content-type': 'multipart/form-data; boundary=b',
        'content-length': given.start.length + file.length + END.length,
      }),
      [Buffer.from(given.start), file, Buffer.from(END.slice(0, -1))],
    );
  };

  test('60 of one agent; another agent uploads meanwhile', { timeout: 300_000 }, async () => {
    const [agent, other] = [await host.signedIn(), await host.signedIn()];
    const propertyId = await seedProperty(host.pool, { ownerAgentId: agent.id });
    const start = field(propertyId) + FILE;
    const figures = await measured(
      () => Array.from({ length: 60 }, (_, index) => upload({ index, person: agent, to: PHOTOS, start })),
      async () => {
        const listing = await seedProperty(host.pool, { ownerAgentId: other.id });
        const answer = await other.upload(await noisy(600, 600).jpeg().toBuffer(), { propertyId: listing });
        expect(answer).toMatchObject({ status: 201 });
      },
    );
    expect(figures.megabytes).toBeLessThan(200);
    expect(figures.seconds).toBeLessThan(60);
  });

  test('60 of 60 agents', { timeout: 300_000 }, async () => {
    const agents = await Promise.all(Array.from({ length: 60 }, () => host.signedIn()));
    const listings = await Promise.all(agents.map(({ id }) => seedProperty(host.pool, { ownerAgentId: id })));
    const figures = await measured(
      () =>
        agents.map((person, index) =>
          upload({ index, person, to: PHOTOS, start: field(listings[index] ?? '') + FILE }),
        ),
      async () => {},
    );
    expect(figures.megabytes).toBeLessThan(300);
    expect(figures.seconds).toBeLessThan(60);
  });

  test.each([
    ['of a listing of another agent', 404, PHOTOS, true],
    ['without a session', 401, PHOTOS, false],
    ['of an avatar without a session', 401, AVATAR, false],
  ])('60 %s are rejected before the photo is read', { timeout: 300_000 }, async (_, status, to, signedIn) => {
    const person = signedIn ? await host.signedIn() : { ...(await host.signedIn()), cookie: '' };
    const start = to === AVATAR ? FILE : field(await seedProperty(host.pool)) + FILE;
    const figures = await measured(
      () => Array.from({ length: 60 }, (_, index) => upload({ index, person, to, start })),
      async () => {},
    );
    expect(figures.answers).toEqual({ [status]: 60 });
    expect(figures.megabytes).toBeLessThan(100);
    expect(figures.seconds).toBeLessThan(30);
  });
});

describe('callbacks without their last byte', () => {
  const path = `/api/webhooks/provider/staging/${randomUUID()}`;
  const body = Buffer.alloc(MIB - 1, ' ');
  const key = Buffer.from(WEBHOOK_SECRET.slice('whsec_'.length), 'base64');
  const headers = (signed: string, index: number) => {
    const id = `msg_${randomUUID()}`;
    const timestamp = String(Math.floor(Date.now() / 1000));
    const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${signed}`).digest('base64');
    return {
      'x-forwarded-for': networkOf(index),
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    };
  };

  test.each([
    ['from one network', () => 1],
    ['from as many networks', (index: number) => index],
  ])(
    '1,000 unsigned ones, %s; genuine ones are accepted meanwhile',
    { timeout: 300_000 },
    async (_, from) => {
      const provider = await host.signedIn();
      const figures = await measured(
        () =>
          Array.from({ length: 1000 }, (_, index) =>
            send(headOf('POST', path, { ...headers('', from(index)), 'content-length': MIB }), [body]),
          ),
        async () => {
          const prediction = JSON.stringify({ id: 'p1', status: 'succeeded' });
          for (let count = 0; count < 50; count += 1) {
            const answer = await provider.send('POST', path, {
              body: prediction,
              headers: headers(prediction, 40_000),
            });
            expect(answer.errorCode).toBe('UNKNOWN_ATTEMPT');
          }
        },
      );
      expect(figures.megabytes).toBeLessThan(120);
      expect(figures.seconds).toBeLessThan(25);
    },
  );
});

describe('calls without their last byte', () => {
  test('1,000 of unauthenticated clients; others are answered meanwhile', { timeout: 300_000 }, async () => {
    const agent = await host.signedIn();
    const body = Buffer.alloc(MIB / 4 - 1, ' ');
    const figures = await measured(
      () =>
        Array.from({ length: 1000 }, (_, index) =>
          send(
            headOf('POST', '/api/trpc/users.updateProfile', {
              'x-forwarded-for': networkOf(index),
              'content-type': 'application/json',
              'content-length': MIB / 4,
            }),
            [body],
          ),
        ),
      async () => {
        for (let count = 0; count < 50; count += 1)
          expect((await agent.mutate('users.updateProfile', { name: `Name ${count}` })).status).toBe(200);
      },
    );
    expect(figures.megabytes).toBeLessThan(120);
    expect(figures.seconds).toBeLessThan(40);
  });
});
