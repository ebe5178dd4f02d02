/**
 * The settings of a process. In src, only this file reads `process.env`; every other file gets a config object. A
 * config is always complete and checked: with any error in its environment, a process does not start and lists all
 * errors at once. An empty value counts as unset.
 */
import { createHash } from 'node:crypto';
import type { StagingFraming } from '../../machines/vocabulary.ts';
import { problemLine, readSite } from '../site/read-site.ts';
import { urlPassword } from './addresses.ts';
import { type ConfigProblem, crossProblems, type Environment } from './cross-rules.ts';
import { isLoopbackHost } from './host-rules.ts';
import { serviceSettings } from './outside-settings.ts';
import {
  COST_PREFIX,
  COST_VARIABLES,
  isSetting,
  type Role,
  type Settings,
  type Values,
  webSettings,
  workerSettings,
} from './settings.ts';
import { readRetiredCertificates, readSigning } from './signing.ts';
import { readVapid } from './vapid.ts';

export type WebConfig = ReturnType<typeof loadWebConfig>;
export type WorkerConfig = ReturnType<typeof loadWorkerConfig>;
/** The config of either role: the settings that both have can be read. */
export type CommonConfig = WebConfig | WorkerConfig;

/** The names of variables that may hold the credentials of a feed. */
export const FEED_CREDENTIALS = /^FEED_[A-Z0-9_]*_(?:TOKEN|SECRET)$/;

/** All errors of an environment; `message` has one line per problem and never a secret value. */
export class ConfigError extends Error {
  readonly code = 'CONFIG_INVALID';
  readonly role: Role;
  readonly problems: readonly ConfigProblem[];

  constructor(role: Role, problems: readonly ConfigProblem[]) {
    const lines = problems.map(({ variable, message }) => `  ${variable}: ${message}`);
    super(`The environment of the ${role} role is not usable:\n${lines.join('\n')}`);
    this.name = 'ConfigError';
    this.role = role;
    this.problems = problems;
  }
}

function withoutEmpty(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
}

/** The values of the settings, in the same structure; `problems` gets a line for each invalid one. */
function read<T extends Settings>(settings: T, env: Environment, problems: ConfigProblem[]): Values<T> {
  const values = Object.entries(settings).map(([name, one]) => {
    if (!isSetting(one)) return [name, read(one, env, problems)];
    const { variable, schema, expected, secret } = one;
    const given = env[variable];
    const result = schema.safeParse(given);
    if (!result.success) {
      const shown = secret ? 'a value that is not shown' : JSON.stringify(given);
      const found = given === undefined ? 'nothing' : shown;
      problems.push({ variable, message: `expected ${expected}, found ${found}` });
    }
    return [name, result.data];
  });
  return Object.fromEntries(values) as Values<T>;
}

/** Throws ConfigError. */
function readChecked<R extends Role, T extends Settings & Pick<typeof webSettings, 'siteDir'>>(
  role: R,
  settings: T,
  env: Environment,
  now: number,
) {
  const problems: ConfigProblem[] = [];
  const values = read(settings, env, problems);
  const { site, problems: siteProblems } = readSite(env.SITE_DIR);
  for (const one of siteProblems) problems.push({ variable: 'SITE_DIR', message: problemLine(one) });
  const wrong = new Set(problems.map(({ variable }) => variable));
  problems.push(...crossProblems(role, env, now).filter(({ variable }) => !wrong.has(variable)));
  if (problems.length > 0 || site === null) throw new ConfigError(role, problems);
  return { role, ...values, site };
}

/** A named shape is the fixed one of all pictures; without one each picture has its photo's shape. */
function providerInputs(given: Values<typeof webSettings.providerInputs>, env: Environment) {
  const unset: StagingFraming = env.AI_STAGING_ASPECT_RATIO === undefined ? 'photo' : 'fixed';
  return { ...given, framing: given.framing ?? unset };
}

/** Null without an endpoint: tracing is off. */
function tracingConfig({ endpoint, ...others }: Values<typeof webSettings.tracing>) {
  return endpoint === null ? null : { endpoint, ...others };
}

/** The credentials of feeds, by the names that the feeds have for them (docs/contract.md#feeds). */
const feedSecrets = (env: Environment): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(env).flatMap(([name, value]) =>
      FEED_CREDENTIALS.test(name) && value !== undefined ? [[name, value]] : [],
    ),
  );

/** The prices of both roles: people see the same estimate everywhere. */
function costConfig(env: Environment) {
  const costs = Object.keys(env).filter((name) => name.startsWith(COST_PREFIX));
  return {
    /** Micro-US-dollars by quality in lower case, from `AI_STAGING_COST_MICROUSD_*`; for people only. */
    costMicrousd: Object.fromEntries(
      costs
        .filter((name) => COST_VARIABLES.includes(name))
        .map((name) => [name.slice(COST_PREFIX.length).toLowerCase(), Number(env[name])]),
    ),
    /** Variables of that family that are set but match no quality: no price rule uses them. */
    unusedCostVariables: costs.filter((name) => !COST_VARIABLES.includes(name)),
  };
}

/**
 * The API host's settings. Throws ConfigError (docs/contract.md#settings).
 * @param now for the times of certificates; ms since 1970.
 */
