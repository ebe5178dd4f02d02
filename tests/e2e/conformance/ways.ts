import { randomInt } from 'node:crypto';
import { createTRPCClient, httpLink, TRPCClientError } from '@trpc/client';
import superjson from 'superjson';
import { expect, onTestFinished } from 'vitest';
import { type Client, createClient } from '../../../clients/typescript/client.ts';
import { ApiError } from '../../../clients/typescript/errors.ts';
import { memoryStore } from '../../../clients/typescript/session.ts';
import type { AppRouter } from '../../../src/api/routers/app.ts';
import type { ApiHost } from '../../support/http/api-host.ts';
import { proxiedTransport } from '../../support/http/client-under-test.ts';

/** The answer of a procedure, in the same form for every client. */
interface Reply {
  readonly httpStatus: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  readonly output: any;
  readonly errorCode: string | null;
  readonly messageKey: string | null;
}

/** One way to call procedures. */
export interface Way {
  query(path: string, input?: unknown): Promise<Reply>;
  mutate(path: string, input?: unknown): Promise<Reply>;
}

/** Plain `fetch` with the exact bytes of docs/contract.md#calling, tRPC's own client, and ours. */
export const WAYS = ['fetch', '@trpc/client', 'our client'] as const;

export function wayOf(name: (typeof WAYS)[number], host: ApiHost, cookie = ''): Way {
  if (name === 'fetch') return fetchWay(host, cookie);
  if (name === '@trpc/client') return trpcWay(host, cookie);
  return ownWay(host, cookie);
}

/** Our client, signed in with a cookie. */
export function ownClient(host: ApiHost, cookie = ''): Client {
  const store = memoryStore(cookie === '' ? null : cookie);
  const client = createClient({ baseUrl: host.url, transport: proxiedTransport(), store });
  onTestFinished(() => client.close());
  return client;
}

/** `fetch` counts as a browser, so it names the origin of its page: ours. */
export function browserHeaders({ config }: ApiHost, cookie: string): Record<string, string> {
  const address = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;
  return {
    origin: config.publicBaseUrl,
    'x-forwarded-for': address,
    ...(cookie === '' ? {} : { cookie }),
  };
}

function fetchWay(host: ApiHost, cookie: string): Way {
  const headers = browserHeaders(host, cookie);
  return {
    async query(path, input) {
      const query =
        input === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify({ json: input }))}`;
      return replyOf(await fetch(`${host.url}/api/trpc/${path}${query}`, { headers }));
    },
    async mutate(path, input = null) {
      const sent = { ...headers, 'content-type': 'application/json' };
      const body = JSON.stringify({ json: input });
      return replyOf(await fetch(`${host.url}/api/trpc/${path}`, { method: 'POST', headers: sent, body }));
    },
  };
}

/** Compares the body with the envelopes of docs/contract.md#calling, byte by byte. */
async function replyOf(response: Response): Promise<Reply> {
  const text = await response.text();
  const body = JSON.parse(text);
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  if (response.ok) {
    const { json } = body.result.data;
    expect(text).toBe(`{"result":{"data":{"json":${JSON.stringify(json)}}}}`);
    return { httpStatus: response.status, output: json, errorCode: null, messageKey: null };
  }
  const { json } = body.error;
  expect(text).toBe(`{"error":{"json":${JSON.stringify(json)}}}`);
  expect(Object.keys(json)).toEqual(['message', 'code', 'data']);
  expect(json.data.httpStatus).toBe(response.status);
  return { httpStatus: response.status, output: null, ...wordsOf(json.data) };
}

function trpcWay(host: ApiHost, cookie: string): Way {
  const headers = browserHeaders(host, cookie);
  const link = httpLink({ url: `${host.url}/api/trpc`, transformer: superjson, headers });
  const client = createTRPCClient<AppRouter>({ links: [link] });
  // Called by name, as in the tables of the contract; other tests check the types by property access.
  const ask = async (kind: 'query' | 'mutation', path: string, input: unknown): Promise<Reply> => {
    const untyped = client as unknown as Record<
      string,
      Record<string, Record<string, (input: unknown) => Promise<unknown>>>
    >;
    const [router = '', name = ''] = path.split('.');
    const call = untyped[router]?.[name]?.[kind === 'query' ? 'query' : 'mutate'];
    try {
      return { httpStatus: 200, output: await call?.(input), errorCode: null, messageKey: null };
    } catch (error) {
      if (!(error instanceof TRPCClientError)) throw error;
      return { httpStatus: error.data?.httpStatus ?? 0, output: null, ...wordsOf(error.data ?? {}) };
    }
  };
  return {
    query: (path, input) => ask('query', path, input),
    mutate: (path, input) => ask('mutation', path, input),
  };
}

function ownWay(host: ApiHost, cookie: string): Way {
  const client = ownClient(host, cookie);
  const ask = async (path: string, input: unknown): Promise<Reply> => {
    const untyped = client as unknown as Record<string, Record<string, (input: unknown) => Promise<unknown>>>;
    const [router = '', name = ''] = path.split('.');
    try {
      return {
        httpStatus: 200,
        output: await untyped[router]?.[name]?.(input),
        errorCode: null,
        messageKey: null,
      };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { httpStatus, errorCode, messageKey } = error;
      return { httpStatus, output: null, errorCode, messageKey };
    }
  };
  return { query: ask, mutate: ask };
}

const wordsOf = (data: { errorCode?: string; messageKey?: string }) => ({
  errorCode: data.errorCode ?? null,
  messageKey: data.messageKey ?? null,
});
