import type { Clock } from '../../supervisors/ports.ts';
import type { Route } from '../http/message.ts';

const PATH = '/.well-known/security.txt';
const DAY_MS = 86_400_000;
/** The file may be kept for a day; RFC 9116 wants less than a year. */
const VALID_DAYS = 180;

/**
 * `/.well-known/security.txt` (RFC 9116): where faults are reported to. There is none without `SECURITY_CONTACT`: an
 * address that no one reads is worse than no address.
 */
export function securityContactRoutes({
  contact,
  publicBaseUrl,
  clock,
}: {
  readonly contact: string | null;
  readonly publicBaseUrl: string;
  readonly clock: Clock;
}): Route[] {
  if (contact === null) return [];
  return [
    {
      methods: ['GET'],
      path: PATH,
      handler: async () => {
        const expires = new Date((Math.floor(clock.now() / DAY_MS) + VALID_DAYS) * DAY_MS);
        const lines = [
          `Contact: ${contact}`,
          `Expires: ${expires.toISOString()}`,
          'Preferred-Languages: en, es',
          `Canonical: ${publicBaseUrl}${PATH}`,
        ];
        return {
          status: 200,
          headers: [
            ['content-type', 'text/plain; charset=utf-8'],
            ['cache-control', 'public, max-age=86400'],
          ],
          body: `${lines.join('\n')}\n`,
        };
      },
    },
  ];
}
