import { beforeEach, describe, expect, test } from 'vitest';
import { MAX_PHOTO_BYTES } from '../../../machines/limits.ts';
import { PublicError } from '../../../src/errors/errors.ts';
import { BODY_SHARES, BodyBudget, CONNECTION_BYTES } from '../../../src/http/body-budget.ts';
import type { BodyKind } from '../../../src/http/message.ts';
import { RequestBody } from '../../../src/http/request-body.ts';
import { eventually } from '../../support/eventually.ts';
import { connectRaw, statusLine } from '../../support/http/raw-client.ts';
import { gate, type LogLine, memoryLogger, post, startServer, text } from '../../support/http/test-server.ts';

const KIB = 1024;
const SHARE = {
  total: 4000 * KIB,
  large: 3000 * KIB,
  network: 1500 * KIB,
  person: 800 * KIB,
  slowAfterMs: 500,
};
const bodyShares = { calls: SHARE, callbacks: SHARE, entering: SHARE, uploads: SHARE };
/** Limits so high that a test of one share meets no other limit. */
const WIDE = { ...SHARE, network: 4000 * KIB, person: 4000 * KIB };

describe('the budget', () => {
  let logs: LogLine[];
  let now: number;
  let left: string[];
  beforeEach(() => {
    logs = [];
    left = [];
    now = 0;
  });
  const budgetOf = (share = SHARE) =>
    new BodyBudget({
      logger: memoryLogger(logs),
      shares: { calls: share, callbacks: share, entering: share, uploads: share },
      monotonicMs: () => now,
    });
  const open = (
    budget: BodyBudget,
    { name = '', kind = 'calls' as BodyKind, address = '10.0.0.1', person = null as string | null },
  ) => budget.open({ kind, address, person, giveWay: () => left.push(name) });

  test('admits bodies up to the limit of a network, and again after room is released', () => {
    const budget = budgetOf();
    const first = open(budget, {});
    expect(first.holdAtLeast(1500 * KIB)).toBeNull();
    expect(open(budget, {}).holdAtLeast(1)?.code).toBe('SERVICE_UNAVAILABLE');
    expect(open(budget, { address: '10.0.0.2' }).holdAtLeast(1)).toBeNull();
    first.release();
    expect(budget.used('calls')).toBe(1);
    expect(open(budget, {}).holdAtLeast(1500 * KIB)).toBeNull();
  });

  test('counts the addresses of one IPv6 network together', () => {
    const budget = budgetOf();
    expect(open(budget, { address: '2001:db8::1' }).holdAtLeast(1500 * KIB)).toBeNull();
    expect(open(budget, { address: '2001:db8::2' }).holdAtLeast(1)).toBeInstanceOf(PublicError);
  });

  test('reserves a part for small bodies', () => {
    const budget = budgetOf(WIDE);
    expect(open(budget, {}).holdAtLeast(3000 * KIB)).toBeNull();
    expect(open(budget, {}).holdAtLeast(200 * KIB)).toBeInstanceOf(PublicError);
    expect(open(budget, {}).holdAtLeast(64 * KIB)).toBeNull();
  });

  test('gives each kind a share', () => {
    const budget = budgetOf(WIDE);
    expect(open(budget, { kind: 'callbacks' }).holdAtLeast(3000 * KIB)).toBeNull();
    expect(open(budget, { kind: 'calls' }).holdAtLeast(3000 * KIB)).toBeNull();
  });

  test('evicts the slowest body, and none that made progress, is held back or is complete', () => {
    const budget = budgetOf(WIDE);
    for (const name of ['slow', 'slower', 'held back', 'complete'])
      open(budget, { name, address: '10.0.0.9' }).holdAtLeast(0);
    const of = (name: string, bytes: number) => {
      const hold = open(budget, { name });
      expect(hold.holdAtLeast(bytes * KIB)).toBeNull();
      return hold;
    };
    of('complete', 500).finished();
    of('held back', 500).isHeldBack = true;
    const goesOn = of('goes on', 500);
    of('slowest', 500);
    of('slow', 500);
    now = 1000;
    goesOn.wentOn();
    expect(open(budget, {}).holdAtLeast(1000 * KIB)).toBeNull();
    expect(left).toEqual(['slowest']);
    expect(open(budget, {}).holdAtLeast(1500 * KIB)).toBeInstanceOf(PublicError);
    expect(left).toEqual(['slowest']);
  });

  test('no body is evicted for another body of the same person', () => {
    const budget = budgetOf();
    const mine = { kind: 'uploads', person: 'me' } as const;
    expect(open(budget, mine).holdAtLeast(800 * KIB)).toBeNull();
    now = 60_000;
    expect(open(budget, mine).holdAtLeast(KIB)).toBeInstanceOf(PublicError);
    expect(open(budget, { kind: 'uploads', person: 'other' }).holdAtLeast(700 * KIB)).toBeNull();
    expect(left).toEqual([]);
  });

  test('only a limited number of uploads of one person wait', async () => {
    const budget = budgetOf();
    const mine = { kind: 'uploads', person: 'me' } as const;
    expect(open(budget, mine).holdAtLeast(800 * KIB)).toBeNull();
    const waiting = Array.from({ length: 20 }, () => open(budget, mine));
    const waits = waiting.map((hold) => hold.waitFor(KIB));
    expect(await open(budget, mine).waitFor(KIB)).toBeInstanceOf(PublicError);
    for (const hold of waiting) hold.release();
    expect(await Promise.all(waits)).toEqual(Array(20).fill(null));
  });

  test('logs at most once in ten seconds that it is full, with the count', () => {
    const budget = budgetOf();
    const holding = open(budget, {});
    holding.holdAtLeast(1500 * KIB);
    holding.finished();
    for (let refused = 0; refused < 5; refused += 1) open(budget, {}).holdAtLeast(CONNECTION_BYTES);
    now = 10_000;
    open(budget, {}).holdAtLeast(CONNECTION_BYTES);
    const line = { kind: 'calls', heldBytes: 1500 * KIB };
    expect(logs.map(({ fields }) => fields)).toEqual([
      { ...line, refusedBefore: 0 },
      { ...line, refusedBefore: 4 },
    ]);
  });
});

