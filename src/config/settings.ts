import { z } from 'zod';
import {
  STAGING_ASPECT_RATIOS,
  STAGING_FRAMINGS,
  STAGING_OUTPUT_FORMATS,
  STAGING_QUALITIES,
} from '../../machines/vocabulary.ts';
import { MAX_STARTS_PER_MINUTE } from '../../persistence/actors/start-rate.ts';
import { OWN_SITE } from '../site/read-site.ts';
import {
  choice,
  crashReportAddress,
  endpointUrl,
  exactlyTrue,
  type Field,
  headerList,
  hostList,
  integer,
  kvAddress,
  listenHost,
  mailAddress,
  oneOf,
  optional,
  origin,
  originList,
  originOr,
  port,
  publicUrl,
  ratioOr,
  secretText,
  secretUrl,
  secretUrlList,
  text,
  textOr,
  utcInstantOr,
  webhookSecrets,
  yesOr,
} from './fields.ts';
import { GEOCODER_KINDS, isGeocoderUrl, isRouterUrl, ROUTER_KINDS } from './outside-settings.ts';
import { VAPID_PRIVATE, VAPID_PUBLIC, VAPID_SUBJECT } from './vapid.ts';

/**
 * The settings of both roles (docs/contract.md#settings): the name of each in a config, its variable, and how it is
 * read. A config has the structure of its role's table.
 */
export type Role = 'web' | 'worker';

interface Setting<S extends z.ZodType = z.ZodType> extends Field<S> {
  variable: string;
}
export interface Settings {
  [name: string]: Setting | Settings;
}
/** The values of a table, in the same structure. */
export type Values<T> = { [N in keyof T]: T[N] extends Setting<infer S> ? z.output<S> : Values<T[N]> };

export function isSetting(one: Setting | Settings): one is Setting {
  return typeof one.variable === 'string';
}

const setting = <S extends z.ZodType>(variable: string, field: Field<S>): Setting<S> => ({
  variable,
  ...field,
});

const POSTGRES = ['postgres:', 'postgresql:'];
const MODEL = /^[a-z0-9][\w.-]*\/[a-z0-9][\w.-]*$/i;
const PEM = /^\s*-----BEGIN [A-Z ]+-----[\s\S]{1,20000}-----END [A-Z ]+-----(?:\s|\\n)*$/;
const PRINTABLE = /^[\x21-\x7e]{1,200}$/;

/** The address of a service that the operator runs. @param but what else is refused */
const serviceUrl = (isUrl: (value: string) => boolean, but = '') =>
  optional({
    schema: z.string().refine(isUrl),
    expected: `an https URL (http only inside a private network) without user, query or a slash at its end${but}`,
  });

