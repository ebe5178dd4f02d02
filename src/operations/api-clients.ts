import type { Pool } from 'pg';
import { z } from 'zod';
import type { Millis } from '../../persistence/database/instants.ts';
import {
  type ApiClient,
  addClient,
  findClient,
  listClients,
  revokeClient,
} from '../../persistence/reso/api-clients.ts';
import type { Chance, Clock } from '../../supervisors/ports.ts';
import { hashOf, newSecret } from '../auth/client-secrets.ts';
import { plainLine } from '../wire/text.ts';
import type { Asking } from './operation.ts';
import { originOf } from './signature.ts';

/** Clients of the feed (docs/feeds.md#clients), as operators make and end them. */
export const ADD_CLIENT = {
  name: 'add-client',
  title: 'Add a client of the feed',
  sentence: 'Makes a client that may read the feed, and shows its secret once.',
} as const;
export const REVOKE_CLIENT = {
  name: 'revoke-client',
  title: 'Revoke a client of the feed',
  sentence: 'Ends a client of the feed and all its tokens at once. It cannot be taken back.',
} as const;
export const LIST_CLIENTS = {
  name: 'list-clients',
  sentence: 'Shows the clients of the feed.',
} as const;

const DAY_MS = 86_400_000;
const MOST_SHOWN = 500;
export const DEFAULT_RATE = 600;
export const DEFAULT_DAYS = 365;

/** As the operator entered it. */
export interface EnteredClient {
  name: string;
  perMinute: string;
  days: string;
}
const whole = (most: number) =>
  z
    .string()
    .regex(/^\d{1,6}$/)
    .transform(Number)
    .pipe(z.int().min(1).max(most));
const entry = z.strictObject({ name: plainLine(60), perMinute: whole(100_000), days: whole(3_650) });
const EXPECTED: Record<keyof EnteredClient, string> = {
  name: 'the name must be one line of at most 60 characters',
  perMinute: 'the rate must be 1 to 100000 requests a minute',
  days: 'the client must end after 1 to 3650 days',
};

export type Adding =
  | { outcome: 'added'; clientId: string; secret: string; expiresAt: number }
  | { outcome: 'taken' }
  | { problems: string[] };
export type Revoking = { outcome: 'revoked' } | { outcome: 'missing' } | { outcome: 'ended' };

export function createApiClients({
  pool,
  clock,
  chance,
  scrub,
}: {
  pool: Pool;
  clock: Clock;
  chance: Pick<Chance, 'id'>;
  scrub(text: string): string;
}) {
  /** What is wrong with the entered values; empty when nothing is. */
  const problemsOf = (entered: EnteredClient): string[] => {
    const wrong = entry.safeParse(entered).error?.issues.map(({ path }) => String(path[0])) ?? [];
    return Object.entries(EXPECTED).flatMap(([field, text]) => (wrong.includes(field) ? [text] : []));
  };
  return {
    problemsOf,
    list: (): Promise<Millis<ApiClient>[]> => listClients(pool, MOST_SHOWN),
    find: (nameOrId: string): Promise<Millis<ApiClient> | null> => findClient(pool, nameOrId),
    /** The secret is shown once: only its hash is stored. Throws `UnsignedError` without a valid name and reason. */
    async add(entered: EnteredClient, asking: Pick<Asking, 'by' | 'reason'>): Promise<Adding> {
      const { by, note: reason = '' } = originOf(asking, scrub);
      const parsed = entry.safeParse(entered);
      if (!parsed.success) return { problems: problemsOf(entered) };
      const { name, perMinute, days } = parsed.data;
      const [clientId, secret, at] = [chance.id(), newSecret(), clock.now()];
      const client = {
        clientId,
        name,
        secretHash: hashOf(secret),
        scopes: ['reso.read'] as const,
        perMinute,
        expiresAt: at + days * DAY_MS,
      };
      const isAdded = await addClient(pool, client, { by, reason, at });
      return isAdded
        ? { outcome: 'added', clientId, secret, expiresAt: client.expiresAt }
        : { outcome: 'taken' };
    },
    /** @param nameOrId of the client. Throws `UnsignedError`. */
    async revoke(nameOrId: string, asking: Pick<Asking, 'by' | 'reason'>): Promise<Revoking> {
      const { by, note: reason = '' } = originOf(asking, scrub);
      const client = await findClient(pool, nameOrId.trim());
      if (client === null) return { outcome: 'missing' };
      const isRevoked = await revokeClient(pool, client.clientId, { by, reason, at: clock.now() });
      return { outcome: isRevoked ? 'revoked' : 'ended' };
    },
  };
}

const instant = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** ACTIVE, ENDED or REVOKED. */
export function clientState({ revokedAt, expiresAt }: Millis<ApiClient>, at: number): string {
  if (revokedAt !== null) return 'REVOKED';
  return expiresAt <= at ? 'ENDED' : 'ACTIVE';
}

/** A line for operators. */
export const formatClient = (client: Millis<ApiClient>, at: number): string =>
  `${client.clientId}  ${clientState(client, at).padEnd(7)}  until ${instant(client.expiresAt)}  ${client.perMinute}/min  ${client.name}`;

/** Sentences for operators. */
export function formatAdded(done: Exclude<Adding, { problems: string[] }>): string {
  if (done.outcome === 'taken') return 'Nothing was done: a client has this name.';
  return `The client may read the feed until ${instant(done.expiresAt)}.
client_id      ${done.clientId}
client_secret  ${done.secret}
The secret is shown only now. Send it to POST /reso/oauth2/token.`;
}

export const REVOKED: Record<Revoking['outcome'], string> = {
  revoked: 'The client and its tokens have ended.',
  missing: 'There is no client of this name or id.',
  ended: 'The client was revoked before.',
};
