import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { ZodType } from 'zod';
import {
  configSecrets,
  loadConfigOrExit,
  loadWebConfig,
  loadWorkerConfig,
} from '../../../src/config/config.ts';
import {
  COST_PREFIX,
  isSetting,
  type Settings,
  variableNames,
  webSettings,
  workerSettings,
} from '../../../src/config/settings.ts';
import { vapidKeysFrom } from '../../../src/config/vapid.ts';
import { failure, named, web, worker } from '../../support/environments.ts';
import { VAPID, VAPID_SETTINGS } from '../../support/http/push-service.ts';

describe('defaults', () => {
  test('web has the values that .env.example shows', () => {
    expect(loadWebConfig(web)).toMatchObject({
      role: 'web',
      logLevel: 'info',
      host: '127.0.0.1',
      port: 3000,
      ops: { host: '127.0.0.1', port: 3002 },
      queueSuffix: '',
      textModel: 'openai/gpt-5-mini',
      stagingEnabled: false,
      legacyAliasSunsetAt: new Date('2026-10-19T00:00:00.000Z'),
      providerInputs: {
        model: 'openai/gpt-image-2',
        quality: 'medium',
        framing: 'photo',
        aspectRatio: '1:1',
        outputFormat: 'jpeg',
        outputCompression: 92,
      },
      googleClientId: null,
      appleClientId: null,
      sentryDsn: null,
      shutdownGraceMs: 25_000,
      trustedProxyHops: 0,
    });
  });

  test('the worker has its own values', () => {
    expect(loadWorkerConfig(worker)).toMatchObject({
      role: 'worker',
      ops: { host: '127.0.0.1', port: 3001 },
      provider: {
        baseUrl: 'https://api.replicate.com',
        outputHosts: ['replicate.delivery', '*.replicate.delivery'],
        pollIntervalMs: 5000,
        webhookBaseUrl: 'https://api.example.com',
      },
      stagingConcurrency: 4,
      rateLimitPerMinute: 6,
      descriptionConcurrency: 2,
      queueDashboard: null,
      costMicrousd: {},
      unusedCostVariables: [],
      pricingVersion: null,
    });
  });
});

