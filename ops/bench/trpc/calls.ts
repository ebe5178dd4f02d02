import { isDeepStrictEqual } from 'node:util';
import type { PlainRequest } from '../load/request-bytes.ts';

/** The measured calls, and the calls whose answers are compared first. */
const LISTING_ID = '5b3c2a50-6c1e-4a0c-9d5e-0b6f1f0a7c11';
const superjsonOf = (value: unknown) => JSON.stringify({ json: value });
const get = (path: string): PlainRequest => ({ method: 'GET', path: `/api/trpc/${path}` });
const post = (path: string, body: string, type = 'application/json'): PlainRequest => ({
  method: 'POST',
  path: `/api/trpc/${path}`,
  body,
  headers: { 'content-type': type },
});

export const QUERY = get(`listing?input=${encodeURIComponent(superjsonOf({ listingId: LISTING_ID }))}`);
export const MUTATION = post('rename', superjsonOf({ listingId: LISTING_ID, title: 'A bungalow' }));

/** Both hosts must word error responses equally, too. */
const COMPARED: readonly PlainRequest[] = [
  QUERY,
  MUTATION,
  get('refuse'),
  get('fail'),
  get('nothing'),
  get('rename'),
  get('listing'),
  get('listing?input=%7B'),
  get(`listing?input=${encodeURIComponent(superjsonOf({ listingId: 'x' }))}`),
  post('listing', superjsonOf({})),
  post('rename', '{'),
  post('rename', superjsonOf({})),
];

/** Headers that only one of the two sends on every answer: framing, ids and caching of errors. */
const TRANSPORT_HEADERS = new Set([
  'date',
  'connection',
  'keep-alive',
  'content-length',
  'transfer-encoding',
  'uwebsockets',
  'x-request-id',
  'cache-control',
  'vary',
]);

interface PlainAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

async function answerTo(url: string, { method, path, headers = {}, body }: PlainRequest) {
  const response = await fetch(url + path, { method, headers, ...(body === undefined ? {} : { body }) });
  return {
    status: response.status,
    headers: [...response.headers],
    body: await response.text(),
  } satisfies PlainAnswer;
}

/** @throws Error naming the first call that two hosts answer differently */
export async function compareAnswers(url: string, peerUrl: string): Promise<void> {
  for (const call of COMPARED) {
    const [ours, peers] = [await answerTo(url, call), await answerTo(peerUrl, call)];
    if (isDeepStrictEqual(comparable(ours), comparable(peers))) continue;
    const shown = [ours, peers].map((answer) => JSON.stringify(comparable(answer))).join('\n');
    throw new Error(`The hosts answer ${call.method} ${call.path} differently:\n${shown}`);
  }
}

function comparable({ status, headers, body }: PlainAnswer): object {
  const told = headers.filter(([name]) => !TRANSPORT_HEADERS.has(name));
  return { status, headers: Object.fromEntries(told), body: JSON.parse(body) };
}
