import { randomUUID } from 'node:crypto';
import { addClient } from '../../../persistence/reso/api-clients.ts';
import { numberChanges } from '../../../persistence/reso/number-changes.ts';
import { hashOf, newSecret } from '../../../src/auth/client-secrets.ts';
import type { ApiHost } from '../http/api-host.ts';

const DAY_MS = 86_400_000;

export interface FeedAnswer {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read any shape.
  data: any;
}

export async function seedClient(
  { pool }: Pick<ApiHost, 'pool'>,
  { perMinute = 100_000, expiresAt = Date.now() + DAY_MS } = {},
): Promise<{ clientId: string; secret: string }> {
  const clientId = randomUUID();
  const secret = newSecret();
  await addClient(
    pool,
    { clientId, name: clientId, secretHash: hashOf(secret), scopes: ['reso.read'], perMinute, expiresAt },
    { by: 'operator:test', reason: 'test', at: Date.now() },
  );
  return { clientId, secret };
}

export function tokenRequest(
  { url }: Pick<ApiHost, 'url'>,
  form: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${url}/reso/oauth2/token`, { method: 'POST', body: new URLSearchParams(form), headers });
}

/** A client with a token. Addresses as RESO's tools write them. */
export async function openFeedClient(host: ApiHost, options: { perMinute?: number } = {}) {
  const { clientId, secret } = await seedClient(host, options);
  const answered = await tokenRequest(host, {
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: secret,
  });
  const { access_token: token } = (await answered.json()) as { access_token: string };
  const get = async (path: string, headers: Record<string, string> = {}): Promise<FeedAnswer> => {
    const address = path.startsWith('http')
      ? path.replace('https://api.example.com', host.url)
      : `${host.url}/reso/odata${path}`;
    const response = await fetch(address, { headers: { authorization: `Bearer ${token}`, ...headers } });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    return {
      status: response.status,
      headers: response.headers,
      text,
      data: isJson ? JSON.parse(text) : null,
    };
  };
  return {
    clientId,
    secret,
    token,
    get,
    /** A query with its options encoded. */
    query: (resource: string, options: Record<string, string>, headers: Record<string, string> = {}) =>
      get(
        `/${resource}?${Object.entries(options)
          .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
          .join('&')}`,
        headers,
      ),
  };
}
export type FeedClient = Awaited<ReturnType<typeof openFeedClient>>;

/** What the worker's turn does, until nothing waits. */
export async function numberAll({ pool }: Pick<ApiHost, 'pool'>): Promise<void> {
  for (;;) {
    const { numbered, isMore } = await numberChanges(pool);
    if (numbered === 0 && !isMore) return;
  }
}
