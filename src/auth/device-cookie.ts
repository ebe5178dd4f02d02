import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { cookiePairs } from './cookie-header.ts';

/**
 * The cookie that identifies a client before sign-in: `<id>.<mark>.<mark>...`. A requested code belongs to the id,
 * which only this client knows. Each mark says that a person signed in here with some address, without naming the
 * address; it outlives the session. Nothing is stored for it, and a mark cannot be made without AUTH_SECRET.
 */
const NAME = 'proscenium.device';
const ID_BYTES = 16;
const MAC_BYTES = 16;
const DAY_MS = 86_400_000;
/** The longest that browsers keep a cookie. */
const KNOWN_DAYS = 400;
/** Before the first sign-in: longer than a code lives. */
const UNKNOWN_SECONDS = 3_600;
/** People who share a device. The least recently used address is dropped. */
const MAX_MARKS = 5;
const VALUE = /^[\w-]{22}(?:\.[0-9a-z]{1,6}~[\w-]{22}){0,5}$/;

export interface Device {
  readonly id: string;
  readonly marks: readonly string[];
}

export type DeviceCookies = ReturnType<typeof createDeviceCookies>;

/** The hash that identifies a device in the database and the key-value store. */
export function deviceDigest({ id }: Device): string {
  return createHash('sha256').update(id).digest('base64url');
}

/** @param now in milliseconds */
export function createDeviceCookies(
  { publicBaseUrl, authSecret }: { publicBaseUrl: string; authSecret: string },
  now: () => number,
) {
  const isSecure = publicBaseUrl.startsWith('https:');
  const name = isSecure ? `__Host-${NAME}` : NAME;
  const key = Buffer.from(hkdfSync('sha256', authSecret, '', 'proscenium devices v1', 32));
  const today = (): number => Math.floor(now() / DAY_MS);
  const mac = (id: string, day: string, email: string): Buffer =>
    createHmac('sha256', key).update(`${id}.${day}.${email}`).digest().subarray(0, MAC_BYTES);
  const isMarkOf = ({ id }: Device, mark: string, email: string): boolean => {
    const [day = '', given = ''] = mark.split('~');
    const bytes = Buffer.from(given, 'base64url');
    return bytes.length === MAC_BYTES && timingSafeEqual(bytes, mac(id, day, email));
  };
  /** Whether a person signed in here with this address (in lower case) within 400 days. */
  const isKnown = (device: Device, email: string): boolean =>
    device.marks.some((mark) => {
      const age = today() - Number.parseInt(mark, 36);
      return age >= 0 && age <= KNOWN_DAYS && isMarkOf(device, mark, email);
    });
  return {
    isKnown,
    fresh: (): Device => ({ id: randomBytes(ID_BYTES).toString('base64url'), marks: [] }),
    /** The client's device for this address, preferably one that is known for it; null when there is no device. */
    of(header: string | null | undefined, email: string): Device | null {
      const devices = cookiePairs(header)
        .filter((pair) => pair.name === name && VALUE.test(pair.raw))
        .map(({ raw }) => deviceIn(raw));
      return devices.find((device) => isKnown(device, email)) ?? devices[0] ?? null;
    },
    /** The device, from now on known for this address. */
    knownFor(device: Device, email: string): Device {
      const day = today().toString(36);
      const mark = `${day}~${mac(device.id, day, email).toString('base64url')}`;
      const others = device.marks.filter((one) => !isMarkOf(device, one, email));
      return { id: device.id, marks: [mark, ...others].slice(0, MAX_MARKS) };
    },
    /** The cookie that keeps it. */
    kept({ id, marks }: Device) {
      const maxAge = marks.length === 0 ? UNKNOWN_SECONDS : (KNOWN_DAYS * DAY_MS) / 1_000;
      const attributes = { maxAge, path: '/', httpOnly: true, secure: isSecure, sameSite: 'lax' } as const;
      return { name, value: [id, ...marks].join('.'), attributes };
    },
  };
}

function deviceIn(value: string): Device {
  const [id = '', ...marks] = value.split('.');
  return { id, marks };
}
