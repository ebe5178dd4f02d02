/**
 * The settings of a process. This file is the only reader of `process.env` in src; every other file is handed a
 * config object. A config is complete and checked or it does not exist: a process with anything wrong in its
 * environment does not start, and says everything that is wrong at once. An empty value counts as unset.
 */
import { createHash } from 'node:crypto';
import querystring from 'node:querystring';
import { z } from 'zod';
import { type ConfigProblem, crossProblems, type Environment } from './cross-rules.ts';
import { variableNotes } from './fields.ts';
import type { CommonConfig, Role, TracingConfig, WebConfig, WorkerConfig } from './shape.ts';
import { COST_PREFIX, COST_VARIABLES, webVariables, workerVariables } from './variables.ts';

export type { ConfigProblem, Environment } from './cross-rules.ts';
export type {
  CommonConfig,
  ProviderInputsConfig,
  Role,
  WebConfig,
  WorkerConfig,
} from './shape.ts';

/** Everything wrong with an environment; `message` has one line per problem and never a secret value. */
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

function describeFailure(schema: z.ZodType | undefined, value: string | undefined): string {
  let noteOwner = schema;
  if (schema instanceof z.ZodOptional && !variableNotes.has(schema)) {
    noteOwner = schema.unwrap() as z.ZodType;
  }
  const note = noteOwner ? variableNotes.get(noteOwner) : undefined;
  const expected = note?.expected ?? 'another value';
  if (value === undefined) return `expected ${expected}, found nothing`;
  return `expected ${expected}, found ${note?.secret ? 'a value that is not shown' : JSON.stringify(value)}`;
}

function parse<S extends z.ZodObject>(role: Role, schema: S, env: Environment): z.output<S> {
  const result = schema.safeParse(env);
  const names = new Set((result.error?.issues ?? []).map((issue) => String(issue.path[0])));
  const problems = [...names].map((variable) => ({
    variable,
    message: describeFailure(schema.shape[variable] as z.ZodType | undefined, env[variable]),
  }));
  problems.push(...crossProblems(role, env).filter(({ variable }) => !names.has(variable)));
  if (problems.length > 0 || !result.success) throw new ConfigError(role, problems);
  return result.data;
}

type CommonValues = Pick<
  z.output<typeof webVariables>,
  keyof z.output<typeof webVariables> & keyof z.output<typeof workerVariables>
>;

function commonConfig<R extends Role>(role: R, values: CommonValues): CommonConfig<R> {
  return {
    role,
    nodeEnv: values.NODE_ENV,
    logLevel: values.LOG_LEVEL,
    databaseUrl: values.DATABASE_URL,
    kvUrl: values.KV_URL,
    queueSuffix: values.QUEUE_SUFFIX,
    stagingEnabled: values.AI_ROOM_STAGING_ENABLED,
    legacyAliasSunsetAt: values.AI_STAGING_LEGACY_ALIAS_SUNSET_AT,
    providerInputs: {
      model: values.PROVIDER_MODEL,
      quality: values.AI_STAGING_QUALITY,
      aspectRatio: values.AI_STAGING_ASPECT_RATIO,
      outputFormat: values.AI_STAGING_OUTPUT_FORMAT,
      outputCompression: values.AI_STAGING_OUTPUT_COMPRESSION,
    },
    s3: {
      endpoint: values.S3_ENDPOINT,
      region: values.S3_REGION,
      accessKeyId: values.S3_ACCESS_KEY_ID,
      secretAccessKey: values.S3_SECRET_ACCESS_KEY,
      bucket: values.S3_BUCKET,
    },
    trustedProxyHops: values.TRUSTED_PROXY_HOPS,
    ops: { host: values.OPS_HOST, port: values.OPS_PORT },
    sentryDsn: values.SENTRY_DSN,
    tracing: tracingConfig(values),
    imageWorkerMemoryMb: values.IMAGE_WORKER_MEMORY_MB,
    shutdownGraceMs: values.SHUTDOWN_GRACE_MS,
    publicBaseUrl: values.PUBLIC_BASE_URL,
  };
}

function tracingConfig(values: CommonValues): TracingConfig | null {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = values;
  if (endpoint === undefined) return null;
  return {
    endpoint,
    headers: values.OTEL_EXPORTER_OTLP_HEADERS,
    ratio: values.OTEL_TRACES_SAMPLER_ARG,
    serviceName: values.OTEL_SERVICE_NAME,
  };
}

/** The API host's settings. Throws ConfigError (docs/contract.md#settings). */
export function loadWebConfig(environment: Environment): WebConfig {
  const values = parse('web', webVariables, withoutEmpty(environment));
  return {
    ...commonConfig('web', values),
    host: values.HOST,
    port: values.PORT,
    authSecret: values.AUTH_SECRET,
    smtpUrl: values.SMTP_URL,
    mailFrom: values.MAIL_FROM,
    googleClientId: values.GOOGLE_CLIENT_ID ?? null,
    appleClientId: values.APPLE_CLIENT_ID ?? null,
    textModel: values.PROVIDER_TEXT_MODEL,
    webhookSigningSecrets: values.PROVIDER_WEBHOOK_SIGNING_SECRET,
    webOrigins: values.WEB_ORIGINS,
    requestLimits: {
      perAddress: values.REQUEST_LIMIT_PER_MINUTE_IP,
      perSession: values.REQUEST_LIMIT_PER_MINUTE_SESSION,
    },
    stagingLimits: {
      hour: values.AI_STAGING_QUOTA_HOUR,
      day: values.AI_STAGING_QUOTA_DAY,
      firstDay: values.AI_STAGING_QUOTA_FIRST_DAY,
      platformDay: values.AI_STAGING_QUOTA_PLATFORM_DAY,
      openJobs: values.AI_STAGING_OPEN_JOBS_PER_AGENT,
    },
    agentApproval: values.AGENT_APPROVAL,
  };
}