/** A body of `announced` bytes, with the product's shares; `receive` is what its socket reads. Pausing has no effect, as with a socket that is not empty. */
function bodyOf(kind: BodyKind, announced: number) {
  const budget = new BodyBudget({ logger: memoryLogger([]), shares: BODY_SHARES });
  let handler: (chunk: ArrayBuffer, isLast: boolean) => void = () => {};
  const source = {
    onData: (given: typeof handler) => {
      handler = given;
    },
    pause: () => {},
    resume: () => {},
  };
  const body = new RequestBody(source, {
    limit: announced,
    announced,
    timeoutMs: 60_000,
    stallMs: 60_000,
    budget,
    kind,
    address: '10.0.0.1',
    onProgress: () => {},
  });
  return { budget, body, receive: (chunk: ArrayBuffer, isLast: boolean) => handler(chunk, isLast) };
}

test('a whole photo that is in the socket with its head is read before its sender is known', async () => {
  const read = 512 * KIB;
  const announced = MAX_PHOTO_BYTES + read;
  const { budget, body, receive } = bodyOf('uploads', announced);
  expect(body.start()).toBeNull();
  for (let received = read; received <= announced; received += read)
    receive(new ArrayBuffer(read), received === announced);
  expect(budget.used('entering')).toBe(announced + CONNECTION_BYTES);
  await body.letIn('somebody');
  expect([budget.used('entering'), budget.used('uploads')]).toEqual([0, announced + CONNECTION_BYTES]);
  expect(await body.read()).toHaveLength(announced);
});

test('a body that arrives in single bytes is stored in one buffer, not in a million', async () => {
  const { body, receive } = bodyOf('calls', 1024 * KIB);
  body.start();
  const read = body.read();
  const byte = new Uint8Array([120]).buffer;
  const before = process.memoryUsage().heapUsed;
  for (let sent = 1; sent < 1024 * KIB; sent += 1) receive(byte, false);
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(50 * 1024 * KIB);
  receive(byte, true);
  expect((await read).equals(Buffer.alloc(1024 * KIB, 'x'))).toBe(true);
});

