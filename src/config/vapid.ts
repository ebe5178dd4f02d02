import { createECDH } from 'node:crypto';

/** The pair of keys that names this platform to push services (RFC 8292), and whom they write to about it. */
export interface VapidConfig {
  /** 65 bytes of P-256, base64url; browsers are given it. */
  readonly publicKey: string;
  /** 32 bytes, base64url. */
  readonly privateKey: string;
  /** `mailto:…` or an https address. */
  readonly subject: string;
}

const PUBLIC = 'VAPID_PUBLIC_KEY';
const PRIVATE = 'VAPID_PRIVATE_KEY';
const SUBJECT = 'VAPID_SUBJECT';
const ALL = [PUBLIC, PRIVATE, SUBJECT] as const;

/** What the settings may be, each by itself. */
export const VAPID_PUBLIC = /^B[\w-]{86}$/;
export const VAPID_PRIVATE = /^[\w-]{43}$/;
export const VAPID_SUBJECT = /^(?:mailto:[^\s@]+@[^\s@]+\.[^\s@]+|https:\/\/[^\s/]+\.\S+)$/;

const SHAPES: Readonly<Record<(typeof ALL)[number], RegExp>> = {
  [PUBLIC]: VAPID_PUBLIC,
  [PRIVATE]: VAPID_PRIVATE,
  [SUBJECT]: VAPID_SUBJECT,
};

/** The public key of a private one; null when there is none. */
function publicOf(privateKey: string): string | null {
  try {
    const pair = createECDH('prime256v1');
    pair.setPrivateKey(Buffer.from(privateKey, 'base64url'));
    return pair.getPublicKey().toString('base64url');
  } catch {
    return null;
  }
}

interface VapidProblem {
  variable: string;
  message: string;
}

/** The three settings come together or not at all, and the keys are a pair. */
export function vapidProblems(env: Readonly<Record<string, string | undefined>>): VapidProblem[] {
  const given = ALL.filter((variable) => env[variable] !== undefined);
  // A wrong value is named by itself.
  if (given.length === 0 || given.some((variable) => !SHAPES[variable].test(env[variable] ?? ''))) return [];
  const missing = ALL.filter((variable) => env[variable] === undefined);
  if (missing.length > 0)
    return missing.map((variable) => ({
      variable,
      message: `must be set together with ${given.join(', ')}`,
    }));
  return publicOf(env[PRIVATE] ?? '') === env[PUBLIC]
    ? []
    : [{ variable: PUBLIC, message: `expected the public key of ${PRIVATE} (npm run ops -- vapid-keys)` }];
}

/** Null unless all are set. */
export function readVapid(given: {
  publicKey: string | null;
  privateKey: string | null;
  subject: string | null;
}): VapidConfig | null {
  const { publicKey, privateKey, subject } = given;
  return publicKey === null || privateKey === null || subject === null
    ? null
    : { publicKey, privateKey, subject };
}

/** @param bytes 32 random ones @returns a new pair of keys; null for bytes that are no private key, of which there are few */
export function vapidKeysFrom(bytes: Buffer): Pick<VapidConfig, 'publicKey' | 'privateKey'> | null {
  const privateKey = bytes.toString('base64url');
  const publicKey = publicOf(privateKey);
  return publicKey === null ? null : { publicKey, privateKey };
}
