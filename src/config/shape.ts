import type { StagingAspectRatio, StagingOutputFormat, StagingQuality } from '../../machines/vocabulary.ts';
import type { StagingLimits } from '../../persistence/jobs/staging-quotas.ts';

export type Role = 'web' | 'worker';
export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
type LogLevel = (typeof LOG_LEVELS)[number];
/** Whether new agents may stage at once, or after an operator's approval. */
export const AGENT_APPROVALS = ['none', 'manual'] as const;

/** What the provider is asked for; fixed at submission and stored with the job (docs/contract.md#submitting). */
export interface ProviderInputsConfig {
  model: string;
  quality: StagingQuality;
  aspectRatio: StagingAspectRatio;
  outputFormat: StagingOutputFormat;
  /** 0 to 100. */
  outputCompression: number;
}

interface ObjectStorageConfig {
  endpoint: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  bucket: string;
}

/** Where traces go (OTLP over HTTP). */
export interface TracingConfig {
  /** Base address of the collector. */
  endpoint: string;
  /** Sent with every export; the values are secrets. */
  headers: Record<string, string>;
  /** Share of traces that are kept, 0 to 1. */
  ratio: number;
  serviceName: string;
}

/** What both roles hold. */
export interface CommonConfig<R extends Role = Role> {
  role: R;
  nodeEnv: string | undefined;
  logLevel: LogLevel;
  databaseUrl: string;
  kvUrl: string;
  queueSuffix: string;
  /** True only for the exact string `true`; anything else, and nothing, is false (docs/contract.md#the-flag). */
  stagingEnabled: boolean;
  /** Legacy style names are refused from this instant on. */
  legacyAliasSunsetAt: Date;
  providerInputs: ProviderInputsConfig;
  s3: ObjectStorageConfig;
  /** How many trusted proxies stand in front of the role's sockets. */
  trustedProxyHops: number;
  ops: { host: string; port: number };
  /** Null means off: unset, or a placeholder that is not https. */
  sentryDsn: string | null;
  /** Null means off. */
  tracing: TracingConfig | null;
  /** Of each process that decodes pictures. */
  imageWorkerMemoryMb: number;
  shutdownGraceMs: number;
  /** Origin under which clients reach the API host; no trailing slash. */
  publicBaseUrl: string;
}

export interface WebConfig extends CommonConfig<'web'> {
  host: string;
  port: number;
  authSecret: string;
  smtpUrl: string;
  mailFrom: string;
  googleClientId: string | null;
  appleClientId: string | null;
  /** `owner/name` of the provider's model that writes descriptions. */
  textModel: string;
  /** Each `whsec_` plus base64 of 24 to 64 bytes; several during a rotation. */
  webhookSigningSecrets: string[];
  /** Requests a minute of one client address and of one session; 0 is no limit. */
  requestLimits: { perAddress: number; perSession: number };
  stagingLimits: StagingLimits;
  agentApproval: (typeof AGENT_APPROVALS)[number];
  /** Origins of the same site whose pages may call with credentials, beside `publicBaseUrl`. */
  webOrigins: string[];
}

export interface WorkerConfig extends CommonConfig<'worker'> {
  provider: {
    baseUrl: string;
    apiToken: string;
    /** Lower-case host names; `*.` in front stands for any subdomain. */
    outputHosts: string[];
    pollIntervalMs: number;
    webhookBaseUrl: string;
  };
  /** 64 hex characters; the HMAC key of the provider's `user_id`. */
  userHashSecret: string;
  stagingConcurrency: number;
  rateLimitPerMinute: number;
  descriptionConcurrency: number;
  queueDashboard: { user: string; password: string } | null;
  /** How many days each is kept; 0 is for ever. */
  retentionDays: Record<
    | 'receipts'
    | 'messages'
    | 'outbox'
    | 'traces'
    | 'journal'
    | 'sessions'
    | 'signInCodes'
    | 'consoleSignOuts',
    number
  >;
  /** Micro-US-dollars by quality in lower case, from `AI_STAGING_COST_MICROUSD_*`; telemetry only. */
  costMicrousd: Record<string, number>;
  /** Set names of that family that belong to no quality, so no price rule uses them. */
  unusedCostVariables: string[];
  pricingVersion: string | null;
}