const bothRoles = (own: { opsPort: number; serviceName: string }) => ({
  nodeEnv: setting('NODE_ENV', optional(text(/^[a-z]{1,20}$/, 'development, test or production, or unset'))),
  logLevel: setting(
    'LOG_LEVEL',
    oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'info'),
  ),
  /** The folder of the operator's name, colors and texts; what it holds is `site` in the config (docs/brand.md). */
  siteDir: setting('SITE_DIR', textOr(OWN_SITE, /^[^\n]{1,1000}$/, 'the path of a folder')),
  databaseUrl: setting('DATABASE_URL', secretUrl(POSTGRES)),
  /** What DATABASE_URL leads to: PostgreSQL, or a pooler that gives each transaction any of its connections. */
  databasePooler: setting('DATABASE_POOLER', oneOf(['none', 'transaction'], 'none')),
  databaseDirectUrl: setting('DATABASE_DIRECT_URL', optional(secretUrl(POSTGRES))),
  /** Where a claim is before its purchase, and a withdrawal before its answer (ARCHITECTURE.md#failover). */
  claimDurability: setting('CLAIM_DURABILITY', oneOf(['local', 'standby'], 'local')),
  kvUrl: setting('KV_URL', kvAddress()),
  // BullMQ rejects ':' in a queue name; keys and log fields contain the suffix too.
  queueSuffix: setting(
    'QUEUE_SUFFIX',
    textOr('', /^[A-Za-z0-9._-]{0,40}$/, 'up to 40 letters, digits, dots, dashes, underscores'),
  ),
  stagingEnabled: setting('AI_ROOM_STAGING_ENABLED', exactlyTrue()),
  /** Legacy style names are rejected from this instant on. */
  legacyAliasSunsetAt: setting('AI_STAGING_LEGACY_ALIAS_SUNSET_AT', utcInstantOr('2026-10-19T00:00:00.000Z')),
  /** Inputs of a prediction; fixed at submission and stored with the job (docs/contract.md#submitting). */
  providerInputs: {
    model: setting('PROVIDER_MODEL', textOr('openai/gpt-image-2', MODEL, 'owner/name')),
    quality: setting('AI_STAGING_QUALITY', oneOf(STAGING_QUALITIES, 'medium')),
    // Without a value, config.ts decides by whether a shape is named.
    framing: setting('AI_STAGING_FRAMING', optional(choice(STAGING_FRAMINGS))),
    aspectRatio: setting('AI_STAGING_ASPECT_RATIO', oneOf(STAGING_ASPECT_RATIOS, '1:1')),
    outputFormat: setting('AI_STAGING_OUTPUT_FORMAT', oneOf(STAGING_OUTPUT_FORMATS, 'jpeg')),
    outputCompression: setting('AI_STAGING_OUTPUT_COMPRESSION', integer({ min: 0, max: 100, fallback: 92 })),
  },
  /** Origin under which clients reach the API host. */
  publicBaseUrl: setting('PUBLIC_BASE_URL', origin()),
  s3: {
    endpoint: setting('S3_ENDPOINT', endpointUrl()),
    region: setting('S3_REGION', textOr('us-east-1', /^[a-z0-9-]{2,40}$/, 'a region name')),
    accessKeyId: setting('S3_ACCESS_KEY_ID', secretText(PRINTABLE, 'an access key id')),
    secretAccessKey: setting('S3_SECRET_ACCESS_KEY', secretText(PRINTABLE, 'a secret access key')),
    bucket: setting(
      'S3_BUCKET',
      text(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'a bucket name (3 to 63 of a-z, 0-9, dot, dash)'),
    ),
  },
  ops: {
    host: setting('OPS_HOST', listenHost('127.0.0.1')),
    port: setting('OPS_PORT', port(own.opsPort)),
  },
  sentryDsn: setting('SENTRY_DSN', crashReportAddress()),
  /** OTLP over HTTP. The endpoint is the collector's base address; without it, tracing is off. */
  tracing: {
    endpoint: setting('OTEL_EXPORTER_OTLP_ENDPOINT', optional(endpointUrl())),
    headers: setting('OTEL_EXPORTER_OTLP_HEADERS', headerList()),
    ratio: setting('OTEL_TRACES_SAMPLER_ARG', ratioOr(1)),
    serviceName: setting(
      'OTEL_SERVICE_NAME',
      textOr(own.serviceName, /^[\w.-]{1,100}$/, 'the name under which this role shows its traces'),
    ),
  },
  /** Memory of each decoder process; the engine and the picture library need about 150 MB of it. */
  imageWorkerMemoryMb: setting('IMAGE_WORKER_MEMORY_MB', integer({ min: 256, max: 16_384, fallback: 1_024 })),
  shutdownGraceMs: setting('SHUTDOWN_GRACE_MS', integer({ min: 0, max: 600_000, fallback: 25_000 })),
  /** The number of trusted proxies in front of the role's sockets. */
  trustedProxyHops: setting('TRUSTED_PROXY_HOPS', integer({ min: 0, max: 10, fallback: 0 })),
});

const requestLimit = (fallback: number) => integer({ min: 0, max: 1_000_000, fallback });
const quota = (fallback: number) => integer({ min: 0, max: 10_000_000, fallback });

