import { randomBytes } from 'node:crypto';
import { vapidKeysFrom } from '../../src/config/vapid.ts';
import { DONE, type Screen } from './run-operation.ts';

export const VAPID_KEYS_HELP = `Usage: npm run --silent ops -- vapid-keys

Prints a new pair of keys for push notices, as two settings of the API host, on standard output. VAPID_SUBJECT belongs to
them: a mailto: or https address at which push services reach you. With other keys than before, people turn notices on again.
`;

/** Prints them once; they are stored nowhere. @returns the exit code */
export function printVapidKeys(screen: Screen): number {
  // Of the numbers of 32 bytes one in four billion is no private key.
  const keys = vapidKeysFrom(randomBytes(32)) ?? vapidKeysFrom(randomBytes(32));
  if (keys === null) throw new Error('no key was found');
  screen.out(`VAPID_PUBLIC_KEY=${keys.publicKey}`);
  screen.out(`VAPID_PRIVATE_KEY=${keys.privateKey}`);
  screen.err('Set both on the API host, with VAPID_SUBJECT=mailto:… They are not shown again.');
  return DONE;
}
