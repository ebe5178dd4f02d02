import { COST_PREFIX, variableNames } from '../../../src/config/settings.ts';
import { unknownSettings } from '../../../src/config/unknown-settings.ts';
import { StackError } from './lifecycle.ts';
import type { ObjectStoreAddress } from './loopback.ts';

export type Role = 'web' | 'worker';

/** The provider's settings for a role. */
export interface ProviderEnvironment {
  baseUrl: string;
  token: string;
  webhookSecret: string;
}

/** The services that a role uses. A `Stack` has this shape, and so has the stack that the tests share. */
export interface RoleEnvironment {
  databaseUrl: string;
  kvUrl: string;
  s3: ObjectStoreAddress;
  smtpUrl: string;
  mailDir: string;
  provider: ProviderEnvironment | undefined;
  secrets: { rolesPassword: string; authSecret: string; userHashSecret: string };
}

export type RoleVariables = Record<string, string>;

export const DEFAULT_PORT = '3000';
/** The worker's port; the web role's is one higher. */
export const DEFAULT_OPS_PORT = '3001';

const ROLES_LOGIN = 'proscenium_roles';

/** Variables that every process needs to run; all other variables of the shell are dropped. */
const INHERITED = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'NODE_ENV'];

/** Variables that the local stack sets itself, whatever the shell has. */
const OWNED =
  /^(DATABASE_.*|KV_URL|S3_.*|SMTP_URL|PROVIDER_.*|AUTH_SECRET|AI_STAGING_USER_HASH_SECRET|PUBLIC_BASE_URL|HOST|PORT|OPS_HOST|OPS_PORT|NODE_ENV)$/;

/**
 * The whole environment of one role on the local stack: its own settings and secrets, never those of the other role
 * (docs/contract.md#secrets).
 * @param overrides take precedence over everything; `PORT` also sets the API host's origin for both roles
 * @throws Error when the environment has no provider
 */
export function roleEnvironment(
  environment: RoleEnvironment,
  role: Role,
  overrides: RoleVariables = {},
): RoleVariables {
  const { PORT: port = DEFAULT_PORT, ...others } = overrides;
  const own = role === 'web' ? webVariables(environment, port) : workerVariables(environment, port);
  return { ...inherited(), ...bothRoles(environment, port), ...own, ...others };
}

/**
 * The settings that a person may set in the shell for `npm start`: those that the role reads and the stack does not
 * set itself.
 */
export function fromShell(role: Role, shell: NodeJS.ProcessEnv): RoleVariables {
  const known = new Set(variableNames(role).filter((name) => !OWNED.test(name)));
  const cost = (name: string) => name.startsWith(COST_PREFIX);
  return Object.fromEntries(
    Object.entries(shell).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && (known.has(entry[0]) || cost(entry[0])),
    ),
  );
}

/**
 * A misspelled setting in the shell would be left out without notice. Other programs' variables are in it as well, so only
 * those count that resemble a setting.
 * @throws StackError SETTING_UNKNOWN
 */
export function requireKnown(shell: NodeJS.ProcessEnv): void {
  const misspelled = unknownSettings(shell).flatMap(({ variable, meant }) =>
    meant === null || OWNED.test(variable) ? [] : `${variable} is not a setting: expected ${meant}`,
  );
  if (misspelled.length > 0) throw new StackError('SETTING_UNKNOWN', misspelled.join('\n'));
}

/** The stack with the login of web and worker, which owns nothing in the database (docs/contract.md#database-roles). */
export function forRoles<S extends Pick<RoleEnvironment, 'databaseUrl' | 'secrets'>>(stack: S): S {
  const url = new URL(stack.databaseUrl);
  url.username = ROLES_LOGIN;
  url.password = stack.secrets.rolesPassword;
  return { ...stack, databaseUrl: url.href };
}

function inherited(): RoleVariables {
  const pairs = INHERITED.map((name) => [name, process.env[name]] as const);
  return Object.fromEntries(pairs.filter((pair): pair is [string, string] => pair[1] !== undefined));
}

function bothRoles({ databaseUrl, kvUrl, s3 }: RoleEnvironment, port: string): RoleVariables {
  return {
    DATABASE_URL: databaseUrl,
    KV_URL: kvUrl,
    S3_ENDPOINT: s3.endpoint,
    S3_REGION: s3.region,
    S3_ACCESS_KEY_ID: s3.accessKeyId,
    S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
    S3_BUCKET: s3.bucket,
    PUBLIC_BASE_URL: apiOrigin(port),
    OPS_HOST: '127.0.0.1',
    PROVIDER_MODEL: 'openai/gpt-image-2',
    // The simulator costs nothing, so the local stack stages pictures by default.
    AI_ROOM_STAGING_ENABLED: 'true',
    AI_STAGING_QUALITY: 'medium',
    AI_STAGING_OUTPUT_FORMAT: 'jpeg',
    AI_STAGING_OUTPUT_COMPRESSION: '92',
    QUEUE_SUFFIX: '',
  };
}

function webVariables(environment: RoleEnvironment, port: string): RoleVariables {
  return {
    HOST: '127.0.0.1',
    PORT: port,
    OPS_PORT: String(Number(DEFAULT_OPS_PORT) + 1),
    AUTH_SECRET: environment.secrets.authSecret,
    SMTP_URL: environment.smtpUrl,
    MAIL_FROM: 'no-reply@example.com',
    // All clients on this machine share one address.
    REQUEST_LIMIT_PER_MINUTE_IP: '0',
    REQUEST_LIMIT_PER_MINUTE_SESSION: '0',
    PUBLIC_WORK_PER_NETWORK_MS: '0',
    PROVIDER_TEXT_MODEL: 'openai/gpt-5-mini',
    PROVIDER_WEBHOOK_SIGNING_SECRET: providerOf(environment).webhookSecret,
  };
}

function workerVariables(environment: RoleEnvironment, port: string): RoleVariables {
  const { baseUrl, token } = providerOf(environment);
  return {
    OPS_PORT: DEFAULT_OPS_PORT,
    PROVIDER_API_TOKEN: token,
    PROVIDER_BASE_URL: baseUrl,
    PROVIDER_OUTPUT_HOSTS: `${new URL(baseUrl).host},replicate.delivery,*.replicate.delivery`,
    PROVIDER_POLL_INTERVAL_MS: '1000',
    PROVIDER_WEBHOOK_BASE_URL: apiOrigin(port),
    AI_STAGING_USER_HASH_SECRET: environment.secrets.userHashSecret,
    // The default of 6 per minute protects the limit of a provider account; the simulator has no such limit.
    AI_STAGING_RATE_LIMIT_PER_MINUTE: '60',
  };
}

function apiOrigin(port: string): string {
  return `http://127.0.0.1:${port}`;
}

function providerOf({ provider }: RoleEnvironment): ProviderEnvironment {
  if (provider) return provider;
  throw new Error('the roles need the provider simulator, and it does not run');
}