/** The worker's settings. Throws ConfigError (docs/contract.md#settings). */
export function loadWorkerConfig(environment: Environment): WorkerConfig {
  const env = withoutEmpty(environment);
  const values = parse('worker', workerVariables, env);
  const costs = Object.keys(env).filter((name) => name.startsWith(COST_PREFIX));
  const { QUEUE_DASHBOARD_USER: user, QUEUE_DASHBOARD_PASSWORD: password } = values;
  return {
    ...commonConfig('worker', values),
    provider: {
      baseUrl: values.PROVIDER_BASE_URL,
      apiToken: values.PROVIDER_API_TOKEN,
      outputHosts: values.PROVIDER_OUTPUT_HOSTS,
      pollIntervalMs: values.PROVIDER_POLL_INTERVAL_MS,
      webhookBaseUrl: values.PROVIDER_WEBHOOK_BASE_URL,
    },
    userHashSecret: values.AI_STAGING_USER_HASH_SECRET,
    stagingConcurrency: values.AI_STAGING_CONCURRENCY,
    rateLimitPerMinute: values.AI_STAGING_RATE_LIMIT_PER_MINUTE,
    descriptionConcurrency: values.AI_DESCRIPTION_CONCURRENCY,
    retentionDays: {
      receipts: values.RETENTION_RECEIPTS_DAYS,
      messages: values.RETENTION_RECEIPTS_DAYS,
      outbox: values.RETENTION_OUTBOX_DAYS,
      traces: values.RETENTION_TRACES_DAYS,
      journal: values.RETENTION_JOURNAL_DAYS,
      // After their end; they are of no use for longer.
      sessions: 1,
      signInCodes: 1,
      consoleSignOuts: 1,
    },
    queueDashboard: user !== undefined && password !== undefined ? { user, password } : null,
    costMicrousd: Object.fromEntries(
      costs
        .filter((name) => COST_VARIABLES.includes(name))
        .map((name) => [name.slice(COST_PREFIX.length).toLowerCase(), Number(env[name])]),
    ),
    unusedCostVariables: costs.filter((name) => !COST_VARIABLES.includes(name)),
    pricingVersion: values.AI_STAGING_PRICING_VERSION ?? null,
  };
}

/** How `loadConfigOrExit` reaches the process; tests hand in their own. */
export interface ExitOptions {
  env?: Environment;
  write?: (text: string) => void;
  exit?: (code: number) => never;
}

/**
 * The config of a role, or a list of everything wrong on stderr and exit code 78 (EX_CONFIG of sysexits.h), which
 * tells a process manager that starting again will not help.
 */
export function loadConfigOrExit(role: 'web', options?: ExitOptions): WebConfig;
export function loadConfigOrExit(role: 'worker', options?: ExitOptions): WorkerConfig;
export function loadConfigOrExit(role: Role, options: ExitOptions = {}): WebConfig | WorkerConfig {
  const env = options.env ?? process.env;
  try {
    return role === 'web' ? loadWebConfig(env) : loadWorkerConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const write = options.write ?? ((text: string) => void process.stderr.write(text));
    write(`${error.message}\n`);
    return (options.exit ?? process.exit)(78);
  }
}

/**
 * sha256 hex over the values that must be equal in every role; the flag is not one of them (docs/contract.md#settings).
 */
export function configFingerprint(config: Pick<CommonConfig, 'providerInputs' | 'queueSuffix'>): string {
  const { model, quality, aspectRatio, outputFormat, outputCompression } = config.providerInputs;
  const values = [model, quality, aspectRatio, outputFormat, outputCompression, config.queueSuffix];
  return createHash('sha256').update(JSON.stringify(values)).digest('hex');
}

/** As it stands in the URL and as the server knows it. */
function urlPassword(value: string): string[] {
  const { password } = new URL(value);
  if (password === '') return [];
  return [...new Set([password, querystring.unescape(password)])];
}

/** Every secret value of a config, for the logger's last scrub. */
export function configSecrets(config: WebConfig | WorkerConfig): string[] {
  const both = [
    ...urlPassword(config.databaseUrl),
    ...urlPassword(config.kvUrl),
    config.s3.secretAccessKey,
    ...(config.sentryDsn ? [config.sentryDsn] : []),
    ...Object.values(config.tracing?.headers ?? {}),
  ];
  if (config.role === 'web') {
    return [...both, config.authSecret, ...urlPassword(config.smtpUrl), ...config.webhookSigningSecrets];
  }
  const dashboard = config.queueDashboard ? [config.queueDashboard.password] : [];
  return [...both, config.provider.apiToken, config.userHashSecret, ...dashboard];
}