describe('one variable at a time', () => {
  const required = {
    web: Object.keys(web),
    worker: Object.keys(worker),
  };
  for (const role of ['web', 'worker'] as const) {
    const good = role === 'web' ? web : worker;
    test.each(required[role])(`${role} without %s names it`, (name) => {
      const error = failure(role, { ...good, [name]: undefined });
      expect(named(error)).toEqual([name]);
      expect(error.message).toContain(`${name}: expected `);
      expect(error.message).toContain('found nothing');
      expect(named(failure(role, { ...good, [name]: '' }))).toEqual([name]);
    });
  }

  const wrong: Array<['web' | 'worker', string, string]> = [
    ['web', 'NODE_ENV', 'PROD UCTION'],
    ['web', 'LOG_LEVEL', 'loud'],
    ['web', 'DATABASE_URL', 'mysql://db.example.com/app'],
    ['web', 'DATABASE_URL', 'postgres'],
    ['web', 'SEARCH_DATABASE_URLS', 'postgres://db-2.example.com/app,mysql://db-3.example.com/app'],
    ['web', 'SEARCH_DATABASE_URLS', 'postgres://db-2.example.com/app,,postgres://db-3.example.com/app'],
    ['web', 'SEARCH_DATABASE_URLS', Array.from({ length: 9 }, (_, n) => `postgres://db-${n}/app`).join()],
    ['web', 'DATABASE_POOLER', 'session'],
    ['worker', 'DATABASE_DIRECT_URL', 'db.example.com'],
    ['web', 'KV_URL', 'http://kv.example.com'],
    ['web', 'KV_URL', 'redis-sentinel://one.example.com:26379,two.example.com:26379'],
    ['web', 'KV_URL', 'redis-sentinel://one.example.com:66379/kv'],
    ['worker', 'KV_URL', 'redis-sentinel://one.example.com,,two.example.com/kv'],
    ['web', 'QUEUE_SUFFIX', ':blue'],
    ['web', 'QUEUE_SUFFIX', 'two words'],
    ['web', 'AI_STAGING_LEGACY_ALIAS_SUNSET_AT', '2026-10-19'],
    ['web', 'AI_STAGING_LEGACY_ALIAS_SUNSET_AT', '2026-10-19T00:00:00+02:00'],
    ['web', 'AI_STAGING_LEGACY_ALIAS_SUNSET_AT', '2026-02-30T00:00:00Z'],
    ['web', 'AI_STAGING_QUALITY', 'best'],
    ['web', 'AI_STAGING_ASPECT_RATIO', '16:9'],
    ['web', 'AI_STAGING_FRAMING', 'square'],
    ['worker', 'AI_STAGING_FRAMING', 'PHOTO'],
    ['worker', 'AI_STAGING_DRIFT', 'true'],
    ['worker', 'CLAIM_DURABILITY', 'sync'],
    ['web', 'CLAIM_DURABILITY', 'sync'],
    ['worker', 'LAST_BACKUP_FILE', 'backups/done'],
    ['worker', 'OPERATORS_FILE', 'operators.json'],
    ['web', 'AI_STAGING_OUTPUT_FORMAT', 'jpg'],
    ['web', 'AI_STAGING_OUTPUT_COMPRESSION', '101'],
    ['web', 'AI_STAGING_OUTPUT_COMPRESSION', '-1'],
    ['web', 'AI_STAGING_OUTPUT_COMPRESSION', '9e1'],
    ['web', 'PROVIDER_MODEL', 'gpt-image-2'],
    ['web', 'PROVIDER_TEXT_MODEL', 'gpt-5-mini'],
    ['web', 'PUBLIC_BASE_URL', 'https://api.example.com/'],
    ['web', 'PUBLIC_BASE_URL', 'http://api.example.com'],
    ['web', 'S3_ENDPOINT', 's3://bucket'],
    ['web', 'S3_REGION', 'EU WEST'],
    ['web', 'S3_ACCESS_KEY_ID', 'two words'],
    ['web', 'S3_SECRET_ACCESS_KEY', 'two words'],
    ['web', 'S3_BUCKET', 'UPPER'],
    ['web', 'SHUTDOWN_GRACE_MS', '600001'],
    ['worker', 'IMAGE_WORKER_MEMORY_MB', '255'],
    ['web', 'OTEL_EXPORTER_OTLP_ENDPOINT', 'collector.internal:4318'],
    ['web', 'OTEL_EXPORTER_OTLP_ENDPOINT', 'http://user:word@collector.internal:4318'],
    ['web', 'OTEL_EXPORTER_OTLP_HEADERS', 'novalue'],
    ['web', 'OTEL_EXPORTER_OTLP_HEADERS', 'a='],
    ['web', 'OTEL_EXPORTER_OTLP_HEADERS', 'a=b,,c=d'],
    ['web', 'OTEL_EXPORTER_OTLP_HEADERS', 'a=%zz'],
    ['web', 'OTEL_EXPORTER_OTLP_HEADERS', 'a=x%0d%0aSet-Cookie:y'],
    ['web', 'OTEL_TRACES_SAMPLER_ARG', '1.1'],
    ['web', 'OTEL_TRACES_SAMPLER_ARG', '-1'],
    ['web', 'OTEL_TRACES_SAMPLER_ARG', '0,5'],
    ['web', 'OTEL_SERVICE_NAME', 'two words'],
    ['web', 'HOST', 'two hosts'],
    ['web', 'HOST', '127.0.0.1:3000'],
    ['worker', 'OPS_HOST', '[fe80::1%lo]'],
    ['web', 'PORT', '65536'],
    ['web', 'OPS_HOST', 'a/b'],
    ['web', 'OPS_PORT', 'x'],
    ['web', 'OPS_PORT', '3000'],
    ['web', 'AUTH_SECRET', 'a'.repeat(31)],
    ['web', 'SMTP_URL', 'mail.example.com:25'],
    ['web', 'SMTP_URL', 'smtp://mailer:mailpass@mail.example.com:587'],
    ['web', 'SMTP_URL', 'smtp://mail.example.com?requireTLS=no'],
    ['web', 'SMTP_URL', 'smtp://127.0.0.1.example.com'],
    ['web', 'SMTP_TLS', 'off'],
    ['web', 'MAIL_FROM', 'nobody'],
    ['web', 'MAIL_FROM', 'A\r\nBcc: x <a@b.example>'],
    ['web', 'GOOGLE_CLIENT_ID', 'two words'],
    ['web', 'SECURITY_CONTACT', 'security@example.com'],
    ['web', 'PURGE_URL', 'http://cache.example.com/purge'],
    ['web', 'APPLE_CLIENT_ID', 'two words'],
    ['web', 'PROVIDER_WEBHOOK_SIGNING_SECRET', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    ['web', 'PROVIDER_WEBHOOK_SIGNING_SECRET', `whsec_${Buffer.alloc(23).toString('base64')}`],
    ['web', 'PROVIDER_WEBHOOK_SIGNING_SECRET', `whsec_${Buffer.alloc(65).toString('base64')}`],
    ['web', 'PROVIDER_WEBHOOK_SIGNING_SECRET', `${web.PROVIDER_WEBHOOK_SIGNING_SECRET} whsec_?`],
    ['web', 'TRUSTED_PROXY_HOPS', '11'],
    ['web', 'WEB_ORIGINS', 'http://www.example.com'],
    ['web', 'WEB_ORIGINS', 'https://www.example.com/'],
    ['web', 'WEB_ORIGINS', 'https://www.example.com,,https://example.com'],
    ['web', 'WEB_ORIGINS', 'https://*.example.com'],
    ['web', 'WEB_ORIGINS', 'https://www.example.com,https://example.net'],
    ['web', 'WEB_ORIGINS', 'http://localhost:5173'],
    ['web', 'SITE_DIR', '/nowhere'],
    ['worker', 'SITE_DIR', '/nowhere'],
    ['web', 'HEIC_ENABLED', 'off'],
    ['web', 'SITE_ENABLED', 'yes'],
    ['web', 'ROUTER_URL', 'http://router.example.com'],
    ['web', 'ROUTER_URL', 'https://router.example.com/'],
    ['web', 'ROUTER_URL', 'https://router.example.com?key=1'],
    ['web', 'ROUTER_URL', 'http://127.0.0.1.example.com'],
    ['web', 'ROUTER_KIND', 'graphhopper'],
    ['web', 'GEOCODER_URL', 'http://geocoder.example.com'],
    ['web', 'GEOCODER_URL', 'http://photon-{mode}:2322'],
    ['web', 'GEOCODER_URL', 'https://nominatim.openstreetmap.org'],
    ['web', 'GEOCODER_URL', 'https://Nominatim.OpenStreetMap.org./search'],
    ['web', 'GEOCODER_KIND', 'pelias'],
    ['web', 'VAPID_PUBLIC_KEY', 'BAAA'],
    ['web', 'VAPID_PRIVATE_KEY', '-----BEGIN'],
    ['web', 'VAPID_SUBJECT', 'push@example.com'],
    ['web', 'MAP_STYLE_URL', 'http://maps.example.com/style.json'],
    ['web', 'MAP_PMTILES_URL', 'maps.example.com/area.pmtiles'],
    ['web', 'REQUEST_LIMIT_PER_MINUTE_IP', '-1'],
    ['web', 'PUBLIC_WORK_PER_NETWORK_MS', '1.5'],
    ['web', 'REQUEST_LIMIT_PER_MINUTE_SESSION', '1.5'],
    ['web', 'AI_STAGING_QUOTA_HOUR', '-1'],
    ['web', 'CODES_PER_HOUR', 'many'],
    ['web', 'MAILS_PER_RECIPIENT_HOUR', '-1'],
    ['web', 'MAILS_PER_HOUR', 'all'],
    ['web', 'LISTINGS_PER_AGENT_DAY', '-1'],
    ['web', 'LISTINGS_FIRST_DAY', 'few'],
    ['web', 'NEW_AGENT_DELAY_MINUTES', '100001'],
    ['web', 'PHOTOS_PER_LISTING', '1.5'],
    ['web', 'PHOTOS_PER_AGENT_DAY', '-1'],
    ['web', 'PHOTO_MEGABYTES_PER_AGENT_DAY', '5 GB'],
    ['web', 'TOUR_REQUESTS_PER_DAY', 'none'],
    ['web', 'TOUR_REQUESTS_PER_LISTING_DAY', '-3'],
    ['web', 'AI_STAGING_QUOTA_DAY', 'many'],
    ['web', 'AI_STAGING_QUOTA_FIRST_DAY', '1e3'],
    ['web', 'AI_STAGING_QUOTA_PLATFORM_DAY', '10000001'],
    ['web', 'AI_STAGING_OPEN_JOBS_PER_AGENT', '1.5'],
    ['web', 'AGENT_APPROVAL', 'Manual'],
    ['web', 'SIGN_UP', 'closed'],
    ['web', 'ROBOTS', 'index'],
    ['web', 'MAINTENANCE', 'yes'],
    ['worker', 'PROVIDER_BASE_URL', 'http://api.replicate.com'],
    ['worker', 'PROVIDER_BASE_URL', 'https://api.replicate.com/v1'],
    ['worker', 'PROVIDER_API_TOKEN', 'two words'],
    ['worker', 'PROVIDER_OUTPUT_HOSTS', 'https://replicate.delivery'],
    ['worker', 'PROVIDER_OUTPUT_HOSTS', '*'],
    ['worker', 'PROVIDER_POLL_INTERVAL_MS', '49'],
    ['worker', 'AI_STAGING_USER_HASH_SECRET', 'f'.repeat(63)],
    ['worker', 'AI_STAGING_USER_HASH_SECRET', 'g'.repeat(64)],
    ['worker', 'AI_STAGING_CONCURRENCY', '0'],
    ['worker', 'RETENTION_RECEIPTS_DAYS', '-1'],
    ['worker', 'RETENTION_OUTBOX_DAYS', '1.5'],
    ['worker', 'RETENTION_TRACES_DAYS', 'never'],
    ['worker', 'RETENTION_JOURNAL_DAYS', '36501'],
    ['worker', 'AI_STAGING_RATE_LIMIT_PER_MINUTE', '0'],
    ['worker', 'AI_STAGING_RATE_LIMIT_PER_MINUTE', '6.5'],
    ['worker', 'AI_DESCRIPTION_CONCURRENCY', '65'],
    ['web', 'C2PA_TSA_URL', 'https://name:word@stamps.example.com/'],
    ['web', 'C2PA_RETIRED_CERTIFICATES', `${'ab'.repeat(32)}/expired/2026-01-01T00:00:00Z`],
    ['worker', 'AI_STAGING_COST_MICROUSD_MEDIUM', '0.047'],
    ['web', 'AI_STAGING_COST_MICROUSD_MEDIUM', '0.047'],
    ['worker', 'AI_STAGING_PRICING_VERSION', 'two words'],
  ];
  test.each(wrong)('%s refuses %s=%j', (role, name, value) => {
    const error = failure(role, { ...(role === 'web' ? web : worker), [name]: value });
    expect(named(error)).toEqual([name]);
  });

  test('every variable has an invalid value above, or accepts any text, or is one of a pair', () => {
    const anyText = ['AI_ROOM_STAGING_ENABLED', 'SENTRY_DSN', 'SITE_SENTRY_DSN'];
    const pairs = [
      'QUEUE_DASHBOARD_USER',
      'QUEUE_DASHBOARD_PASSWORD',
      'C2PA_SIGNING_KEY',
      'C2PA_CERTIFICATE_CHAIN',
    ];
    const elsewhere = ['PROVIDER_WEBHOOK_BASE_URL', ...pairs];
    const covered = new Set([...wrong.map(([, name]) => name), ...anyText, ...elsewhere]);
    const names = [...variableNames('web'), ...variableNames('worker')];
    expect(names.filter((name) => !covered.has(name))).toEqual([]);
  });
});

describe('several variables', () => {
  test('all errors are listed at once, and no secret value is repeated', () => {
    const error = failure('web', {
      KV_URL: 'http://:hunter2@kv.example.com',
      AUTH_SECRET: 'short-secret',
      PORT: 'eighty',
      AI_STAGING_QUALITY: 'best',
      PROVIDER_API_TOKEN: 'r8_leaked',
      AI_STAGING_USER_HASH_SECRET: 'leaked-too',
    });
    expect(new Set(named(error))).toEqual(
      new Set([
        ...Object.keys(web),
        'PORT',
        'AI_STAGING_QUALITY',
        'PROVIDER_API_TOKEN',
        'AI_STAGING_USER_HASH_SECRET',
      ]),
    );
    expect(error.message).toContain('"eighty"');
    expect(error.message).toContain('one of low, medium, high, auto');
    expect(error.message).not.toMatch(/hunter2|short-secret|r8_leaked|leaked-too/);
  });

  test.each([
    ['web', 'PROVIDER_API_TOKEN'],
    ['web', 'AI_STAGING_USER_HASH_SECRET'],
    ['web', 'QUEUE_DASHBOARD_PASSWORD'],
    ['worker', 'PROVIDER_WEBHOOK_SIGNING_SECRET'],
    ['worker', 'AUTH_SECRET'],
    ['worker', 'C2PA_SIGNING_KEY'],
    ['worker', 'VAPID_PRIVATE_KEY'],
  ] as const)('%s rejects %s', (role, name) => {
    const error = failure(role, { ...(role === 'web' ? web : worker), [name]: 'any value' });
    expect(named(error)).toEqual([name]);
    expect(error.message).toContain('must not be set');
  });

  test('the hash secret differs from the session secret where a role has both', () => {
    const same = 'ab'.repeat(32);
    const error = failure('worker', { ...worker, AI_STAGING_USER_HASH_SECRET: same, AUTH_SECRET: same });
    expect(error.message).toContain('AI_STAGING_USER_HASH_SECRET: must differ from AUTH_SECRET');
  });

  test('a pooler comes with the direct address', () => {
    const pooled = { ...worker, DATABASE_POOLER: 'transaction' };
    expect(named(failure('worker', pooled))).toEqual(['DATABASE_DIRECT_URL']);
    expect(loadWorkerConfig({ ...pooled, DATABASE_DIRECT_URL: 'postgres://a:b@db/app' })).toMatchObject({
      databasePooler: 'transaction',
      databaseDirectUrl: 'postgres://a:b@db/app',
    });
  });

  test('a map has one background, and a style may name the theme', () => {
    const styleUrl = 'https://maps.example.com/{theme}/style.json';
    expect(loadWebConfig({ ...web, MAP_STYLE_URL: styleUrl })).toMatchObject({ mapStyleUrl: styleUrl });
    const both = {
      ...web,
      MAP_STYLE_URL: styleUrl,
      MAP_PMTILES_URL: 'https://maps.example.com/area.pmtiles',
    };
    expect(failure('web', both).problems).toEqual([
      { variable: 'MAP_PMTILES_URL', message: 'must not be set together with MAP_STYLE_URL' },
    ]);
  });

  test('a geocoder has an address and a kind', () => {
    const geocoder = { kind: 'nominatim', url: 'http://nominatim:8080' };
    const given = { ...web, GEOCODER_URL: geocoder.url, GEOCODER_KIND: geocoder.kind };
    expect([loadWebConfig(given).geocoder, loadWebConfig(web).geocoder]).toEqual([geocoder, null]);
    expect(named(failure('web', { ...web, GEOCODER_URL: geocoder.url }))).toEqual(['GEOCODER_KIND']);
  });

  test('the keys of push notices are a pair and come with a subject, or not at all', () => {
    expect([loadWebConfig({ ...web, ...VAPID_SETTINGS }).push, loadWebConfig(web).push]).toEqual([
      VAPID,
      null,
    ]);
    for (const name of Object.keys(VAPID_SETTINGS))
      expect(named(failure('web', { ...web, ...VAPID_SETTINGS, [name]: undefined }))).toEqual([name]);
    const other = vapidKeysFrom(Buffer.alloc(32, 8))?.publicKey;
    const error = failure('web', { ...web, ...VAPID_SETTINGS, VAPID_PUBLIC_KEY: other });
    expect(named(error)).toEqual(['VAPID_PUBLIC_KEY']);
    expect(error.message).not.toContain(VAPID.privateKey);
    expect(configSecrets(loadWebConfig({ ...web, ...VAPID_SETTINGS }))).toContain(VAPID.privateKey);
  });

  test('a router has an address and a kind, and may be a name inside the network', () => {
    const url = 'http://osrm-{mode}:5000';
    const router = { kind: 'osrm', url };
    expect(loadWebConfig({ ...web, ROUTER_URL: url, ROUTER_KIND: 'osrm' })).toMatchObject({ router });
    expect(loadWebConfig(web).router).toBeNull();
    for (const one of ['https://router.example.com/osrm', 'http://10.0.0.7:8002', 'http://router.internal'])
      expect(loadWebConfig({ ...web, ROUTER_URL: one, ROUTER_KIND: 'valhalla' }).router?.url).toBe(one);
    expect(named(failure('web', { ...web, ROUTER_URL: url }))).toEqual(['ROUTER_KIND']);
    expect(named(failure('web', { ...web, ROUTER_KIND: 'osrm' }))).toEqual(['ROUTER_URL']);
  });

  test('dashboard credentials come as a pair', () => {
    expect(named(failure('worker', { ...worker, QUEUE_DASHBOARD_USER: 'ops' }))).toEqual([
      'QUEUE_DASHBOARD_PASSWORD',
    ]);
    expect(named(failure('worker', { ...worker, QUEUE_DASHBOARD_PASSWORD: 'pw' }))).toEqual([
      'QUEUE_DASHBOARD_USER',
    ]);
    const config = loadWorkerConfig({
      ...worker,
      QUEUE_DASHBOARD_USER: 'ops',
      QUEUE_DASHBOARD_PASSWORD: 'pw',
    });
    expect(config.queueDashboard).toEqual({ user: 'ops', password: 'pw' });
  });
});

describe('loadConfigOrExit', () => {
  test('prints all errors and exits with 78', () => {
    const written: string[] = [];
    const exit = (code: number): never => {
      throw new Error(`exit ${code}`);
    };
    const write = (text: string): void => void written.push(text);
    expect(() => loadConfigOrExit('worker', { env: {}, write, exit })).toThrow('exit 78');
    expect(written.join('')).toContain(
      'PROVIDER_API_TOKEN: expected the API token of the provider, found nothing',
    );
  });
});

describe('unknown variables', () => {
  test.each([
    ['AI_STAGING_QUALTY', 'AI_STAGING_QUALITY'],
    ['SMTP_ULR', 'SMTP_URL'],
    ['AUTHSECRET', 'AUTH_SECRET'],
    ['PHOTO_PER_LISTING', 'PHOTOS_PER_LISTING'],
    ['OTEL_SERVICE_NAMES', 'OTEL_SERVICE_NAME'],
    ['AGENT_APROVEL', 'AGENT_APPROVAL'],
    ['AI_STAGING_BUDGET_OF_THE_YEAR', '.env.example'],
    ['S3_SESSION_TOKEN_FROM_ELSEWHERE', '.env.example'],
  ])('%s is rejected with %s', (name, right) => {
    for (const [role, env] of [
      ['web', web],
      ['worker', worker],
    ] as const) {
      const error = failure(role, { ...env, [name]: 'a-secret-value' });
      expect(named(error)).toEqual([name]);
      expect(error.message).toContain(right);
      expect(error.message).not.toContain('a-secret-value');
    }
  });

  test('an empty one counts as unset', () => {
    expect(loadWebConfig({ ...web, AI_STAGING_QUALTY: '' }).role).toBe('web');
  });

  test('settings of the other role, and variables of machines and of other programs, are accepted', () => {
    const others = [
      'HOSTNAME LOGNAME MAIL LANG PATH POST PORTS TERM USER INVOCATION_ID JOURNAL_STREAM CREDENTIALS_DIRECTORY',
      'PGHOST PGUSER REDIS_URL NODE_OPTIONS NODE_EXTRA_CA_CERTS NODE_VERSION REQUESTS_CA_BUNDLE AWS_REGION',
      'GOOGLE_APPLICATION_CREDENTIALS SENTRY_RELEASE OTEL_RESOURCE_ATTRIBUTES NEW_RELIC_LICENSE_KEY WEB_CONCURRENCY',
      'WEB_SERVICE_HOST DATABASE_SERVICE_PORT DATABASE_PORT_5432_TCP_ADDR KUBERNETES_PORT DATABASE_OWNER_URL',
      'SITE_ADDRESS npm_config_cache VITEST_WORKER_ID',
    ].flatMap((line) => line.split(' '));
    const env = Object.fromEntries(others.map((name) => [name, 'x']));
    expect(loadWorkerConfig({ ...env, ...worker, PHOTOS_PER_LISTING: '3' }).role).toBe('worker');
  });
});

/** Every setting of a table, with its variable. */
const settingsOf = (table: Settings): [string, { schema: ZodType }][] =>
  Object.values(table).flatMap<[string, { schema: ZodType }]>((one) =>
    isSetting(one) ? [[one.variable, one]] : settingsOf(one),
  );

describe('.env.example', () => {
  const lines = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8').split('\n');
  const LINE = /^(?:# )?([A-Z][A-Z0-9_]+)=(.*)$/;
  const listed = lines.flatMap((line) => LINE.exec(line)?.[1] ?? []);

  test('lists every variable exactly once and no others', () => {
    const names = [...new Set([...variableNames('web'), ...variableNames('worker')])];
    expect(listed.filter((name) => !name.startsWith(COST_PREFIX)).toSorted()).toEqual(names.toSorted());
    expect(listed.some((name) => name.startsWith(COST_PREFIX))).toBe(true);
  });

  test('explains every variable above it, with a value or an example that the schemas accept', () => {
    const every = new Map([...settingsOf(webSettings), ...settingsOf(workerSettings)]);
    for (const [at, line] of lines.entries()) {
      const [, name, value = ''] = LINE.exec(line) ?? [];
      if (name === undefined || name.startsWith(COST_PREFIX)) continue;
      const above = lines.slice(lines.lastIndexOf('', at) + 1, at);
      expect(above.length, `${name} has a comment`).toBeGreaterThan(0);
      expect(value, `${name} has no comment behind its value`).not.toContain(' # ');
      const example = /^# Example: (.+)$/.exec(above.at(-1) ?? '')?.[1] ?? value;
      if (example.startsWith('the output of ')) continue;
      expect(example, `${name} has an example`).not.toBe('');
      expect([name, every.get(name)?.schema.safeParse(example).error]).toEqual([name, undefined]);
    }
  });

  test('shows values that the schemas accept, and contains no working secret', () => {
    const shown = (fill: Record<string, string>): Record<string, string> => {
      const uncommented = lines.map((line) => line.replace(/^# (?=[A-Z][A-Z0-9_]+=)/, '')).join('\n');
      const values = parseEnv(uncommented) as Record<string, string>;
      return { ...values, ...fill };
    };
    const s3 = { S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b' };
    const { AUTH_SECRET, PROVIDER_WEBHOOK_SIGNING_SECRET } = web;
    const forWeb = shown({ ...s3, AUTH_SECRET, PROVIDER_WEBHOOK_SIGNING_SECRET });
    expect(loadWebConfig(forWeb).mailFrom).toBe('no-reply@example.com');
    const { PROVIDER_API_TOKEN, AI_STAGING_USER_HASH_SECRET } = worker;
    const forWorker = shown({ ...s3, PROVIDER_API_TOKEN, AI_STAGING_USER_HASH_SECRET });
    expect(loadWorkerConfig(forWorker).costMicrousd).toEqual({ medium: 47_000 });
  });
});
