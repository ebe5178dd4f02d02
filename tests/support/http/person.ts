import { randomInt } from 'node:crypto';
import { request } from 'undici';

export interface Answer {
  status: number;
  /** The received bytes. */
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  body: any;
  /** `result.data.json` of a procedure that succeeded. */
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  data: any;
  errorCode: string | undefined;
  headers: Headers;
}

/** An HTTP client that owns its Cookie header and sends no Origin, as the native apps do. */
export interface Person {
  readonly id: string;
  readonly cookie: string;
  query(procedure: string, input?: unknown): Promise<Answer>;
  mutate(procedure: string, input?: unknown): Promise<Answer>;
  send(method: string, path: string, init?: SendInit): Promise<Answer>;
  upload(file: Uint8Array, fields: Record<string, string>): Promise<Answer>;
}
export interface SendInit {
  body?: string | FormData | Uint8Array;
  headers?: Record<string, string>;
}

export function createPerson(base: string, { id, cookie }: { id: string; cookie: string }): Person {
  // A separate address behind the trusted proxy, so that parallel tests do not share rate limits.
  const forwardedFor = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;
  const send = async (method: string, path: string, { body, headers = {} }: SendInit = {}) => {
    const json: Record<string, string> =
      typeof body === 'string' ? { 'content-type': 'application/json' } : {};
    const own: Record<string, string> = cookie === '' ? {} : { cookie };
    const form = body instanceof FormData ? new Response(body) : null;
    const formType: Record<string, string> =
      form === null ? {} : { 'content-type': form.headers.get('content-type') ?? '' };
    const bytes =
      form === null ? (body as string | Uint8Array | undefined) : new Uint8Array(await form.arrayBuffer());
    // Not fetch: it adds Sec-Fetch-Mode, which native clients do not send.
    const response = await request(base + path, {
      method,
      headers: { 'x-forwarded-for': forwardedFor, ...own, ...json, ...formType, ...headers },
      body: bytes ?? null,
    });
    return answerOf(response.statusCode, toHeaders(response.headers), await response.body.text());
  };
  return {
    id,
    cookie,
    send,
    query: (procedure, input) =>
      send('GET', `/api/trpc/${procedure}${input === undefined ? '' : `?input=${encode(input)}`}`),
    mutate: (procedure, input = null) =>
      send('POST', `/api/trpc/${procedure}`, { body: JSON.stringify({ json: input }) }),
    upload(file, fields) {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.set(name, value);
      form.set('file', new Blob([new Uint8Array(file)], { type: 'image/jpeg' }), 'photo.jpg');
      return send('POST', '/api/property-images', { body: form });
    },
  };
}

const encode = (input: unknown): string => encodeURIComponent(JSON.stringify({ json: input }));

function answerOf(status: number, headers: Headers, text: string): Answer {
  const body = parsed(text);
  const tree = body as { result?: { data?: { json?: unknown } }; error?: Record<string, unknown> } | null;
  const inner = tree?.error?.json as { data?: { errorCode?: string } } | undefined;
  return {
    status,
    text,
    body,
    headers,
    data: tree?.result?.data?.json,
    errorCode: inner?.data?.errorCode ?? (tree?.error?.code as string | undefined),
  };
}

function toHeaders(received: Record<string, string | string[] | undefined>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(received))
    for (const one of [value ?? []].flat()) headers.append(name, one);
  return headers;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
