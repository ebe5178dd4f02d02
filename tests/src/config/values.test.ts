import { describe, expect, test } from 'vitest';
import {
  configFingerprint,
  configSecrets,
  loadWebConfig,
  loadWorkerConfig,
  settingFingerprints,
} from '../../../src/config/config.ts';
import { failure, named, web, worker } from '../../support/environments.ts';

describe('values', () => {
  test.each([['TRUE'], ['1'], ['true '], [' true'], ['yes'], [''], ['false']])(
    'staging stays off for %j',
    (value) => {
      expect(loadWebConfig({ ...web, AI_ROOM_STAGING_ENABLED: value }).stagingEnabled).toBe(false);
    },
  );

  test('staging is on for true', () => {
    expect(loadWorkerConfig({ ...worker, AI_ROOM_STAGING_ENABLED: 'true' }).stagingEnabled).toBe(true);
  });

  test('limits are inclusive', () => {
    const edges = loadWebConfig({ ...web, AI_STAGING_OUTPUT_COMPRESSION: '0', PORT: '65535', OPS_PORT: '0' });
    expect(edges).toMatchObject({ providerInputs: { outputCompression: 0 }, port: 65_535, ops: { port: 0 } });
    const top = loadWorkerConfig({ ...worker, AI_STAGING_OUTPUT_COMPRESSION: '100' });
    expect(top.providerInputs.outputCompression).toBe(100);
  });

  test('request limits are high by default, and 0 disables them', () => {
    expect(loadWebConfig(web).requestLimits).toEqual({ perAddress: 6_000, perSession: 1_200 });
    const off = { REQUEST_LIMIT_PER_MINUTE_IP: '0', REQUEST_LIMIT_PER_MINUTE_SESSION: '30' };
    expect(loadWebConfig({ ...web, ...off }).requestLimits).toEqual({ perAddress: 0, perSession: 30 });
  });

  test('quotas and approval of agents', () => {
    const { stagingLimits, agentApproval } = loadWebConfig(web);
    const defaults = { hour: 120, day: 400, firstDay: 60, platformDay: 5_000, openJobs: 100 };
    expect([stagingLimits, agentApproval]).toEqual([defaults, 'none']);
    expect(loadWebConfig({ ...web, TOUR_REQUESTS_PER_DAY: '0' }).growthLimits).toEqual({
      listingsDay: 50,
      listingsFirstDay: 10,
      newAgentDelayMinutes: 0,
      photosOfListing: 200,
      photosDay: 1_500,
      photoMegabytesDay: 5_000,
      toursDay: 0,
      toursOfListingDay: 3,
    });
    const given = loadWebConfig({ ...web, AI_STAGING_QUOTA_DAY: '0', AGENT_APPROVAL: 'manual' });
    expect(given).toMatchObject({ stagingLimits: { ...defaults, day: 0 }, agentApproval: 'manual' });
  });

  test('several webhook secrets during a rotation, 24 and 64 bytes, padded or not', () => {
    const secrets = [
      `whsec_${Buffer.alloc(24, 1).toString('base64')}`,
      `whsec_${Buffer.alloc(64, 2).toString('base64')}`,
      `whsec_${Buffer.alloc(32, 3).toString('base64').replace(/=+$/, '')}`,
    ];
    const config = loadWebConfig({ ...web, PROVIDER_WEBHOOK_SIGNING_SECRET: secrets.join('  ') });
    expect(config.webhookSigningSecrets).toEqual(secrets);
  });

  test('a crash report address without https means off', () => {
    expect(loadWebConfig({ ...web, SENTRY_DSN: 'placeholder' }).sentryDsn).toBeNull();
    expect(loadWebConfig({ ...web, SENTRY_DSN: 'http://k@o1.example.com/1' }).sentryDsn).toBeNull();
    const dsn = 'https://key@o1.example.com/1';
    expect(loadWebConfig({ ...web, SENTRY_DSN: dsn }).sentryDsn).toBe(dsn);
  });

  test('costs are collected by suffix', () => {
    const env = { ...worker, AI_STAGING_COST_MICROUSD_LOW: '12000', AI_STAGING_COST_MICROUSD_HIGH: '128000' };
    expect(loadWorkerConfig(env).costMicrousd).toEqual({ low: 12_000, high: 128_000 });
    const { AI_STAGING_COST_MICROUSD_LOW, AI_STAGING_COST_MICROUSD_HIGH } = env;
    expect(
      loadWebConfig({ ...web, AI_STAGING_COST_MICROUSD_LOW, AI_STAGING_COST_MICROUSD_HIGH }).costMicrousd,
    ).toEqual({ low: 12_000, high: 128_000 });
    expect(loadWebConfig(web).costMicrousd).toEqual({});
  });

  test.for(['MEDUIM', 'medium', '', 'MEDIUM_1_1'])(
    'a price for an unknown quality is accepted and not used: %s',
    (suffix) => {
      const name = `AI_STAGING_COST_MICROUSD_${suffix}`;
      const load = (value: string) =>
        loadWorkerConfig({ ...worker, AI_STAGING_COST_MICROUSD_LOW: '12000', [name]: value });
      for (const value of ['47000', 'not a number'])
        expect(load(value)).toMatchObject({ costMicrousd: { low: 12_000 }, unusedCostVariables: [name] });
      expect(load('').unusedCostVariables).toEqual([]);
    },
  );

  test('output hosts are split and lower-cased', () => {
    const config = loadWorkerConfig({
      ...worker,
      PROVIDER_OUTPUT_HOSTS: 'Replicate.Delivery, 127.0.0.1:9123',
    });
    expect(config.provider.outputHosts).toEqual(['replicate.delivery', '127.0.0.1:9123']);
  });

  test('the fingerprint is equal across roles, ignores the flag, and changes with every shared value', () => {
    const base = configFingerprint(loadWebConfig(web));
    expect(base).toMatch(/^[0-9a-f]{64}$/);
    expect(configFingerprint(loadWorkerConfig({ ...worker, AI_ROOM_STAGING_ENABLED: 'true' }))).toBe(base);
    const changes = {
      QUEUE_SUFFIX: '-blue',
      PROVIDER_MODEL: 'openai/gpt-image-1.5',
      AI_STAGING_QUALITY: 'high',
      AI_STAGING_ASPECT_RATIO: '3:2',
      AI_STAGING_OUTPUT_FORMAT: 'webp',
      AI_STAGING_OUTPUT_COMPRESSION: '80',
      CLAIM_DURABILITY: 'standby',
    };
    for (const [name, value] of Object.entries(changes)) {
      const [one, other] = [settingFingerprints(loadWebConfig(web)), { ...web, [name]: value }];
      const differing = Object.entries(settingFingerprints(loadWebConfig(other)))
        .filter(([variable, hash]) => one[variable] !== hash)
        .map(([variable]) => variable);
      expect(differing).toContain(name);
    }
    const others = Object.entries(changes).map(([name, value]) =>
      configFingerprint(loadWebConfig({ ...web, [name]: value })),
    );
    expect(new Set([base, ...others]).size).toBe(Object.keys(changes).length + 1);
  });

  test.each([
    [{}, 'photo'],
    [{ AI_STAGING_ASPECT_RATIO: '1:1' }, 'fixed'],
    [{ AI_STAGING_ASPECT_RATIO: '', AI_STAGING_FRAMING: '' }, 'photo'],
    [{ AI_STAGING_FRAMING: 'fixed' }, 'fixed'],
    [{ AI_STAGING_FRAMING: 'photo', AI_STAGING_ASPECT_RATIO: '3:2' }, 'photo'],
  ])('with %o the framing of both roles is %s', (variables, framing) => {
    expect(loadWebConfig({ ...web, ...variables }).providerInputs.framing).toBe(framing);
    expect(loadWorkerConfig({ ...worker, ...variables }).providerInputs.framing).toBe(framing);
  });

  test('the fingerprint names the framing, and a shape only where it is fixed', () => {
    const of = (variables: Record<string, string>) =>
      configFingerprint(loadWebConfig({ ...web, ...variables }));
    const photo = of({ AI_STAGING_FRAMING: 'photo' });
    expect(of({})).toBe(photo);
    expect(of({ AI_STAGING_FRAMING: 'photo', AI_STAGING_ASPECT_RATIO: '3:2' })).toBe(photo);
    const fixed = of({ AI_STAGING_FRAMING: 'fixed' });
    expect(fixed).not.toBe(photo);
    expect(of({ AI_STAGING_ASPECT_RATIO: '1:1' })).toBe(fixed);
    expect(of({ AI_STAGING_ASPECT_RATIO: '3:2' })).not.toBe(fixed);
  });

  test('standbys are a list, each once, and their passwords are scrubbed', () => {
    const urls = ['postgres://app:second%2Cpass@db-2.example.com/app', 'postgres://db-3.example.com/app'];
    const config = loadWebConfig({ ...web, SEARCH_DATABASE_URLS: `${urls.join(' , ')},${urls[0]}` });
    expect(config.searchDatabaseUrls).toEqual(urls);
    expect(configSecrets(config)).toEqual(expect.arrayContaining(['second%2Cpass', 'second,pass']));
    expect(loadWebConfig(web).searchDatabaseUrls).toEqual([]);
  });

  test('the secrets to scrub include passwords inside URLs, encoded and decoded', () => {
    const secrets = configSecrets(loadWebConfig(web));
    expect(secrets).toEqual(expect.arrayContaining(['db%40pass', 'db@pass', 'kvpass', 'mailpass']));
    expect(secrets).toContain(web.PROVIDER_WEBHOOK_SIGNING_SECRET);
    const elsewhere = {
      DATABASE_DIRECT_URL: 'postgres://app:directpass@db.example.com/app',
      KV_URL: 'redis-sentinel://:kv%2Fpass@one.example.com,two.example.com:5000/kv/2',
    };
    expect(configSecrets(loadWorkerConfig({ ...worker, ...elsewhere }))).toEqual(
      expect.arrayContaining([worker.PROVIDER_API_TOKEN, 'directpass', 'kv/pass', 'kv%2Fpass']),
    );
  });
});