describe('over sockets', () => {
  const head = (path: string, length: number) =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`;
  const whole = post('/whole', async (request) => text(`<${(await request.body()).length}>`));
  const upload = post(
    '/upload',
    async (request) => {
      await request.letBodyIn(request.headers.get('x-person') ?? 'somebody');
      return text(`<${(await request.body()).length}>`);
    },
    { bodyKind: 'uploads', bodyLimit: 2000 * KIB },
  );

  test('a body without room is rejected at once with retry-after, and the connection stays open', async () => {
    const { port, logs } = await startServer([whole], { bodyShares });
    const holding = await connectRaw(port);
    holding.send(head('/whole', 1000 * KIB));
    const refused = await connectRaw(port);
    refused.send(head('/whole', 1000 * KIB));
    const transcript = await refused.until(/\}\}$/);
    expect(statusLine(transcript)).toBe('HTTP/1.1 503 Service Unavailable');
    expect(transcript).toMatch(/^retry-after: 2$/im);
    refused.send(new Uint8Array(1000 * KIB));
    refused.send(`${head('/whole', 3)}abc`);
    await refused.until(/<3>/);
    expect(logs.map(({ message }) => message)).toEqual(['no room for more request bodies']);
    holding.send(new Uint8Array(1000 * KIB));
    await holding.until(/<1024000>/);
  });

  test('a stalled body is evicted for another, and its client is answered', async () => {
    const { port } = await startServer([whole], { bodyShares });
    const still = await connectRaw(port);
    still.send(head('/whole', 1000 * KIB));
    still.send(new Uint8Array(1000 * KIB - 1));
    await eventually(
      async () => {
        const next = await connectRaw(port);
        next.send(head('/whole', 1000 * KIB));
        next.send(new Uint8Array(1000 * KIB));
        return statusLine(await next.until(/HTTP\/1.1 \d+/)) === 'HTTP/1.1 200 OK';
      },
      { what: 'room' },
    );
    expect(statusLine(await still.until(/\}\}$/))).toBe('HTTP/1.1 503 Service Unavailable');
  });

  test('an upload waits unread for its turn, and is admitted when another is done', async () => {
    const { port } = await startServer([upload], { bodyShares });
    const first = await connectRaw(port);
    first.send(head('/upload', 700 * KIB));
    // Not slow, so that only its end can make room.
    const keepGoing = new Uint8Array(66 * KIB);
    for (let sent = 0; sent < 3; sent += 1) first.send(keepGoing);
    const second = await connectRaw(port);
    second.send(head('/upload', 700 * KIB));
    second.send(new Uint8Array(700 * KIB));
    first.send(new Uint8Array(700 * KIB - 3 * keepGoing.length));
    await first.until(/<716800>/);
    await second.until(/<716800>/);
  });

  test('an upload is not read before its route has decided', async () => {
    const decided = gate();
    const { port } = await startServer(
      [
        post(
          '/upload',
          async (request) => {
            await decided.opened;
            await request.letBodyIn('somebody');
            return text(`<${(await request.body()).length}>`);
          },
          { bodyKind: 'uploads', bodyLimit: 64 * 1024 * KIB },
        ),
      ],
      {
        bodyShares: {
          ...bodyShares,
          uploads: { total: 1e9, large: 1e9, network: 1e9, person: 1e9, slowAfterMs: 500 },
        },
      },
    );
    const connection = await connectRaw(port);
    connection.send(head('/upload', 40_000 * KIB));
    connection.send(new Uint8Array(40_000 * KIB));
    let unsent = connection.socket.writableLength;
    let steady = 0;
    await eventually(
      () => {
        steady = unsent === connection.socket.writableLength ? steady + 1 : 0;
        unsent = connection.socket.writableLength;
        return steady > 20;
      },
      { what: 'the client to be held back' },
    );
    expect(unsent).toBeGreaterThan(20_000 * KIB);
    decided.open();
    await connection.until(/<40960000>/);
  });
});
