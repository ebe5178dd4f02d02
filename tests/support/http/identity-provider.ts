import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

/** The behavior of the key server: correct, or one of its failures. */
export type KeyServerMode = 'well' | 'error' | 'redirect' | 'not-json' | 'no-keys' | 'too-large' | 'silent';

/** An identity provider on loopback: it publishes its keys over HTTP and signs tokens with them. */
export interface TestIdentityProvider {
  readonly keysUrl: string;
  mode: KeyServerMode;
  /** The number of key requests. */
  readonly fetches: number;
  /** A token signed with the current key; `header` overrides the key id and algorithm. */
  sign(claims: JWTPayload, header?: { alg?: string; kid?: string }): Promise<string>;
  /** Publishes a new key and signs with it from now on. */
  rotate(): Promise<void>;
  close(): Promise<void>;
}

type KeyPair = Awaited<ReturnType<typeof makeKey>>;

async function makeKey(kid: string) {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' } };
}

export async function startIdentityProvider(): Promise<TestIdentityProvider> {
  const first = await makeKey('key-1');
  const keys: [KeyPair, ...KeyPair[]] = [first];
  let fetches = 0;
  const waiting = new Set<ServerResponse>();
  const server = createServer((_, response) => {
    fetches += 1;
    waiting.add(response);
    answer(provider.mode, response, { keys: keys.map(({ jwk }) => jwk) });
  });
  const { port } = await listening(server);
  const provider: TestIdentityProvider = {
    keysUrl: `http://127.0.0.1:${port}/keys`,
    mode: 'well',
    get fetches() {
      return fetches;
    },
    sign: (claims, { alg = 'RS256', kid = keys[0].kid } = {}) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg, kid })
        .sign(alg === 'RS256' ? keys[0].privateKey : new TextEncoder().encode('x'.repeat(32))),
    async rotate() {
      keys.unshift(await makeKey(`key-${keys.length + 1}`));
    },
    async close() {
      for (const response of waiting) response.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return provider;
}

function answer(mode: KeyServerMode, response: ServerResponse, keys: object): void {
  if (mode === 'silent') return;
  if (mode === 'error') response.writeHead(500).end('{}');
  else if (mode === 'redirect') response.writeHead(302, { location: 'https://evil.example/keys' }).end();
  else if (mode === 'not-json') response.end('<html></html>');
  else if (mode === 'no-keys') response.end('{}');
  else if (mode === 'too-large') response.end(JSON.stringify({ ...keys, filler: 'x'.repeat(200_000) }));
  else response.end(JSON.stringify(keys));
}

async function listening(server: Server): Promise<AddressInfo> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the key server has no address');
  return address;
}
