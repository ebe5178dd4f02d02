import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { type FeedContext, odataAnswer, type RuleSet } from './answers.ts';
import { type Control, createControl } from './control.ts';
import { createFaultSwitches } from './faults.ts';
import { createFeedStore } from './feed-store.ts';
import { hugePhoto, photoOf } from './media.ts';
import { createTokens, type Tokens } from './tokens.ts';

export interface FeedSimulatorOptions {
  readonly port?: number;
  readonly host?: string;
  readonly seed?: number;
  readonly listings?: number;
  /** Pictures of each listing. */
  readonly media?: number;
  readonly rules?: RuleSet;
  readonly page?: number;
  readonly quotes?: boolean;
  /** The only Bearer token that is taken, besides access tokens; null takes any. */
  readonly token?: string | null;
  now?(): number;
}

export interface FeedSimulator {
  /** The service root. */
  readonly url: string;
  readonly control: Control;
  close(): Promise<void>;
}

const PATH = '/reso/odata';

/** A RESO feed on a real socket, whose records are drawn from a seed. All its state is in memory. */
export async function startFeedSimulator(options: FeedSimulatorOptions = {}): Promise<FeedSimulator> {
  const { host = '127.0.0.1', port = 0, rules = 'plain', page = 1_000, now = Date.now } = options;
  const server = createServer();
  const origin = () => `http://${host}:${(server.address() as AddressInfo).port}`;
  const faults = createFaultSwitches();
  const store = createFeedStore({
    seed: options.seed ?? 1,
    prefix: rules === 'mls-grid' ? 'ACT' : '',
    system: 'actris',
    quotes: options.quotes ?? false,
    listings: options.listings ?? 100,
    media: options.media ?? 2,
    mediaRoot: origin,
    now,
    cutsDigits: () => faults.isOn('cut-digits'),
    commitsLate: () => faults.isOn('late-commits'),
  });
  const control = createControl(store, faults);
  const tokens = createTokens(options.token ?? null);
  const context: FeedContext = {
    store,
    faults,
    rules,
    page,
    root: () => `${origin()}${PATH}`,
    last: { page: null },
  };
  server.on('request', (request, response) => {
    response.setHeader('date', new Date(now()).toUTCString());
    handle({ request, response }, { context, control, tokens }).catch((problem: unknown) => {
      process.stderr.write(`${problem instanceof Error ? problem.stack : problem}\n`);
      response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  return {
    url: `${origin()}${PATH}`,
    control,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Turn {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}
interface Parts {
  readonly context: FeedContext;
  readonly control: Control;
  readonly tokens: Tokens;
}

async function handle({ request, response }: Turn, parts: Parts): Promise<void> {
  const { context, control, tokens } = parts;
  const url = new URL(request.url ?? '/', 'http://feed');
  if (url.pathname.startsWith('/__control/'))
    return control.answer(request, response, url.pathname.slice(11));
  if (url.pathname.startsWith('/media/')) return sendPicture(parts, url.pathname, { request, response });
  control.note(`${url.pathname}${url.search}`);
  if (misbehaves(context, response)) return;
  if (url.searchParams.has('$skip') && context.faults.take('expired-links')) return send(response, 410, {});
  if (context.rules === 'mls-grid' && !/gzip/.test(request.headers['accept-encoding'] ?? ''))
    return send(response, 400, { error: { code: 'BadRequest', message: 'gzip is required' } });
  if (url.pathname === `${PATH}/token`) return tokens.issue(request, response);
  const hasEnded = context.faults.take('token-ends');
  if (hasEnded) tokens.endAll();
  if (hasEnded || !tokens.takes(request.headers.authorization))
    return send(response, 401, { error: { code: 'Unauthorized', message: 'the token is not valid' } });
  if (!url.pathname.startsWith(`${PATH}/`))
    return send(response, 404, { error: { code: 'NotFound', message: '' } });
  const path = decodeURIComponent(url.pathname.slice(PATH.length + 1));
  const answer = odataAnswer(context, path, url.searchParams, String(request.headers.prefer ?? ''));
  const isText = typeof answer.body === 'string';
  const text = isText ? (answer.body as string) : JSON.stringify(answer.body);
  sendText(context, request, response, { ...answer, text });
}

function send(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

interface Text {
  readonly status: number;
  readonly text: string;
  readonly headers?: Record<string, string>;
}

function sendText(
  { faults }: FeedContext,
  request: IncomingMessage,
  response: ServerResponse,
  answer: Text,
): void {
  const { status, headers } = answer;
  const text = faults.take('truncated-json') ? answer.text.slice(0, answer.text.length / 2) : answer.text;
  const isGzip = /gzip/.test(request.headers['accept-encoding'] ?? '');
  const bytes = isGzip ? gzipSync(text, { level: 1 }) : Buffer.from(text);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': bytes.length,
    ...(isGzip && { 'content-encoding': 'gzip' }),
    ...headers,
  });
  if (!faults.take('cut-off')) response.end(bytes);
  else response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
}

/** Faults that need no answer. */
function misbehaves({ faults }: FeedContext, response: ServerResponse): boolean {
  if (faults.take('too-many')) send(response, 429, {}, { 'retry-after': '7' });
  else if (faults.take('too-many-silent')) send(response, 429, {});
  else if (faults.take('error')) send(response, 500, {});
  else if (faults.take('redirect')) response.writeHead(302, { location: '/elsewhere' }).end();
  else if (faults.take('html'))
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>');
  else if (faults.take('endless')) sendEndless(response);
  else return faults.take('silent');
  return true;
}

function sendEndless(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  const chunk = Buffer.alloc(64 * 1024, '[');
  const write = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', write);
  write();
}

async function sendPicture(
  { context: { faults }, control }: Parts,
  path: string,
  { request, response }: Turn,
): Promise<void> {
  const key = decodeURIComponent(path.slice('/media/'.length)).replace(/\.jpg$/, '');
  control.notePicture(key, request.headers['user-agent'] ?? '');
  if (faults.take('media-404')) return send(response, 404, {});
  if (faults.take('media-too-many')) return send(response, 429, {}, { 'retry-after': '7' });
  const bytes = faults.take('media-huge') ? await hugePhoto() : await photoOf(key);
  response.writeHead(200, { 'content-type': 'image/jpeg', 'content-length': bytes.length }).end(bytes);
}
