import { z } from 'zod';
import {
  STAGING_ASPECT_RATIOS,
  STAGING_OUTPUT_FORMATS,
  STAGING_QUALITIES,
} from '../../machines/vocabulary.ts';
import { MAX_STARTS_PER_MINUTE } from '../../persistence/actors/start-rate.ts';
import {
  crashReportAddress,
  endpointUrl,
  exactlyTrue,
  headerList,
  hostList,
  integer,
  listenHost,
  mailAddress,
  oneOf,
  optionalText,
  origin,
  originList,
  originOr,
  port,
  ratioOr,
  secretText,
  secretUrl,
  text,
  textOr,
  utcInstantOr,
  webhookSecrets,
} from './fields.ts';
import { AGENT_APPROVALS, LOG_LEVELS, type Role } from './shape.ts';

const MODEL = /^[a-z0-9][\w.-]*\/[a-z0-9][\w.-]*$/i;
const SERVICE_NAME = /^[\w.-]{1,100}$/;
const SERVICE_NAME_EXPECTED = 'the name under which this role shows its traces';
const PRINTABLE = /^[\x21-\x7e]{1,200}$/;

/** Variables of both roles: docs/contract.md#settings. */
const bothRoles = {
  NODE_ENV: optionalText(/^[a-z]{1,20}$/, 'development, test or production'),
  LOG_LEVEL: oneOf(LOG_LEVELS, 'info'),
  DATABASE_URL: secretUrl(['postgres:', 'postgresql:']),
  KV_URL: secretUrl(['redis:', 'rediss:']),
  // BullMQ refuses ':' in a queue name, and the suffix also names keys and log fields.
  QUEUE_SUFFIX: textOr('', /^[A-Za-z0-9._-]{0,40}$/, 'up to 40 letters, digits, dots, dashes, underscores'),
  AI_ROOM_STAGING_ENABLED: exactlyTrue(),
  AI_STAGING_LEGACY_ALIAS_SUNSET_AT: utcInstantOr('2026-10-19T00:00:00.000Z'),
  AI_STAGING_QUALITY: oneOf(STAGING_QUALITIES, 'medium'),
  AI_STAGING_ASPECT_RATIO: oneOf(STAGING_ASPECT_RATIOS, '1:1'),
  AI_STAGING_OUTPUT_FORMAT: oneOf(STAGING_OUTPUT_FORMATS, 'jpeg'),
  AI_STAGING_OUTPUT_COMPRESSION: integer({ min: 0, max: 100, fallback: 92 }),
  PROVIDER_MODEL: textOr('openai/gpt-image-2', MODEL, 'owner/name'),
  PUBLIC_BASE_URL: origin(),
  S3_ENDPOINT: endpointUrl(),
  S3_REGION: textOr('us-east-1', /^[a-z0-9-]{2,40}$/, 'a region name'),
  S3_ACCESS_KEY_ID: secretText(PRINTABLE, 'an access key id'),
  S3_SECRET_ACCESS_KEY: secretText(PRINTABLE, 'a secret access key'),
  S3_BUCKET: text(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'a bucket name (3 to 63 of a-z, 0-9, dot, dash)'),
  SENTRY_DSN: crashReportAddress(),
  OTEL_EXPORTER_OTLP_ENDPOINT: endpointUrl().optional(),
  OTEL_EXPORTER_OTLP_HEADERS: headerList(),
  OTEL_TRACES_SAMPLER_ARG: ratioOr(1),
  // The engine and the picture library need about 150 of it themselves.
  IMAGE_WORKER_MEMORY_MB: integer({ min: 256, max: 16_384, fallback: 1_024 }),
  SHUTDOWN_GRACE_MS: integer({ min: 0, max: 600_000, fallback: 25_000 }),
  TRUSTED_PROXY_HOPS: integer({ min: 0, max: 10, fallback: 0 }),
};

const MAX_QUOTA = 10_000_000;