export function loadWebConfig(environment: Environment, now = Date.now()) {
  const env = withoutEmpty(environment);
  const values = readChecked('web', webSettings, env, now);
  const { costMicrousd } = costConfig(env);
  return {
    ...values,
    costMicrousd,
    // A test host must not be listed.
    robots: values.robots ?? (isLoopbackHost(new URL(values.publicBaseUrl).hostname) ? 'none' : 'all'),
    providerInputs: providerInputs(values.providerInputs, env),
    tracing: tracingConfig(values.tracing),
    signing: readSigning(values.signing),
    router: serviceSettings(values.router),
    geocoder: serviceSettings(values.geocoder),
    push: readVapid(values.push),
    retiredCertificates: readRetiredCertificates(values.retiredCertificates),
  };
}

/** The worker's settings. Throws ConfigError (docs/contract.md#settings). */
export function loadWorkerConfig(environment: Environment) {
  const env = withoutEmpty(environment);
  const values = readChecked('worker', workerSettings, env, Date.now());
  const { user, password } = values.queueDashboard;
  return {
    ...values,
    providerInputs: providerInputs(values.providerInputs, env),
    tracing: tracingConfig(values.tracing),
    retentionDays: {
      ...values.retentionDays,
      messages: values.retentionDays.receipts,
      // Counted from their end. Ended sessions have no further use.
      sessions: 1,
      signInCodes: 1,
      consoleSignOuts: 1,
    },
    queueDashboard: user !== null && password !== null ? { user, password } : null,
    feedSecrets: feedSecrets(env),
    ...costConfig(env),
  };
}

/** The process functions that `loadConfigOrExit` uses; tests pass their own. */
export interface ExitOptions {
  env?: Environment;
  write?: (text: string) => void;
  exit?: (code: number) => never;
}

/**
 * Returns the config of a role. On errors it writes all of them to stderr and exits with code 78 (EX_CONFIG of
 * sysexits.h), which tells a process manager that a restart does not help.
 */
export function loadConfigOrExit(role: 'web', options?: ExitOptions): WebConfig;
export function loadConfigOrExit(role: 'worker', options?: ExitOptions): WorkerConfig;
export function loadConfigOrExit(role: Role, options: ExitOptions = {}): CommonConfig {
  const env = options.env ?? process.env;
  try {
    return role === 'web' ? loadWebConfig(env) : loadWorkerConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const write = options.write ?? ((text: string) => void process.stderr.write(text));
    try {
      write(`${error.message}\n`);
    } catch {
      // The exit code says it as well.
    }
    return (options.exit ?? process.exit)(78);
  }
}

type Matching = Pick<CommonConfig, 'site' | 'providerInputs' | 'queueSuffix' | 'claimDurability'>;

/** The values that must be equal in all processes, by variable; the flag is not one of them (docs/contract.md#settings). */
function matchingSettings({ site, providerInputs, queueSuffix, claimDurability }: Matching) {
  const { model, quality, framing, aspectRatio, outputFormat, outputCompression } = providerInputs;
  return {
    SITE_DIR: site.fingerprint,
    PROVIDER_MODEL: model,
    AI_STAGING_QUALITY: quality,
    AI_STAGING_FRAMING: framing,
    // A fixed shape counts only where it is used.
    AI_STAGING_ASPECT_RATIO: framing === 'fixed' ? aspectRatio : null,
    AI_STAGING_OUTPUT_FORMAT: outputFormat,
    AI_STAGING_OUTPUT_COMPRESSION: outputCompression,
    QUEUE_SUFFIX: queueSuffix,
    CLAIM_DURABILITY: claimDurability,
  };
}

const sha256 = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex');

/** A SHA-256 for each setting that must be equal in all processes: a difference is named without revealing values. */
export function settingFingerprints(config: Matching): Record<string, string> {
  return Object.fromEntries(
    Object.entries(matchingSettings(config)).map(([variable, value]) => [variable, sha256(value)]),
  );
}

/** One sha256 over all of them. */
export const configFingerprint = (config: Matching): string => sha256(matchingSettings(config));

/** Every secret value of a config, for the logger's final scrub. */
export function configSecrets(config: CommonConfig): string[] {
  const both = [
    ...urlPassword(config.databaseUrl),
    ...(config.databaseDirectUrl ? urlPassword(config.databaseDirectUrl) : []),
    ...urlPassword(config.kvUrl),
    config.s3.secretAccessKey,
    ...(config.sentryDsn ? [config.sentryDsn] : []),
    ...Object.values(config.tracing?.headers ?? {}),
  ];
  if (config.role === 'web') {
    return [
      ...both,
      ...config.searchDatabaseUrls.flatMap(urlPassword),
      config.authSecret,
      ...urlPassword(config.smtpUrl),
      ...config.webhookSigningSecrets,
      ...(config.signing?.secrets ?? []),
      ...(config.push === null ? [] : [config.push.privateKey]),
    ];
  }
  const dashboard = config.queueDashboard ? [config.queueDashboard.password] : [];
  return [...both, config.provider.apiToken, config.userHashSecret, ...dashboard];
}
