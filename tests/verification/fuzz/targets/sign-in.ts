import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { defineTarget } from '../target.ts';
import { brokenJson, hostileText, hostileValue } from '../values/hostile-values.ts';
import { mutated, retexted } from '../values/mutated.ts';
import { toJsonText } from '../values/raw-json.ts';
import { type HostWorld, percentEncoded, sendLoosely } from '../worlds/host-world.ts';

interface Attempt {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  /** Claims that the identity provider signs, sent as the token; null: the body is sent unchanged. */
  readonly claims: Record<string, unknown> | null;
  readonly text: string | null;
  readonly language: string;
}

const email = fc.oneof(
  fc.emailAddress(),
  fc.constantFrom(
    'a@b',
    'a b@c.de',
    'a@b.c\0',
    '"a"@example.com',
    'a@[127.0.0.1]',
    'a@example.com\r\nBcc: b@c.de',
    '@',
  ),
  hostileText,
);
const BODIES: readonly (readonly [string, fc.Arbitrary<unknown>])[] = [
  [
    '/email-otp/send-verification-otp',
    fc.record({ email, type: fc.constantFrom('sign-in', 'sign-in', 'forget-password') }),
  ],
  [
    '/sign-in/email-otp',
    fc.record(
      { email, otp: fc.oneof(fc.stringMatching(/^\d{6}$/), hostileText), name: hostileText },
      { requiredKeys: ['email', 'otp'] },
    ),
  ],
  [
    '/sign-in/social',
    fc.record(
      {
        provider: fc.oneof(
          { arbitrary: fc.constant('google'), weight: 4 },
          fc.constantFrom('apple', '__proto__', 'github'),
        ),
        idToken: fc.oneof(
          hostileText,
          fc.tuple(hostileText, hostileText, hostileText).map((parts) => parts.join('.')),
          fc.tuple(hostileValue, hostileValue).map((parts) => `${parts.map(base64Json).join('.')}.AAAA`),
          fc.record({ token: hostileText, nonce: hostileText }),
        ),
        nonce: hostileText,
      },
      { requiredKeys: ['provider', 'idToken'] },
    ),
  ],
  ['/sign-out', fc.constant({})],
];

/** The signing library copies claims recursively, so the nesting is bounded. */
const MAX_BRACKETS = 1_500;
const isSignable = (text: string): boolean => text.split(/[[{]/).length < MAX_BRACKETS;

/** Signed claims of any type, because people choose their own names there. */
const now = () => Math.floor(Date.now() / 1_000);
const claims = fc
  .tuple(
    fc.record({
      sub: fc.uuid(),
      email: fc.oneof(fc.emailAddress(), hostileText),
      name: hostileText,
      email_verified: fc.boolean(),
    }),
    fc.dictionary(
      fc.constantFrom(
        'sub',
        'email',
        'name',
        'given_name',
        'picture',
        'email_verified',
        'nonce',
        'exp',
        'iat',
        'aud',
        'azp',
      ),
      hostileValue,
      { maxKeys: 2 },
    ),
  )
  .map(([sound, odd]) => toJsonText({ ...sound, ...odd }))
  .filter(isSignable)
  .map((text) => JSON.parse(text) as Record<string, unknown>);

const post = fc.constantFrom(...BODIES).chain(([path, body]) =>
  fc.record({
    method: fc.constant('POST'),
    path: fc.constant(path),
    body: fc.oneof(
      { arbitrary: body, weight: 4 },
      { arbitrary: mutated(body), weight: 3 },
      { arbitrary: retexted(body), weight: 3 },
      { arbitrary: hostileValue, weight: 1 },
    ),
    claims: path === '/sign-in/social' ? fc.option(claims, { freq: 2 }) : fc.constant(null),
    text: fc.option(brokenJson, { freq: 8, nil: null }),
    language: hostileText.map((one) => one.replace(/[^\x20-\x7e]/g, '?').slice(0, 200)),
  }),
);
const anywhere = fc.record({
  method: fc.constantFrom('GET', 'POST', 'DELETE', 'PUT'),
  path: fc.oneof(
    fc.constantFrom(
      '/get-session',
      '/..%2fauth',
      '/constructor',
      '/__proto__',
      '/sign-up/email',
      '//',
      '/ok',
    ),
    hostileText
      .filter((text) => text.length < 2_000 && !/^\.{0,2}$/.test(text))
      .map((text) => `/${percentEncoded(text)}`),
  ),
  body: hostileValue,
  claims: fc.constant(null),
  text: fc.constant(null),
  language: fc.constant('es'),
});

/** Sign-in: bodies, paths, and tokens really signed by the identity provider. */
export const signIn = defineTarget<HostWorld, Attempt>({
  name: 'sign-in',
  about: 'sign-in bodies and paths, codes, and identity tokens with odd claims that are truly signed',
  runs: 160,
  mustSee: ['accepted', 'refused'],
  input: () => fc.oneof({ arbitrary: post, weight: 8 }, { arbitrary: anywhere, weight: 1 }),
  async feed({ method, path, body, claims: given, text, language }, world) {
    const token = given === null ? null : await signed(world, given);
    const sent = text ?? toJsonText(token === null ? body : { provider: 'google', idToken: token });
    const headers = {
      'content-type': 'application/json',
      'accept-language': language,
      'x-forwarded-for': address(),
      cookie: `p=${world.planted}`,
    };
    const init = { headers, ...(method === 'GET' ? {} : { body: sent }) };
    // Wrong codes are counted, and codes are kept as hashes.
    return world.judge('sign-in', () => sendLoosely(world.people.nobody, method, `/api/auth${path}`, init), {
      mayChange: ['sign_in_codes'],
      unlogged: token === null ? [] : [token],
    });
  },
});

/** Sign-in limits are per address. */
const address = (): string => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;
const base64Json = (value: unknown): string => Buffer.from(toJsonText(value)).toString('base64url');

function signed({ identity }: HostWorld, given: Record<string, unknown>): Promise<string> {
  const sound = { iss: 'https://accounts.google.com', aud: 'the-web-client', iat: now(), exp: now() + 3_600 };
  // Converted to JSON and back, because JSON has no infinity and the signing library rejects other values.
  return identity.sign(JSON.parse(JSON.stringify({ ...sound, ...given })));
}