describe('tracing', () => {
  const endpoint = 'http://collector.internal:4318';
  const on = (variables: Record<string, string>) => ({
    ...web,
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    ...variables,
  });

  test('is off without an endpoint, and each role has its own service name', () => {
    expect(loadWebConfig({ ...web, OTEL_EXPORTER_OTLP_HEADERS: 'a=b' }).tracing).toBeNull();
    expect(loadWebConfig(on({})).tracing).toEqual({
      endpoint,
      headers: {},
      ratio: 1,
      serviceName: 'proscenium-web',
    });
    const ofWorker = loadWorkerConfig({ ...worker, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
    expect(ofWorker.tracing?.serviceName).toBe('proscenium-worker');
  });

  test('accepts headers in the format of OpenTelemetry, and treats them as secrets', () => {
    const config = loadWebConfig(
      on({ OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Bearer%20abc%3D, x-tenant = t1' }),
    );
    expect(config.tracing?.headers).toEqual({ authorization: 'Bearer abc=', 'x-tenant': 't1' });
    expect(configSecrets(config)).toEqual(expect.arrayContaining(['Bearer abc=', 't1']));
    const error = failure('web', on({ OTEL_EXPORTER_OTLP_HEADERS: 'hidden' }));
    expect(error.message).toContain('a value that is not shown');
  });

  test.each([
    ['0', 0],
    ['0.25', 0.25],
    ['1.0', 1],
  ])('accepts the ratio %j', (ratio, expected) => {
    expect(loadWebConfig(on({ OTEL_TRACES_SAMPLER_ARG: ratio })).tracing?.ratio).toBe(expected);
  });

  test('rejects variables that only the exporter would read', () => {
    const error = failure('web', { ...web, OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'key=hidden-value' });
    expect(named(error)).toEqual(['OTEL_EXPORTER_OTLP_TRACES_HEADERS']);
    expect(error.message).toContain('OTEL_EXPORTER_OTLP_HEADERS');
    expect(error.message).not.toContain('hidden-value');
  });
});

test.each([
  ['smtp://127.0.0.1:1025', {}],
  ['smtp://localhost:1025', {}],
  ['smtp://mail.example.com:587?requireTLS=true', {}],
  ['smtp://mail.internal:25', { SMTP_TLS: 'none' }],
])('mail may go to %s with %o', (smtpUrl, settings) => {
  expect(loadWebConfig({ ...web, SMTP_URL: smtpUrl, ...settings }).smtpUrl).toBe(smtpUrl);
});
