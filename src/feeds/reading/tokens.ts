import { createHash } from 'node:crypto';
import { parseObject } from './answers.ts';
import { FeedError, type FeedPorts, type FeedSource } from './feed-reading.ts';
import { rootOf } from './requests.ts';
import { send } from './send.ts';
import { isCallerError } from './statuses.ts';

/** A token is replaced so long before it ends. */
const MARGIN_MS = 60_000;
const MOST_TOKENS = 100;

/**
 * The Bearer token of a feed: its secret, or an access token for client credentials, which is requested when the last one
 * is about to end.
 * @throws FeedError
 */
export async function tokenFor(source: FeedSource, ports: FeedPorts): Promise<string> {
  const { token } = source.profile;
  if (token.way === 'BEARER') return requireSecret(source);
  const name = nameOf(source);
  const known = ports.tokens.get(name);
  if (known !== undefined && known.endsAt - MARGIN_MS > ports.now()) return known.token;
  const fresh = await requestToken(source, token, ports);
  if (ports.tokens.size >= MOST_TOKENS) ports.tokens.clear();
  ports.tokens.set(name, fresh);
  return fresh.token;
}

/** The feed refuses the token. True when another one can be requested. */
export function forgetToken(source: FeedSource, ports: FeedPorts): boolean {
  return source.profile.token.way === 'CLIENT_CREDENTIALS' && ports.tokens.delete(nameOf(source));
}

/** Without the secret itself. */
const nameOf = (source: FeedSource): string =>
  createHash('sha256').update(`${source.baseUrl} ${source.secret()}`).digest('base64url');

function requireSecret(source: FeedSource): string {
  const secret = source.secret();
  if (secret === '' || /[^\x21-\x7e]/.test(secret))
    throw new FeedError('UNAUTHORIZED', 'the secret of the feed is missing, or is no token');
  return secret;
}

interface Credentials {
  readonly path: string;
  readonly scope: string | null;
}

async function requestToken(source: FeedSource, { path, scope }: Credentials, ports: FeedPorts) {
  const [id = '', ...rest] = requireSecret(source).split(':');
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: id,
    client_secret: rest.join(':'),
    ...(scope !== null && { scope }),
  });
  const answer = await send(source, ports, {
    url: tokenUrl(source, path),
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: body.toString(),
  });
  if (isCallerError(answer.status))
    throw new FeedError('UNAUTHORIZED', `the feed refuses the credentials: status ${answer.status}`);
  const { access_token: token, expires_in: seconds } = parseObject(answer.text);
  if (typeof token !== 'string' || token === '' || /[^\x21-\x7e]/.test(token))
    throw new FeedError('BROKEN_ANSWER', 'the answer of the token address has no token');
  const lifeS = typeof seconds === 'number' && seconds > 0 ? Math.min(seconds, 86_400) : 3_600;
  return { token, endsAt: ports.now() + lifeS * 1_000 };
}

/** On the feed's own host: the secret goes nowhere else. */
function tokenUrl(source: FeedSource, path: string): URL {
  const root = rootOf(source);
  const url = new URL(path, root);
  if (url.origin !== root.origin) throw new FeedError('REFUSED', 'the token address is on another host');
  return url;
}
