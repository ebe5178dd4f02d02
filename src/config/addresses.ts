import querystring from 'node:querystring';

/** Where the key-value store answers. */
export interface KvAddress {
  /** Without sentinels the server; with them only its user, password and database number are true. */
  url: URL;
  /** Null when the server's own address is given. */
  sentinels: { name: string; at: readonly { host: string; port: number }[] } | null;
}

const SENTINELS = /^redis-sentinel:\/\/([^@/\s]*@)?([^@/\s]+)\/([\w.-]{1,100})((?:\/\d{1,2})?)$/;
const SENTINEL_PORT = 26_379;

/**
 * Reads `redis://user:password@host:port/database`, `rediss://…`, or
 * `redis-sentinel://user:password@host:port,host:port/primary/database`: the sentinels, and the name under which they
 * know the primary. User and password are the servers'. Null when the text is none of these.
 */
export function parseKvAddress(text: string): KvAddress | null {
  const [, login = '', hosts, name, database] = SENTINELS.exec(text) ?? [];
  if (hosts === undefined || name === undefined) {
    const url = serverUrl(text);
    return url === null ? null : { url, sentinels: null };
  }
  const at = hosts.split(',').map((host) => serverUrl(`redis://${host}`));
  const url = serverUrl(`redis://${login}${hosts.split(',')[0]}${database}`);
  if (url === null || !at.every((one) => one !== null)) return null;
  return {
    url,
    sentinels: {
      name,
      at: at.map(({ hostname, port }) => ({
        host: hostname.replace(/^\[|\]$/g, ''),
        port: Number(port || SENTINEL_PORT),
      })),
    },
  };
}

function serverUrl(text: string): URL | null {
  if (!URL.canParse(text) || /\s/.test(text)) return null;
  const url = new URL(text);
  return ['redis:', 'rediss:'].includes(url.protocol) && url.hostname !== '' ? url : null;
}

/** Where PostgreSQL itself answers, for commands: what needs a session does not work through a pooler. */
export const directDatabaseUrl = (env: Readonly<Record<string, string | undefined>>): string | undefined =>
  env.DATABASE_DIRECT_URL || env.DATABASE_URL;

/** The password as written in the address of a store, and decoded as the server uses it. */
export function urlPassword(address: string): string[] {
  const password = (parseKvAddress(address)?.url ?? URL.parse(address))?.password ?? '';
  if (password === '') return [];
  return [...new Set([password, querystring.unescape(password)])];
}