export const webSettings = {
  ...bothRoles({ opsPort: 3002, serviceName: 'proscenium-web' }),
  host: setting('HOST', listenHost('127.0.0.1')),
  port: setting('PORT', port(3000)),
  authSecret: setting('AUTH_SECRET', secretText(/^[\x21-\x7e]{32,256}$/, 'at least 32 printable characters')),
  /** Standbys of `databaseUrl`, read for what the public may see (ARCHITECTURE.md#reading-from-standbys). */
  searchDatabaseUrls: setting('SEARCH_DATABASE_URLS', secretUrlList(POSTGRES)),
  smtpUrl: setting('SMTP_URL', secretUrl(['smtp:', 'smtps:'])),
  /** `none` says that codes may cross the network unencrypted (cross-rules.ts). */
  smtpTls: setting('SMTP_TLS', oneOf(['required', 'none'], 'required')),
  mailFrom: setting('MAIL_FROM', mailAddress()),
  googleClientId: setting(
    'GOOGLE_CLIENT_ID',
    optional(text(PRINTABLE, 'the OAuth client id of the web client, or unset')),
  ),
  appleClientId: setting(
    'APPLE_CLIENT_ID',
    optional(text(PRINTABLE, 'the services id or bundle id, or unset')),
  ),
  /** What signs the marks of staged pictures: key and chain or neither (docs/contract.md#marks). */
  signing: {
    key: setting('C2PA_SIGNING_KEY', optional(secretText(PEM, 'a PEM private key, or unset'))),
    certificateChain: setting(
      'C2PA_CERTIFICATE_CHAIN',
      optional(secretText(PEM, 'PEM certificates, the leaf first, or unset')),
    ),
    /** Authorities often answer over http: a stamp is signed itself. */
    timeStampUrl: setting(
      'C2PA_TSA_URL',
      optional(text(/^https?:\/\/[^\s@/]+(?:\/\S*)?$/, 'an http or https URL without a password, or unset')),
    ),
  },
  /** Other certificates that sign for this site: `fingerprint/reason/end`, separated by commas (signing.ts). */
  retiredCertificates: setting(
    'C2PA_RETIRED_CERTIFICATES',
    optional(text(/^[^\n]{1,4000}$/, 'fingerprint/reason/end, separated by commas, or unset')),
  ),
  /** The model that writes descriptions. The producer stores it with each job, and the worker sends the stored one. */
  textModel: setting('PROVIDER_TEXT_MODEL', textOr('openai/gpt-5-mini', MODEL, 'owner/name')),
  webhookSigningSecrets: setting('PROVIDER_WEBHOOK_SIGNING_SECRET', webhookSecrets()),
  /**
   * Origins whose pages may call with credentials, besides `publicBaseUrl`; all must be of its site
   * (cross-rules.ts).
   */
  webOrigins: setting('WEB_ORIGINS', originList()),
  /** Where faults are reported to, for `/.well-known/security.txt`. */
  securityContact: setting(
    'SECURITY_CONTACT',
    optional(text(/^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/, 'mailto:… or an https address, or unset')),
  ),
  /** Whether uploads may be HEIC, whose coding is patented in many countries (docs/contract.md#photos). */
  heicEnabled: setting('HEIC_ENABLED', yesOr(true)),
  /** Whether the site's pages are served with the API; without them, `/` answers 404. */
  siteEnabled: setting('SITE_ENABLED', yesOr(true)),
  /** What the cache in front of this role must forget is sent there (docs/contract.md#caches). */
  purgeUrl: setting('PURGE_URL', optional({ ...publicUrl(), secret: true })),
  /** Where pages report their errors to. Everyone who opens a page can read it. */
  siteSentryDsn: setting('SITE_SENTRY_DSN', { ...crashReportAddress(), secret: false }),
  /** The operator's router, for travel times: both or neither (cross-rules.ts). */
  router: {
    url: setting('ROUTER_URL', serviceUrl(isRouterUrl)),
    kind: setting('ROUTER_KIND', optional(choice(ROUTER_KINDS))),
  },
  /** The operator's geocoder, for addresses: both or neither. */
  geocoder: {
    url: setting('GEOCODER_URL', serviceUrl(isGeocoderUrl, ', not Nominatim’s public host')),
    kind: setting('GEOCODER_KIND', optional(choice(GEOCODER_KINDS))),
  },
  /** What names this platform to push services: all or none (cross-rules.ts). Unset: no push notices. */
  push: {
    publicKey: setting(
      'VAPID_PUBLIC_KEY',
      optional(text(VAPID_PUBLIC, 'the public key that npm run ops -- vapid-keys prints, or unset')),
    ),
    privateKey: setting(
      'VAPID_PRIVATE_KEY',
      optional(secretText(VAPID_PRIVATE, 'the private key that npm run ops -- vapid-keys prints, or unset')),
    ),
    subject: setting(
      'VAPID_SUBJECT',
      optional(text(VAPID_SUBJECT, 'mailto:… or an https address, or unset')),
    ),
  },
  /** The background of the site's map; with neither, it is built in. */
  mapStyleUrl: setting('MAP_STYLE_URL', optional(publicUrl())),
  mapPmtilesUrl: setting('MAP_PMTILES_URL', optional(publicUrl())),
  /** 0 means no limit. Many people of an office or a mobile carrier share one address. */
  requestLimits: {
    perAddress: setting('REQUEST_LIMIT_PER_MINUTE_IP', requestLimit(6_000)),
    perSession: setting('REQUEST_LIMIT_PER_MINUTE_SESSION', requestLimit(1_200)),
  },
  /**
   * Milliseconds of work a minute for the public questions of one network, or of one person who is signed in: statements,
   * answers and rendered pages. 0 means no limit.
   */
  publicWorkMs: setting('PUBLIC_WORK_PER_NETWORK_MS', requestLimit(6_000)),
  /** Sign-in codes mailed in an hour; 0 means no limit. */
  codesPerHour: setting('CODES_PER_HOUR', quota(2_000)),
  /** Mails about changes to one person in an hour; 0 means no limit. */
  mailsPerRecipientHour: setting('MAILS_PER_RECIPIENT_HOUR', quota(12)),
  /** Mails about changes in an hour, beyond which alerts wait for the next one; 0 means no limit. */
  mailsPerHour: setting('MAILS_PER_HOUR', quota(5_000)),
  /** Limits of staging jobs; 0 means no limit. */
  stagingLimits: {
    hour: setting('AI_STAGING_QUOTA_HOUR', quota(120)),
    day: setting('AI_STAGING_QUOTA_DAY', quota(400)),
    firstDay: setting('AI_STAGING_QUOTA_FIRST_DAY', quota(60)),
    platformDay: setting('AI_STAGING_QUOTA_PLATFORM_DAY', quota(5_000)),
    openJobs: setting('AI_STAGING_OPEN_JOBS_PER_AGENT', quota(100)),
  },
  /** Limits of what a person may add; 0 means no limit. */
  growthLimits: {
    listingsDay: setting('LISTINGS_PER_AGENT_DAY', quota(50)),
    listingsFirstDay: setting('LISTINGS_FIRST_DAY', quota(10)),
    newAgentDelayMinutes: setting('NEW_AGENT_DELAY_MINUTES', integer({ min: 0, max: 100_000, fallback: 0 })),
    photosOfListing: setting('PHOTOS_PER_LISTING', quota(200)),
    photosDay: setting('PHOTOS_PER_AGENT_DAY', quota(1_500)),
    photoMegabytesDay: setting('PHOTO_MEGABYTES_PER_AGENT_DAY', quota(5_000)),
    toursDay: setting('TOUR_REQUESTS_PER_DAY', quota(20)),
    toursOfListingDay: setting('TOUR_REQUESTS_PER_LISTING_DAY', quota(3)),
  },
  /** Who may have an account, and who may become an agent (docs/contract.md#invitations). */
  signUp: setting('SIGN_UP', oneOf(['open', 'agents-invited', 'invited'], 'open')),
  /** Whether search engines may list the site; without a value, config.ts decides by the address. */
  robots: setting('ROBOTS', optional(choice(['all', 'none']))),
  /** Whether pages and API answer 503 (docs/contract.md#maintenance). */
  maintenance: setting('MAINTENANCE', yesOr(false)),
  /** Whether new agents may stage at once, or only after an operator's approval. */
  agentApproval: setting('AGENT_APPROVAL', oneOf(['none', 'manual'], 'none')),
} satisfies Settings;