export const webVariables = z.object({
  ...bothRoles,
  OTEL_SERVICE_NAME: textOr('proscenium-web', SERVICE_NAME, SERVICE_NAME_EXPECTED),
  HOST: listenHost('127.0.0.1'),
  PORT: port(3000),
  OPS_HOST: listenHost('127.0.0.1'),
  OPS_PORT: port(3002),
  AUTH_SECRET: secretText(/^[\x21-\x7e]{32,256}$/, 'at least 32 printable characters'),
  SMTP_URL: secretUrl(['smtp:', 'smtps:']),
  MAIL_FROM: mailAddress(),
  GOOGLE_CLIENT_ID: optionalText(PRINTABLE, 'the OAuth client id of the web client'),
  APPLE_CLIENT_ID: optionalText(PRINTABLE, 'the services id or bundle id'),
  // Fixed by the producer with each job; the worker sends what is stored.
  PROVIDER_TEXT_MODEL: textOr('openai/gpt-5-mini', MODEL, 'owner/name'),
  PROVIDER_WEBHOOK_SIGNING_SECRET: webhookSecrets(),
  // That they are of the site of PUBLIC_BASE_URL is checked by cross-rules.ts.
  WEB_ORIGINS: originList(),
  // An office or a mobile carrier has one address for many people.
  REQUEST_LIMIT_PER_MINUTE_IP: integer({ min: 0, max: 1_000_000, fallback: 6_000 }),
  REQUEST_LIMIT_PER_MINUTE_SESSION: integer({ min: 0, max: 1_000_000, fallback: 1_200 }),
  // Staging jobs; 0 is no limit.
  AI_STAGING_QUOTA_HOUR: integer({ min: 0, max: MAX_QUOTA, fallback: 120 }),
  AI_STAGING_QUOTA_DAY: integer({ min: 0, max: MAX_QUOTA, fallback: 400 }),
  AI_STAGING_QUOTA_FIRST_DAY: integer({ min: 0, max: MAX_QUOTA, fallback: 60 }),
  AI_STAGING_QUOTA_PLATFORM_DAY: integer({ min: 0, max: MAX_QUOTA, fallback: 5_000 }),
  AI_STAGING_OPEN_JOBS_PER_AGENT: integer({ min: 0, max: MAX_QUOTA, fallback: 100 }),
  AGENT_APPROVAL: oneOf(AGENT_APPROVALS, 'none'),
});

const MAX_RETENTION_DAYS = 36_500;

export const workerVariables = z.object({
  ...bothRoles,
  OTEL_SERVICE_NAME: textOr('proscenium-worker', SERVICE_NAME, SERVICE_NAME_EXPECTED),
  OPS_HOST: listenHost('127.0.0.1'),
  OPS_PORT: port(3001),
  PROVIDER_BASE_URL: originOr('https://api.replicate.com'),
  PROVIDER_API_TOKEN: secretText(PRINTABLE, 'the API token of the provider'),
  PROVIDER_OUTPUT_HOSTS: hostList(['replicate.delivery', '*.replicate.delivery']),
  PROVIDER_POLL_INTERVAL_MS: integer({ min: 50, max: 60_000, fallback: 5_000 }),
  // Its rules depend on PROVIDER_BASE_URL and are checked by cross-rules.ts.
  PROVIDER_WEBHOOK_BASE_URL: text(/./, 'the https origin of the API host'),
  AI_STAGING_USER_HASH_SECRET: secretText(/^[0-9a-fA-F]{64}$/, '64 hex characters'),
  AI_STAGING_CONCURRENCY: integer({ min: 1, max: 64, fallback: 4 }),
  // The provider itself allows 600 creations a minute (docs/provider.md#errors).
  AI_STAGING_RATE_LIMIT_PER_MINUTE: integer({ min: 1, max: MAX_STARTS_PER_MINUTE, fallback: 6 }),
  AI_DESCRIPTION_CONCURRENCY: integer({ min: 1, max: 64, fallback: 2 }),
  // Days; 0 keeps for ever.
  RETENTION_RECEIPTS_DAYS: integer({ min: 0, max: MAX_RETENTION_DAYS, fallback: 30 }),
  RETENTION_OUTBOX_DAYS: integer({ min: 0, max: MAX_RETENTION_DAYS, fallback: 30 }),
  RETENTION_TRACES_DAYS: integer({ min: 0, max: MAX_RETENTION_DAYS, fallback: 30 }),
  RETENTION_JOURNAL_DAYS: integer({ min: 0, max: MAX_RETENTION_DAYS, fallback: 400 }),
  AI_STAGING_PRICING_VERSION: optionalText(PRINTABLE, 'a dated source identifier'),
  QUEUE_DASHBOARD_USER: optionalText(/^[^\s:]{1,100}$/, 'a user name without blanks or colons'),
  QUEUE_DASHBOARD_PASSWORD: secretText(PRINTABLE, 'a password without blanks, or unset').optional(),
});

/** Any suffix may be set. One for each quality is used: what a picture of it is estimated to cost, in micro-US-dollars. */
export const COST_PREFIX = 'AI_STAGING_COST_MICROUSD_';
export const COST_VARIABLES = STAGING_QUALITIES.map((quality) => `${COST_PREFIX}${quality.toUpperCase()}`);

/** Secrets that a role must not even hold (docs/contract.md#secrets). */
export const FOREIGN_SECRETS: Record<Role, readonly string[]> = {
  web: ['PROVIDER_API_TOKEN', 'AI_STAGING_USER_HASH_SECRET', 'QUEUE_DASHBOARD_PASSWORD'],
  worker: ['PROVIDER_WEBHOOK_SIGNING_SECRET', 'AUTH_SECRET'],
};

/** Variables that OpenTelemetry's exporter would read by itself and add to ours, unchecked and unscrubbed. */
export const UNREAD_TRACING_PREFIX = 'OTEL_EXPORTER_OTLP_TRACES_';

/** Every variable name a role reads, without the cost family. */
export function variableNames(role: Role): string[] {
  return Object.keys(role === 'web' ? webVariables.shape : workerVariables.shape);
}
