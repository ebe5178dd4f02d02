import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { WEBHOOK_SECRET } from '../../support/http/api-host.ts';
import { hostileText, hostileValue } from './values/hostile-values.ts';
import { multipartForms } from './values/multipart-forms.ts';
import { predictions } from './values/predictions.ts';
import { toJsonText } from './values/raw-json.ts';
import { type RawRequest, rawRequests } from './values/request-heads.ts';

const KEY = Buffer.from(WEBHOOK_SECRET.slice('whsec_'.length), 'base64');
const LARGE = 1_200_000;

function whole(start: string, headers: Record<string, string>, body: string | Buffer = ''): RawRequest {
  const bytes = Buffer.from(body);
  const all = { host: 'localhost', 'content-length': String(bytes.length), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  const head = [`${start} HTTP/1.1`, ...lines].join('\r\n');
  return { bytes: Buffer.concat([Buffer.from(`${head}\r\n\r\n`, 'latin1'), bytes]), cut: false };
}

const json = { 'content-type': 'application/json' };
const word = fc.stringMatching(/^[A-Za-z0-9]{12}$/);
const signed = fc.tuple(word, fc.uuid(), predictions.map(toJsonText)).map(([id, attempt, body]) => {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const signature = createHmac('sha256', KEY).update(`${id}.${timestamp}.${body}`).digest('base64');
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
  return whole(`POST /api/webhooks/provider/staging/${attempt}`, { ...json, ...headers }, body);
});

/** Requests of clients; every value that a host could keep in memory differs. */
const anyRequest: fc.Arbitrary<RawRequest> = fc.oneof(
  { arbitrary: rawRequests.filter(({ cut }) => !cut), weight: 4 },
  { arbitrary: fc.tuple(word, word).map(([method, path]) => whole(`${method} /${path}`, {})), weight: 5 },
  {
    arbitrary: fc
      .tuple(word, word)
      .map(([method, path]) =>
        whole(`${method} /api/trpc/${path}`, { cookie: `__Host-better-auth.session_token=${path}.x` }),
      ),
    weight: 4,
  },
  {
    arbitrary: fc.tuple(fc.ipV4(), fc.tuple(hostileText, hostileValue)).map(([ip, [text, filters]]) => {
      const input = encodeURIComponent(toJsonText({ json: { filters, cursor: text.toWellFormed() } })).slice(
        0,
        9_000,
      );
      return whole(`GET /api/trpc/search.list?input=${input}`, { 'x-forwarded-for': ip });
    }),
    weight: 3,
  },
  { arbitrary: signed, weight: 2 },
  {
    arbitrary: fc
      .tuple(fc.ipV4(), fc.emailAddress(), word)
      .map(([ip, email, otp]) =>
        whole(
          'POST /api/auth/sign-in/email-otp',
          { ...json, 'x-forwarded-for': ip },
          JSON.stringify({ email, otp }),
        ),
      ),
    weight: 1,
  },
  {
    arbitrary: multipartForms(fc.constant(Buffer.alloc(2_000)), fc.uuid()).map(({ contentType, body }) =>
      whole('POST /api/property-images', { 'content-type': contentType }, body),
    ),
    weight: 1,
  },
  {
    arbitrary: word.map((text) => whole('POST /api/trpc/users.updateProfile', json, text.repeat(LARGE / 12))),
    weight: 1,
  },
);

/** `count` requests, always the same ones for a seed. */
export function traffic(count: number, seed: number): RawRequest[] {
  return fc.sample(anyRequest, { numRuns: count, seed });
}