const concurrency = (fallback: number) => integer({ min: 1, max: 64, fallback });
const days = (fallback: number) => integer({ min: 0, max: 36_500, fallback });

export const workerSettings = {
  ...bothRoles({ opsPort: 3001, serviceName: 'proscenium-worker' }),
  provider: {
    baseUrl: setting('PROVIDER_BASE_URL', originOr('https://api.replicate.com')),
    apiToken: setting('PROVIDER_API_TOKEN', secretText(PRINTABLE, 'the API token of the provider')),
    outputHosts: setting('PROVIDER_OUTPUT_HOSTS', hostList(['replicate.delivery', '*.replicate.delivery'])),
    pollIntervalMs: setting('PROVIDER_POLL_INTERVAL_MS', integer({ min: 50, max: 60_000, fallback: 5_000 })),
    // Its rules depend on PROVIDER_BASE_URL; cross-rules.ts checks them.
    webhookBaseUrl: setting('PROVIDER_WEBHOOK_BASE_URL', text(/./, 'the https origin of the API host')),
  },
  /** The HMAC key of the provider's `user_id`. */
  userHashSecret: setting(
    'AI_STAGING_USER_HASH_SECRET',
    secretText(/^[0-9a-fA-F]{64}$/, '64 hex characters'),
  ),
  stagingConcurrency: setting('AI_STAGING_CONCURRENCY', concurrency(4)),
  // The provider itself allows 600 creations a minute (docs/provider.md#errors).
  rateLimitPerMinute: setting(
    'AI_STAGING_RATE_LIMIT_PER_MINUTE',
    integer({ min: 1, max: MAX_STARTS_PER_MINUTE, fallback: 6 }),
  ),
  /** Whether staged pictures are compared with their photos (docs/contract.md#drift). */
  driftComparison: setting('AI_STAGING_DRIFT', oneOf(['on', 'off'], 'on')),
  descriptionConcurrency: setting('AI_DESCRIPTION_CONCURRENCY', concurrency(2)),
  /** How many days rows of each kind are kept; 0 means forever. */
  retentionDays: {
    receipts: setting('RETENTION_RECEIPTS_DAYS', days(30)),
    outbox: setting('RETENTION_OUTBOX_DAYS', days(30)),
    traces: setting('RETENTION_TRACES_DAYS', days(30)),
    journal: setting('RETENTION_JOURNAL_DAYS', days(400)),
  },
  /** A file that the operator's backup writes when it has succeeded; its time is that of the last backup. */
  lastBackupFile: setting('LAST_BACKUP_FILE', optional(text(/^\/\S{1,500}$/, 'an absolute path, or unset'))),
  pricingVersion: setting(
    'AI_STAGING_PRICING_VERSION',
    optional(text(PRINTABLE, 'a dated source identifier, or unset')),
  ),
  operatorsFile: setting('OPERATORS_FILE', optional(text(/^\/\S{1,500}$/, 'an absolute path, or unset'))),
  queueDashboard: {
    user: setting(
      'QUEUE_DASHBOARD_USER',
      optional(text(/^[^\s:]{1,100}$/, 'a user name without blanks or colons, or unset')),
    ),
    password: setting(
      'QUEUE_DASHBOARD_PASSWORD',
      optional(secretText(PRINTABLE, 'a password without blanks, or unset')),
    ),
  },
} satisfies Settings;

