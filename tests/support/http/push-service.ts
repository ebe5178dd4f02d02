import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  type ECDH,
  hkdfSync,
  randomBytes,
  verify,
} from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { vapidKeysFrom } from '../../../src/config/vapid.ts';

/** Keys of the API host for tests. */
export const VAPID = {
  ...(vapidKeysFrom(Buffer.alloc(32, 7)) ?? { publicKey: '', privateKey: '' }),
  subject: 'mailto:push@homes.example',
};
export const VAPID_SETTINGS = {
  VAPID_PUBLIC_KEY: VAPID.publicKey,
  VAPID_PRIVATE_KEY: VAPID.privateKey,
  VAPID_SUBJECT: VAPID.subject,
};

/** What a push service has taken, decrypted as the browser would. */
interface TakenPush {
  readonly line: string;
  readonly url: string;
  readonly tag: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Of the body. */
  readonly bytes: number;
}

/** A browser at the service: what it tells the site, and what has come for it. */
export interface PushedBrowser {
  readonly subscription: { readonly endpoint: string; readonly p256dh: string; readonly auth: string };
  readonly taken: TakenPush[];
  /** How the service answers about this browser; null: it takes everything. */
  answer: null | { readonly status: number; readonly headers?: Record<string, string> };
  /** Called before an answer, for tests of what is interrupted. */
  beforeAnswer(): unknown;
  /** Requests so far, whatever was answered. */
  requests: number;
}

export type PushService = Awaited<ReturnType<typeof openPushService>>;

/**
 * A push service on loopback. It reads what it gets with the standards alone (RFC 8188, 8291, 8292), so that a fault of
 * the library that encrypts is found.
 */
export async function openPushService() {
  const browsers = new Map<string, { browser: PushedBrowser; pair: ECDH; auth: Buffer }>();
  const faults: string[] = [];
  const server = createServer(async (request, response) => {
    const found = browsers.get(request.url ?? '');
    const body = await bodyOf(request);
    if (found === undefined) return void response.writeHead(404).end();
    const { browser, pair, auth } = found;
    browser.requests += 1;
    await browser.beforeAnswer();
    if (browser.answer !== null)
      return void response.writeHead(browser.answer.status, browser.answer.headers).end();
    const fault = vapidFault(String(request.headers.authorization), `http://${request.headers.host}`);
    if (fault !== null) {
      faults.push(fault);
      return void response.writeHead(403).end();
    }
    const { line, url, tag } = JSON.parse(decrypted(body, pair, auth));
    browser.taken.push({
      line,
      url,
      tag,
      headers: request.headers as TakenPush['headers'],
      bytes: body.length,
    });
    response.writeHead(201).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    /** What was wrong with the signatures of requests. */
    faults,
    browser(): PushedBrowser {
      const pair = createECDH('prime256v1');
      pair.generateKeys();
      const [path, auth] = [`/push/${randomBytes(16).toString('hex')}`, randomBytes(16)];
      const browser: PushedBrowser = {
        subscription: {
          endpoint: origin + path,
          p256dh: pair.getPublicKey().toString('base64url'),
          auth: auth.toString('base64url'),
        },
        taken: [],
        answer: null,
        beforeAnswer: () => {},
        requests: 0,
      };
      browsers.set(path, { browser, pair, auth });
      return browser;
    },
    async close(): Promise<void> {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** RFC 8188 in one record, with the keys of RFC 8291. */
function decrypted(body: Buffer, pair: ECDH, auth: Buffer): string {
  const salt = body.subarray(0, 16);
  const keyLength = body.readUInt8(20);
  const sender = body.subarray(21, 21 + keyLength);
  const sealed = body.subarray(21 + keyLength);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), pair.getPublicKey(), sender]);
  const secret = Buffer.from(hkdfSync('sha256', pair.computeSecret(sender), auth, info, 32));
  const key = Buffer.from(hkdfSync('sha256', secret, salt, 'Content-Encoding: aes128gcm\0', 16));
  const nonce = Buffer.from(hkdfSync('sha256', secret, salt, 'Content-Encoding: nonce\0', 12));
  const cipher = createDecipheriv('aes-128-gcm', key, nonce);
  cipher.setAuthTag(sealed.subarray(-16));
  const padded = Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()]);
  const end = padded.lastIndexOf(2);
  return padded.subarray(0, end).toString('utf8');
}

/** RFC 8292: whether the header names the site's key, is signed with it, and is meant for this service. */
function vapidFault(header: string, origin: string): string | null {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(header) ?? [];
  const [head = '', claims = '', signature = ''] = token.split('.');
  if (key !== VAPID.publicKey) return 'another key';
  const point = Buffer.from(key, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'));
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    {
      key: createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y } as never, format: 'jwk' }),
      dsaEncoding: 'ieee-p1363',
    },
    Buffer.from(signature, 'base64url'),
  );
  if (!isSigned) return 'another signature';
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8'));
  if (aud !== origin) return `meant for ${aud}`;
  if (sub !== VAPID.subject) return `from ${sub}`;
  const hours = (exp - Date.now() / 1_000) / 3_600;
  return hours > 0 && hours <= 24 ? null : `valid for ${hours} hours`;
}
