import { createHash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { siteName } from '../../../i18n/translator.ts';
import { Semaphore } from '../../../supervisors/concurrency/semaphore.ts';
import { fromBase32, toBase32 } from './one-time-code.ts';

/**
 * Who may sign in to the console: the operators of OPERATORS_FILE, and the one of QUEUE_DASHBOARD_USER. The file is JSON
 * with names, scrypt hashes and secrets of one-time codes; it is read at start. A wrong name takes as long as a wrong
 * password, because there is always one hash to compute.
 */
export const PASSWORD_LENGTH = 15;

export interface Credentials {
  user: string;
  password: string;
}
export interface Operator {
  name: string;
  /** The secret of one-time codes; null when a password is enough. */
  codeSecret: Buffer | null;
  /** Changes with the password and the secret, so that either ends the operator's sessions. */
  fingerprint: string;
}

const HASH = /^scrypt\$([\w-]{22})\$([\w-]{43})$/;
const entry = z.strictObject({
  name: z.string().regex(/^[\w.-]{1,64}$/, 'a name has 1 to 64 letters, digits, dots, dashes or underscores'),
  hash: z.string().regex(HASH, 'a hash is printed by npm run ops -- add-operator'),
  totp: z
    .string()
    .refine((text) => (fromBase32(text)?.length ?? 0) >= 16, 'a secret is base32, of at least 16 bytes')
    .optional(),
});
export const operatorsFile = z
  .array(entry)
  .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, 'a name occurs twice');
export type OperatorEntry = z.output<typeof entry>;

/** 16 MB and some 40 ms; one at a time, so that tries do not take the worker's memory. */
const COST = { N: 16_384, r: 8, p: 1 };
const KEY_BYTES = 32;
const one = new Semaphore(1);

async function derive(password: string, salt: string): Promise<string> {
  const leave = await one.take();
  try {
    return await new Promise((resolve, reject) =>
      scrypt(password, salt, KEY_BYTES, COST, (error, key) =>
        error ? reject(error) : resolve(key.toString('base64url')),
      ),
    );
  } finally {
    leave();
  }
}

/** A line of the file, and the address that an authenticator app reads. */
export async function newOperator(
  { user, password }: Credentials,
  { withCodes }: { withCodes: boolean },
): Promise<{ entry: OperatorEntry; enrolment: string | null }> {
  const salt = randomBytes(16).toString('base64url');
  const hash = `scrypt$${salt}$${await derive(password, salt)}`;
  if (!withCodes) return { entry: { name: user, hash }, enrolment: null };
  const totp = toBase32(randomBytes(20));
  const issuer = encodeURIComponent(siteName());
  const enrolment = `otpauth://totp/${issuer}:${user}?secret=${totp}&issuer=${issuer}`;
  return { entry: { name: user, hash, totp }, enrolment };
}

/** Throws when the file is not there or not valid. */
export function readOperators(path: string): OperatorEntry[] {
  const parsed = operatorsFile.safeParse(JSON.parse(readFileSync(path, 'utf8')));
  if (!parsed.success) throw new Error(`${path} is not valid: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
const isSame = (given: string, own: string): boolean => timingSafeEqual(digest(given), digest(own));
const NO_SALT = 'no operator';

export function createOperators(entries: readonly OperatorEntry[], own: Credentials | null) {
  const known = new Map<string, Operator>();
  for (const { name, hash, totp } of entries) {
    const codeSecret = totp === undefined ? null : fromBase32(totp);
    known.set(name, { name, codeSecret, fingerprint: `${hash} ${totp ?? ''}` });
  }
  if (own !== null && known.has(own.user)) throw new Error(`operator ${own.user} is also in OPERATORS_FILE`);
  if (own !== null) known.set(own.user, { name: own.user, codeSecret: null, fingerprint: own.password });
  return {
    find: (name: string): Operator | null => known.get(name) ?? null,
    /** The operator with these credentials; the code is not checked here. */
    async verify({ user, password }: Credentials): Promise<Operator | null> {
      const found = entries.find(({ name }) => name === user);
      const [, salt = NO_SALT, hash = ''] = HASH.exec(found?.hash ?? '') ?? [];
      // Also without such an entry: the time must not tell which names exist.
      const isOfFile = entries.length > 0 && isSame(await derive(password, salt), hash);
      const isOwn = own !== null && [isSame(user, own.user), isSame(password, own.password)].every(Boolean);
      return isOfFile || isOwn ? (known.get(user) ?? null) : null;
    },
  };
}
export type Operators = ReturnType<typeof createOperators>;
