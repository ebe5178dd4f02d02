/**
 * Access control of the operators' pages (docs/contract.md#operations-server). It owns the key of its sessions, the rows
 * of signed-out ones, and the one-time codes that were used. Always true: a caller with neither a session nor the credentials cannot detect the
 * console. Every rejection equals the ops server's answer for a path that does not exist, without a
 * WWW-Authenticate header. While the database is unavailable, sessions are rejected, since they may have been
 * ended.
 */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { consoleKey, useCode } from '../../../persistence/console/operator-keys.ts';
import { signedOutOfConsole, signOutOfConsole } from '../../../persistence/console/sign-outs.ts';
import { clientAddress } from '../../http/client-address.ts';
import { networkOf } from '../../limits/client-network.ts';
import { confirmed } from '../../operations/confirmed.ts';
import type { ConsoleContext } from '../context.ts';
import { stepOf } from './one-time-code.ts';
import type { Credentials, Operator, Operators } from './operators.ts';
import { createSignedTokens, DEVICE, SESSION, type TokenContent } from './signed-token.ts';
import { createTryLimits } from './try-limits.ts';

export const SESSION_COOKIE = 'operator';
export const DEVICE_COOKIE = 'operator-device';
const BASIC = /^basic ([A-Za-z0-9+/=]{1,1024})$/i;
const NO_ADDRESS = 'unknown';
const KEY_BYTES = 32;

export type ConsoleSignIn = ReturnType<typeof createConsoleSignIn>;

/** `code`: of an operator who has one-time codes; null when none was given. */
type Given = Credentials & { code: string | null };

export function createConsoleSignIn(context: ConsoleContext, operators: Operators) {
  const { config, logger, clock } = context;
  const { pool } = context.database;
  let tokens: ReturnType<typeof openTokens> | null = null;
  const openTokens = async () => {
    const key = await consoleKey(pool, randomBytes(KEY_BYTES));
    const make = (kind: typeof SESSION) => createSignedTokens(kind, { key, operators, clock });
    return { sessions: make(SESSION), devices: make(DEVICE) };
  };
  /** The key is read once, and again after a failure. */
  const tokensOf = () => {
    tokens ??= openTokens().catch((error: unknown) => {
      tokens = null;
      throw error;
    });
    return tokens;
  };
  const limits = createTryLimits(context);

  const addressOf = (request: IncomingMessage): string =>
    clientAddress({
      socket: request.socket.remoteAddress ?? NO_ADDRESS,
      forwardedFor: [request.headers['x-forwarded-for'] ?? []].flat().join(', ') || undefined,
      trustedProxyHops: config.trustedProxyHops,
    });
  const sessionsOf = async (request: IncomingMessage): Promise<TokenContent[]> => {
    const given = cookiesOf(request, SESSION_COOKIE);
    if (given.length === 0) return [];
    const { sessions } = await tokensOf();
    return given.flatMap((token) => sessions.read(token) ?? []);
  };
  const deviceOf = async (request: IncomingMessage): Promise<string | null> => {
    const given = cookiesOf(request, DEVICE_COOKIE);
    if (given.length === 0) return null;
    try {
      const { devices } = await tokensOf();
      return given.flatMap((token) => devices.read(token) ?? [])[0]?.id ?? null;
    } catch (error) {
      logger.warn({ err: error }, 'console: the key of known browsers cannot be read');
      return null;
    }
  };

  async function mayEnter(request: IncomingMessage, given: Given): Promise<Operator | null> {
    const address = addressOf(request);
    const attempt = await limits.take({ address, device: await deviceOf(request) });
    // A blocked try computes no hash, or a flood of them would keep every operator waiting.
    const operator = attempt.verdict === 'allowed' ? await verified(given) : null;
    if (operator !== null) {
      await attempt.giveBack();
      return operator;
    }
    const network = networkOf(address);
    const refused = { event: 'security.operator_refused', address, network };
    if (attempt.verdict === 'allowed') logger.warn(refused, 'console: a try to sign in was refused');
    if (attempt.verdict === 'first-over') logger.error(refused, 'console: too many tries to sign in');
    return null;
  }

  /** The code is looked at only with the right password, so that no one else uses it up. */
  async function verified(given: Given): Promise<Operator | null> {
    const operator = await operators.verify(given);
    if (operator === null || operator.codeSecret === null) return operator;
    const step = stepOf(operator.codeSecret, given.code ?? '', clock.now());
    return step !== null && (await useCode(pool, { operator: operator.name, step })) ? operator : null;
  }

  async function operatorOfSession(
    request: IncomingMessage,
    { endedToo }: { endedToo: boolean },
  ): Promise<string | null> {
    try {
      const open = await sessionsOf(request);
      if (open.length === 0) return null;
      if (endedToo) return open[0]?.operator ?? null;
      const ended = await signedOutOfConsole(
        pool,
        open.map(({ id }) => id),
      );
      return open.find(({ id }) => !ended.has(id))?.operator ?? null;
    } catch (error) {
      logger.warn({ err: error }, 'console: sessions cannot be looked at');
      return null;
    }
  }

  async function admit(request: IncomingMessage, which = { endedToo: false }): Promise<string | null> {
    const operator = await operatorOfSession(request, which);
    if (operator !== null) return operator;
    const given = basicCredentials(request.headers.authorization);
    if (given === null) return null;
    return (await mayEnter(request, { ...given, code: null }))?.name ?? null;
  }

  return {
    /**
     * The name of the operator who sent this request, by session or by `Authorization: Basic`; null for any other
     * caller.
     */
    admit: (request: IncomingMessage) => admit(request),
    /** The same; with a standby also by a session that has ended, whose sign-out is repeated until it is confirmed. */
    admitToSignOut: (request: IncomingMessage) => admit(request, { endedToo: context.confirmation !== null }),
    /** New tokens for the browser, for the right credentials; null for wrong ones and after too many tries. */
    async signIn(request: IncomingMessage, given: Given) {
      const operator = await mayEnter(request, given);
      if (operator === null) return null;
      const address = addressOf(request);
      logger.info(
        {
          event: 'security.operator_signed_in',
          address,
          network: networkOf(address),
          operator: operator.name,
        },
        'console: signed in',
      );
      const { sessions, devices } = await tokensOf();
      return { session: sessions.issue(operator), device: devices.issue(operator) };
    },
    /** Ends the sessions of this request, for every worker. False when a failover could still undo it. */
    async signOut(request: IncomingMessage): Promise<boolean> {
      const work = async () => {
        for (const session of await sessionsOf(request)) await signOutOfConsole(pool, session);
      };
      const ports = { pool, confirmation: context.confirmation };
      return (await confirmed(ports, { lessens: true, work })).isDurable;
    },
  };
}

/** Several cookies may have our name; a site on another port of this host may have set one. */
function cookiesOf({ headers }: IncomingMessage, name: string): string[] {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1));
}

function basicCredentials(header: string | undefined): Credentials | null {
  const encoded = BASIC.exec(header ?? '')?.[1];
  if (encoded === undefined) return null;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0 ? null : { user: text.slice(0, colon), password: text.slice(colon + 1) };
}