/** Any suffix may be set; only those of qualities are used: the estimated cost of a picture in micro-US-dollars. */
export const COST_PREFIX = 'AI_STAGING_COST_MICROUSD_';
export const COST_VARIABLES = STAGING_QUALITIES.map((quality) => `${COST_PREFIX}${quality.toUpperCase()}`);

/** Secrets that the environment of a role must not contain (docs/contract.md#secrets). */
export const FOREIGN_SECRETS: Record<Role, readonly string[]> = {
  web: ['PROVIDER_API_TOKEN', 'AI_STAGING_USER_HASH_SECRET', 'QUEUE_DASHBOARD_PASSWORD'],
  worker: ['PROVIDER_WEBHOOK_SIGNING_SECRET', 'AUTH_SECRET', 'C2PA_SIGNING_KEY', 'VAPID_PRIVATE_KEY'],
};

/** Variables that OpenTelemetry's exporter would read itself, unchecked and unscrubbed, in addition to ours. */
export const UNREAD_TRACING_PREFIX = 'OTEL_EXPORTER_OTLP_TRACES_';

/** Every variable name a role reads, without the cost family. */
export function variableNames(role: Role): string[] {
  const namesIn = (settings: Settings): string[] =>
    Object.values(settings).flatMap((one) => (isSetting(one) ? one.variable : namesIn(one)));
  return namesIn(role === 'web' ? webSettings : workerSettings);
}
