import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp, { type ChannelStats } from 'sharp';
import { onTestFinished } from 'vitest';
import { type SimulatorOptions, startSimulator } from '../../../ops/simulator/server.ts';
import { eventually } from '../eventually.ts';

export const TOKEN = 'r8_test';
export const MODEL = 'openai/gpt-image-2';

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely
type Json = any;

interface Answer {
  status: number;
  headers: Headers;
  body: Json;
}

export interface TestSimulator {
  url: string;
  webhookSecret: string;
  dataDir: string;
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  create(input?: Record<string, unknown>, rest?: Record<string, unknown>): Promise<Answer>;
  get(id: string): Promise<Json>;
  /** Polls until it has one of the four ends. */
  ended(id: string): Promise<Json>;
  close(): Promise<void>;
}

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'simulator-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A simulator in this process, instant, with plain pictures; closed when the test ends. */
export async function openSimulator({
  token = TOKEN,
  ...options
}: Partial<Omit<SimulatorOptions, 'token'>> & { token?: string | null } = {}): Promise<TestSimulator> {
  const dataDir = options.dataDir ?? (await temporaryFolder());
  const simulator = await startSimulator({
    speed: 'instant',
    ...(token !== null && { token }),
    ...options,
    dataDir,
  });
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= simulator.close();
    return closing;
  };
  onTestFinished(close);
  const client = clientOf(simulator.url);
  await client.call('POST', '/__control/settings', { pictures: 'plain' });
  return { ...client, url: simulator.url, webhookSecret: simulator.webhookSecret, dataDir, close };
}

export function clientOf(url: string): Pick<TestSimulator, 'call' | 'create' | 'get' | 'ended'> {
  const call: TestSimulator['call'] = async (method, target, body, headers = {}) => {
    const answer = await fetch(url + target, {
      method,
      redirect: 'manual',
      headers: {
        authorization: `Bearer ${TOKEN}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, body: parse(text) };
  };
  const get = async (id: string) => (await call('GET', `/v1/predictions/${id}`)).body;
  return {
    call,
    get,
    create: (input = {}, rest = {}) =>
      call('POST', `/v1/models/${MODEL}/predictions`, { input: { prompt: 'a room', ...input }, ...rest }),
    ended: (id) =>
      eventually(
        async () => {
          const seen = await get(id);
          return ['succeeded', 'failed', 'canceled', 'aborted'].includes(seen.status) ? seen : null;
        },
        { what: `prediction ${id} to end` },
      ),
  };
}

function parse(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export interface Received {
  url: string;
  headers: IncomingHttpHeaders;
  raw: Buffer;
  body: Json;
}

export interface Receiver {
  url: string;
  received: Received[];
  /** Waits for that many requests in all. */
  count(wanted: number): Promise<Received[]>;
}

/** A web server that keeps what it gets; `answer` says what the n-th request (from 1) is answered with. */
export async function startReceiver(
  answer: (attempt: number, res: ServerResponse, req: IncomingMessage) => void = (_attempt, res) =>
    void res.writeHead(200).end(),
): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk);
    const raw = Buffer.concat(chunks);
    received.push({ url: req.url ?? '', headers: req.headers, raw, body: parse(raw.toString()) });
    answer(received.length, res, req);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    count: (wanted) =>
      eventually(() => (received.length >= wanted ? received : null), {
        what: `${wanted} requests to arrive`,
      }),
  };
}

/** A photo of one color, as the object store would serve it. */
export function flatPhoto(width: number, height: number, background = '#c0b8a8'): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background } })
    .jpeg()
    .toBuffer();
}

/** Mean and spread of each channel over a part of a picture. (sharp's own `stats` always looks at the whole input.) */
export async function regionStats(
  bytes: Buffer,
  region: { left: number; top: number; width: number; height: number },
): Promise<ChannelStats[]> {
  const part = await sharp(bytes).extract(region).png().toBuffer();
  return (await sharp(part).stats()).channels;
}
