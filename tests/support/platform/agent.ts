import { randomInt, randomUUID } from 'node:crypto';
import { FormData, Headers, request } from 'undici';
import { waitForMail } from '../../../ops/dev/stack/mailbox.ts';
import type { TestPlatform } from './platform.ts';

/** An HTTP client that owns its Cookie header, as the native apps do; sends no Origin. */
export interface Person {
  readonly email: string;
  readonly cookie: string;
  query(procedure: string, input?: unknown): Promise<Answer>;
  mutate(procedure: string, input?: unknown): Promise<Answer>;
  request(method: string, path: string, init?: { body?: string | FormData; type?: string }): Promise<Answer>;
  upload(
    propertyId: string,
    photo: Uint8Array,
    options?: { roomType?: string; type?: string },
  ): Promise<Answer>;
}
export interface Answer {
  status: number;
  /** The parsed body; text when it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  body: any;
  /** `result.data.json` of a procedure that succeeded. */
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  data: any;
  /** `error.json.data.errorCode` of one that did not. */
  errorCode: string | undefined;
  headers: Headers;
  /** The unparsed body. */
  text: string;
}

/** Where people reach a platform, and where it sends its mail. */
export type Endpoints = Pick<TestPlatform, 'urls' | 'mailDir'>;

/** Signs a new person in by the mailed code and, by default, makes them an agent. */
export async function signIn(
  platform: Endpoints,
  { agent = true, web = 0 }: { agent?: boolean; web?: number } = {},
): Promise<Person> {
  const email = `${randomUUID()}@example.org`;
  const base = platform.urls[web] ?? '';
  // Each person behind the trusted proxy has an address of their own, so that rate limits do not interfere.
  const forwardedFor = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;
  const anonymous = createPerson(base, { email, cookie: '', forwardedFor });
  const since = Date.now() - 1_000;
  const sent = await anonymous.request('POST', '/api/auth/email-otp/send-verification-otp', {
    body: JSON.stringify({ email, type: 'sign-in' }),
  });
  if (sent.status !== 200) throw new Error(`no code was sent: ${sent.status} ${JSON.stringify(sent.body)}`);
  const mail = await waitForMail(platform.mailDir, { to: email, since });
  const otp = /\b\d{6}\b/.exec(mail.email.text ?? '')?.[0];
  const signedIn = await anonymous.request('POST', '/api/auth/sign-in/email-otp', {
    body: JSON.stringify({ email, otp }),
  });
  if (signedIn.status !== 200) throw new Error(`sign-in failed: ${JSON.stringify(signedIn.body)}`);
  const cookie = signedIn.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const person = createPerson(base, { email, cookie, forwardedFor });
  if (agent) await person.mutate('users.becomeAgent', { licenseNumber: 'L-1', officeName: 'Office' });
  return person;
}

/** The same person on another web process. */
export function onWeb(platform: TestPlatform, person: Person, web: number): Person {
  return createPerson(platform.urls[web] ?? '', { ...person, forwardedFor: '10.0.0.1' });
}

function createPerson(
  base: string,
  { email, cookie, forwardedFor }: { email: string; cookie: string; forwardedFor: string },
): Person {
  const send = async (
    method: string,
    path: string,
    init: { body?: string | FormData; type?: string } = {},
  ) => {
    const headers = new Headers({ 'x-forwarded-for': forwardedFor });
    if (cookie !== '') headers.set('cookie', cookie);
    if (typeof init.body === 'string') headers.set('content-type', init.type ?? 'application/json');
    // Not fetch: that one marks itself as a browser with Sec-Fetch headers.
    const answer = await request(`${base}${path}`, {
      method: method as 'GET',
      headers: Object.fromEntries(headers),
      body: init.body ?? null,
    });
    return answerOf(answer.statusCode, answer.headers, await answer.body.text());
  };
  return {
    email,
    cookie,
    request: send,
    query: (procedure, input) =>
      send(
        'GET',
        `/api/trpc/${procedure}${input === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify({ json: input }))}`}`,
      ),
    mutate: (procedure, input = null) =>
      send('POST', `/api/trpc/${procedure}`, { body: JSON.stringify({ json: input }) }),
    upload(propertyId, photo, { roomType, type = 'image/jpeg' } = {}) {
      const form = new FormData();
      form.set('propertyId', propertyId);
      if (roomType !== undefined) form.set('roomType', roomType);
      form.set('file', new Blob([new Uint8Array(photo)], { type }), 'photo');
      return send('POST', '/api/property-images', { body: form });
    },
  };
}

function answerOf(status: number, raw: Record<string, string | string[] | undefined>, text: string): Answer {
  const headers = new Headers();
  for (const [name, value] of Object.entries(raw))
    for (const one of [value ?? []].flat()) headers.append(name, one);
  let body: unknown = text;
  try {
    body = JSON.parse(text);
  } catch {
    // Kept as text, because some tests check the exact text.
  }
  const tree = body as { result?: { data?: { json?: unknown } }; error?: Record<string, unknown> };
  const inner = tree?.error?.json as { data?: { errorCode?: string } } | undefined;
  return {
    status,
    body,
    data: tree?.result?.data?.json,
    errorCode: inner?.data?.errorCode ?? (tree?.error?.code as string | undefined),
    headers,
    text,
  };
}
