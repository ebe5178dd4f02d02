import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveTurns } from '../peers/serve-turns.ts';

/**
 * A provider whose predictions never finish: it answers the GET of each, and lists them as the real one does, newest
 * first, a hundred to a page, with whole predictions. The simulator cannot be used here, since it keeps its ledger on
 * disk and knows only predictions that were created there.
 */
const PREDICTION = /^\/v1\/predictions\/([\w.-]+)$/;
const PAGE = 100;

interface Made {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

let newestFirst: readonly Made[] = [];
/** When each call began. */
let calls: number[] = [];
let asked = new Set<string>();

const server = createServer((request, response) => {
  const url = new URL(request.url ?? '', `http://${request.headers.host}`);
  const id = PREDICTION.exec(url.pathname)?.[1];
  calls.push(performance.now());
  const answer = (status: number, body: unknown) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };
  if (url.pathname === '/v1/predictions') return answer(200, listed(url));
  if (id === undefined) return answer(404, { detail: 'not found' });
  asked.add(id);
  answer(200, viewOf({ id, createdAt: Date.now() }, url.origin));
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

function listed(url: URL) {
  const { searchParams } = url;
  const [after, before] = ['created_after', 'created_before'].map((name) =>
    Date.parse(searchParams.get(name) ?? ''),
  ) as [number, number];
  const within = newestFirst.filter(({ createdAt }) => createdAt >= after && createdAt < before);
  const from = Number(searchParams.get('cursor') ?? 0);
  const to = from + PAGE;
  const next = new URL(url);
  next.searchParams.set('cursor', String(to));
  return {
    previous: null,
    next: to < within.length ? next.href : null,
    results: within.slice(from, to).map((one) => viewOf(one, url.origin)),
  };
}

function viewOf({ id, createdAt }: Made, origin: string) {
  const created = new Date(createdAt).toISOString();
  return {
    id,
    model: 'openai/gpt-image-2',
    version: 'hidden',
    input: {
      prompt: 'Stage this living room. '.repeat(40),
      input_images: [
        `${origin}/provider-inputs/${id}.jpg?X-Amz-Expires=7200&X-Amz-Signature=${'0'.repeat(64)}`,
      ],
      quality: 'medium',
      aspect_ratio: '1:1',
      output_format: 'jpeg',
      output_compression: 92,
      number_of_images: 1,
      moderation: 'auto',
      user_id: '0'.repeat(64),
    },
    logs: '',
    output: null,
    data_removed: false,
    error: null,
    source: 'api',
    status: 'processing',
    created_at: created,
    started_at: created,
    webhook: `${origin}/api/webhooks/provider/staging/${id}`,
    webhook_events_filter: ['completed'],
    urls: { get: `${origin}/v1/predictions/${id}`, cancel: `${origin}/v1/predictions/${id}/cancel` },
  };
}

/** The most calls that began within a second. */
function busiestSecond(): number {
  let first = 0;
  return calls.reduce((most, at, index) => {
    while ((calls[first] ?? at) <= at - 1_000) first += 1;
    return Math.max(most, index - first + 1);
  }, 0);
}

serveTurns(
  {
    port: async () => (server.address() as AddressInfo).port,
    /** Forgets what was asked, and has these predictions from now on. */
    async begin(made: readonly Made[]) {
      newestFirst = made.toSorted((a, b) => b.createdAt - a.createdAt);
      asked = new Set();
      calls = [];
    },
    /** Different predictions that were asked for by their id. */
    asked: async () => asked.size,
    busiestSecond: async () => busiestSecond(),
  },
  async () => {
    server.closeAllConnections();
    server.close();
  },
);
