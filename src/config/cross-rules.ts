import { isLoopbackHost, isSameSite, parseOrigin, webhookBaseProblem } from './host-rules.ts';
import { GEOCODER_KINDS, isGeocoderUrl, isRouterUrl, ROUTER_KINDS } from './outside-settings.ts';
import { COST_VARIABLES, FOREIGN_SECRETS, type Role, UNREAD_TRACING_PREFIX } from './settings.ts';
import { retiredProblems, signingProblems } from './signing.ts';
import { unknownSettings } from './unknown-settings.ts';
import { vapidProblems } from './vapid.ts';

export type Environment = Record<string, string | undefined>;

/** One line of a ConfigError: the variable and what is wrong with it. */
export interface ConfigProblem {
  variable: string;
  message: string;
}

function foreignSecrets(role: Role, env: Environment): ConfigProblem[] {
  return FOREIGN_SECRETS[role]
    .filter((variable) => env[variable] !== undefined)
    .map((variable) => ({ variable, message: `must not be set for the ${role} role: not its secret` }));
}

function unknown(env: Environment): ConfigProblem[] {
  return unknownSettings(env).map(({ variable, meant }) => ({
    variable,
    message: `is not a setting: ${meant === null ? '.env.example lists all' : `expected ${meant}`}`,
  }));
}

function webhookBase(env: Environment): ConfigProblem[] {
  const value = env.PROVIDER_WEBHOOK_BASE_URL;
  if (value === undefined) return [];
  const expected = webhookBaseProblem(value, env.PROVIDER_BASE_URL ?? '');
  if (!expected) return [];
  const message = `expected ${expected}, found ${JSON.stringify(value)}`;
  return [{ variable: 'PROVIDER_WEBHOOK_BASE_URL', message }];
}

function webOrigins(env: Environment): ConfigProblem[] {
  const own = parseOrigin(env.PUBLIC_BASE_URL ?? '');
  const given = (env.WEB_ORIGINS ?? '').split(',').flatMap((one) => parseOrigin(one.trim()) ?? []);
  const foreign = own === null ? undefined : given.find((origin) => !isSameSite(origin, own));
  if (foreign === undefined) return [];
  const message = `expected origins of the site of PUBLIC_BASE_URL, since cookies go no further, found ${foreign.origin}`;
  return [{ variable: 'WEB_ORIGINS', message }];
}

function userHashSecret(env: Environment): ConfigProblem[] {
  const hashSecret = env.AI_STAGING_USER_HASH_SECRET;
  if (hashSecret === undefined || hashSecret !== env.AUTH_SECRET) return [];
  return [{ variable: 'AI_STAGING_USER_HASH_SECRET', message: 'must differ from AUTH_SECRET' }];
}

function dashboardPair(env: Environment): ConfigProblem[] {
  const hasUser = env.QUEUE_DASHBOARD_USER !== undefined;
  const hasPassword = env.QUEUE_DASHBOARD_PASSWORD !== undefined;
  if (hasUser === hasPassword) return [];
  const variable = hasUser ? 'QUEUE_DASHBOARD_PASSWORD' : 'QUEUE_DASHBOARD_USER';
  return [{ variable, message: 'expected both dashboard credentials or neither, found only the other one' }];
}

/** Prices of a known quality. Other names of the family are not checked, since no price rule reads them. */
function costs(env: Environment): ConfigProblem[] {
  return COST_VARIABLES.flatMap((variable) => {
    const value = env[variable];
    if (value === undefined || /^\d{1,12}$/.test(value)) return [];
    const message = `expected an integer of micro-US-dollars, found ${JSON.stringify(value)}`;
    return [{ variable, message }];
  });
}

function unreadTracing(env: Environment): ConfigProblem[] {
  return Object.keys(env)
    .filter((variable) => variable.startsWith(UNREAD_TRACING_PREFIX))
    .map((variable) => ({
      variable,
      message: `must not be set: expected ${variable.replace('_TRACES_', '_')}, which speaks for traces too`,
    }));
}

function ports(env: Environment): ConfigProblem[] {
  const apiPort = env.PORT ?? '3000';
  if (apiPort === '0' || apiPort !== (env.OPS_PORT ?? '3002')) return [];
  return [{ variable: 'OPS_PORT', message: `expected another port than PORT, found ${apiPort} for both` }];
}

/** Optional STARTTLS protects nothing: an attacker on the path removes the server's offer. */
function mailEncryption(env: Environment): ConfigProblem[] {
  const url = URL.parse(env.SMTP_URL ?? '');
  if (url?.protocol !== 'smtp:' || env.SMTP_TLS === 'none') return [];
  if (isLoopbackHost(url.hostname) || url.searchParams.get('requireTLS') === 'true') return [];
  const message =
    'expected smtps://, or smtp:// with ?requireTLS=true for STARTTLS; SMTP_TLS=none permits mail without encryption';
  return [{ variable: 'SMTP_URL', message }];
}

function mapBackground(env: Environment): ConfigProblem[] {
  if (env.MAP_STYLE_URL === undefined || env.MAP_PMTILES_URL === undefined) return [];
  return [{ variable: 'MAP_PMTILES_URL', message: 'must not be set together with MAP_STYLE_URL' }];
}

/** Both the address and the kind of a service, or neither. */
function service(
  env: Environment,
  name: string,
  { isUrl, kinds }: { isUrl: (value: string) => boolean; kinds: readonly string[] },
): ConfigProblem[] {
  const variables = { url: `${name}_URL`, kind: `${name}_KIND` };
  const [url, kind] = [env[variables.url], env[variables.kind]];
  if ((url === undefined) === (kind === undefined)) return [];
  // A wrong value is named by itself.
  if (url !== undefined ? !isUrl(url) : !kinds.some((one) => one === kind)) return [];
  const [given, missing] =
    url === undefined ? [variables.kind, variables.url] : [variables.url, variables.kind];
  return [{ variable: missing, message: `must be set together with ${given}` }];
}

/** Commands, migrations and confirmations of claims need a session, which a pooler in transaction mode has not. */
function pooler(env: Environment): ConfigProblem[] {
  if (env.DATABASE_POOLER !== 'transaction' || env.DATABASE_DIRECT_URL !== undefined) return [];
  return [
    { variable: 'DATABASE_DIRECT_URL', message: 'must be set together with DATABASE_POOLER=transaction' },
  ];
}

/**
 * Problems between several variables; empty values are already removed from `env`.
 * @param now for certificates; ms since 1970.
 */
export function crossProblems(role: Role, env: Environment, now: number): ConfigProblem[] {
  const own =
    role === 'web'
      ? [
          ...ports(env),
          ...webOrigins(env),
          ...mailEncryption(env),
          ...mapBackground(env),
          ...service(env, 'ROUTER', { isUrl: isRouterUrl, kinds: ROUTER_KINDS }),
          ...service(env, 'GEOCODER', { isUrl: isGeocoderUrl, kinds: GEOCODER_KINDS }),
          ...vapidProblems(env),
          ...signingProblems(env, now),
          ...retiredProblems(env, now),
        ]
      : [...webhookBase(env), ...dashboardPair(env)];
  return [
    ...foreignSecrets(role, env),
    ...unknown(env),
    ...userHashSecret(env),
    ...unreadTracing(env),
    ...costs(env),
    ...pooler(env),
    ...own,
  ];
}
