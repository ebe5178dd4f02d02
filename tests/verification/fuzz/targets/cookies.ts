import fc from 'fast-check';
import { defineTarget } from '../target.ts';
import { hostileText } from '../values/hostile-values.ts';
import { type HostWorld, sendLoosely } from '../worlds/host-world.ts';

interface Credentials {
  readonly cookie: string;
  readonly headers: Record<string, string>;
  readonly path: string;
}

const NAME = '__Host-better-auth.session_token';
/** Every text that a header can hold. */
const headerText = hostileText.map((text) => text.replace(/[^\t\x20-\x7e]/g, '%c3').slice(0, 3_000));

type Change = (pair: string, at: number, text: string) => string;
const CHANGES: readonly Change[] = [
  (pair) => pair,
  (pair, at, text) => pair.slice(0, at) + text + pair.slice(at + 1),
  (pair, at) => pair.slice(0, at),
  (pair, _, text) => `${pair}${text}`,
  (pair, _, text) => `${NAME}=${text}; ${pair}`,
  (pair, _, text) => `${pair}; ${NAME}=${text}`,
  (_, __, text) => `${NAME}=${text}`,
  (_, __, text) => `${NAME}=${text}.${Buffer.alloc(32, 1).toString('base64')}`,
  (pair) => decodeURIComponent(pair),
  (pair) => pair.replace(NAME, 'better-auth.session_token'),
  (pair, _, text) => `better-auth.session_data=${text}; ${pair}`,
  (pair, _, text) => `${text};;;=;${pair};`,
];

/** Forged identities: session cookies that are nearly right, and headers that could name a user. */
export const cookies = defineTarget<HostWorld, Credentials>({
  name: 'cookies',
  about: 'session cookies and authorization headers, nearly right and not at all',
  runs: 160,
  mustSee: ['signed-in', 'refused'],
  input: ({ people }) =>
    fc.record({
      cookie: fc
        .tuple(fc.constantFrom(...CHANGES), fc.nat(people.customer.cookie.length - 1), headerText)
        .map(([change, at, text]) => change(people.customer.cookie, at, text)),
      headers: fc.record(
        {
          authorization: headerText.map((text) => `Bearer ${text}`),
          'accept-language': headerText,
          'x-forwarded-for': fc.oneof(
            headerText,
            fc.ipV6(),
            fc.constantFrom(
              'fe80::1%lo',
              '::ffff:1.2.3.4',
              '1.2.3.4, 5.6.7.8',
              ',',
              '0x7f.1',
              '::1%25',
              '1'.repeat(400),
            ),
          ),
          origin: fc.constantFrom('null', 'https://api.example.com', 'https://evil.example', '://', ''),
          'user-agent': headerText,
        },
        { requiredKeys: [] },
      ),
      path: fc.constantFrom('/api/trpc/users.getMe', '/api/auth/get-session'),
    }),
  async feed({ cookie, headers, path }, world) {
    const send = () =>
      sendLoosely(world.people.nobody, 'GET', path, {
        headers: { ...headers, cookie: `${cookie}; p=${world.planted}` },
      });
    // The library returns a session's token to its holder.
    const own = tokenOf(world.people.customer.cookie);
    let signedInAs: unknown = null;
    const family = path.startsWith('/api/auth/') ? 'sign-in' : 'procedure';
    const verdict = await world.judge(
      family,
      async () => {
        const answer = await send();
        signedInAs = answer?.data?.id ?? answer?.body?.user?.id ?? null;
        return answer;
      },
      { unlogged: [own], own: [own] },
    );
    if (signedInAs === null) return verdict;
    // Only a signature of ours signs in, and only its own person.
    const [signed = ''] = world.people.customer.cookie.split('=').slice(1);
    const kept = decodedOnce(cookie).includes(decodedOnce(signed));
    if (signedInAs !== world.people.customer.id || !kept)
      throw new Error(`signed in as ${String(signedInAs)} by ${cookie}`);
    return 'signed-in';
  },
});

/** The part before the signature, which identifies the session. */
const tokenOf = (cookie: string): string => cookie.slice(cookie.indexOf('=') + 1).split('.')[0] ?? '';

function decodedOnce(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
