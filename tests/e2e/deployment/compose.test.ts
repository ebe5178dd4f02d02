import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { procfileCommand } from '../../../ops/dev/stack/procfile.ts';
import { loadWebConfig, loadWorkerConfig } from '../../../src/config/config.ts';
import { COST_VARIABLES, FOREIGN_SECRETS, variableNames } from '../../../src/config/settings.ts';

/** Compares the deployment files with the settings that the roles read. The images are not built here. */
interface Service {
  build?: string;
  image: string;
  restart?: string;
  command?: string | string[];
  environment?: Record<string, string | number | null>;
  mem_limit?: string;
  pids_limit?: number;
  logging?: { driver: string; options: Record<string, string> };
  ports?: string[];
  networks?: string[];
  volumes?: string[];
  stop_grace_period?: string;
}
const file = (name: string) => readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8');
const compose = parse(file('compose.yaml'), { merge: true }) as {
  services: Record<string, Service>;
  networks: Record<string, { internal?: boolean }>;
};
const service = (name: string): Service => {
  const found = compose.services[name];
  if (found === undefined) throw new Error(`compose.yaml has no service ${name}`);
  return found;
};

const readEnv = (text: string) => parseEnv(text) as Record<string, string>;

const FILLED: Record<string, string> = {
  ...readEnv(file('ops/deploy/example.env')),
  POSTGRES_PASSWORD: 'a'.repeat(32),
  POSTGRES_ROLES_PASSWORD: '9'.repeat(32),
  REDIS_PASSWORD: 'b'.repeat(32),
  S3_SECRET_ACCESS_KEY: 'c'.repeat(32),
  AUTH_SECRET: 'd'.repeat(64),
  SMTP_URL: 'smtps://proscenium:word@mail.example.com',
  PROVIDER_API_TOKEN: `r8_${'e'.repeat(37)}`,
  PROVIDER_WEBHOOK_SIGNING_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
  AI_STAGING_USER_HASH_SECRET: '0f'.repeat(32),
};

/** `${NAME}`, `${NAME:-default}` and `${NAME:?message}`, as Compose fills them in. */
function filled(text: string, values: Record<string, string>): string {
  return text.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, how?: string, rest = '') => {
    const value = values[name];
    if (value) return value;
    if (how === '?') throw new Error(`${name}: ${rest}`);
    return how === '-' ? rest : '';
  });
}
/** A setting without a value in the file is that of `.env`, if it is there. */
const environmentOf = (name: string, values: Record<string, string> = FILLED) =>
  Object.fromEntries(
    Object.entries(service(name).environment ?? {}).flatMap(([key, value]) => {
      if (value !== null) return [[key, filled(String(value), values)]];
      return values[key] === undefined ? [] : [[key, values[key]]];
    }),
  );

describe('compose.yaml', () => {
  test('gives each role an environment in which it starts, without secrets of the other role', () => {
    const web = environmentOf('web');
    const worker = environmentOf('worker');
    expect(loadWebConfig(web)).toMatchObject({ trustedProxyHops: 1, stagingEnabled: false, port: 3000 });
    expect(loadWorkerConfig(worker)).toMatchObject({ stagingEnabled: false, queueDashboard: null });
    for (const name of FOREIGN_SECRETS.web) expect(web).not.toHaveProperty(name);
    for (const name of FOREIGN_SECRETS.worker) expect(worker).not.toHaveProperty(name);
  });

  test('passes every setting of a role on', () => {
    for (const role of ['web', 'worker'] as const) {
      const passed = Object.keys(service(role).environment ?? {});
      // The image sets NODE_ENV.
      const read = variableNames(role).filter((name) => name !== 'NODE_ENV');
      const costs = role === 'worker' ? COST_VARIABLES : [];
      expect([role, [...read, ...costs].filter((name) => !passed.includes(name))]).toEqual([role, []]);
      expect([role, passed.filter((name) => ![...read, ...costs].includes(name))]).toEqual([role, []]);
    }
    const own = {
      ...FILLED,
      LOG_LEVEL: 'debug',
      C2PA_SIGNING_KEY: 'key',
      AI_STAGING_COST_MICROUSD_HIGH: '9',
    };
    expect(environmentOf('web', own)).toMatchObject({ LOG_LEVEL: 'debug', C2PA_SIGNING_KEY: 'key' });
    expect(environmentOf('worker', own)).toMatchObject({ AI_STAGING_COST_MICROUSD_HIGH: '9' });
    expect(environmentOf('worker', own)).not.toHaveProperty('C2PA_SIGNING_KEY');
  });

  test('bounds the processes and the logs of every service, and the memory of those that stay', () => {
    for (const [name, { pids_limit, logging, mem_limit, restart }] of Object.entries(compose.services)) {
      expect([name, pids_limit, logging?.driver]).toEqual([name, 512, 'json-file']);
      expect(Object.keys(logging?.options ?? {})).toEqual(['max-size', 'max-file']);
      if (restart !== undefined)
        expect([name, mem_limit]).toEqual([name, expect.stringMatching(/^\d+[mg]$/)]);
    }
  });

  test('puts the ops ports of both roles on a network for monitoring', () => {
    for (const role of ['web', 'worker']) expect(service(role).networks).toContain('monitoring');
    const named = new Set(Object.values(compose.services).flatMap(({ networks = [] }) => networks));
    expect([...named].toSorted()).toEqual(Object.keys(compose.networks).toSorted());
    expect(compose.networks.monitoring).toEqual({ internal: true });
  });

  test('gives both roles the same value of every setting that must be equal', () => {
    const [web, worker] = [environmentOf('web'), environmentOf('worker')];
    for (const name of Object.keys(web).filter((key) =>
      /^(AI_STAGING_(QUALITY|FRAMING|A|OUTPUT)|PROVIDER_MODEL|S3_|DATABASE|KV_)/.test(key),
    ))
      expect(`${name}=${worker[name]}`).toBe(`${name}=${web[name]}`);
  });

  test('names every missing setting, and example.env has a line for each', () => {
    const text = file('compose.yaml');
    const required = [...new Set([...text.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name ?? ''))];
    const offered = Object.keys(readEnv(file('ops/deploy/example.env')));
    expect(required.length).toBeGreaterThan(8);
    // It is fetched with a command of this file, which would not run without it.
    expect(required).not.toContain('PROVIDER_WEBHOOK_SIGNING_SECRET');
    expect(required.filter((name) => !offered.includes(name))).toEqual([]);
    expect(offered.filter((name) => !new RegExp(`\\$\\{${name}|^ +${name}:$`, 'm').test(text))).toEqual([]);
    expect(file('ops/deploy/example.env')).not.toMatch(/^[A-Z_]+=.* # /m);
    for (const name of required) {
      const without = { ...FILLED, [name]: '' };
      expect(() => filled(text, without), name).toThrow(`${name}: set ${name}`);
    }
  });

  test('publishes only the proxy; services with data are on the inner network', () => {
    const published = Object.entries(compose.services).filter(([, { ports }]) => ports !== undefined);
    expect(published.map(([name]) => name)).toEqual(['proxy']);
    for (const name of ['postgres', 'redis', 'objects']) expect(service(name).networks).toEqual(['inside']);
    expect(service('redis').command).toEqual(expect.arrayContaining([expect.stringContaining('noeviction')]));
    expect(service('redis').command).toEqual(
      expect.arrayContaining([expect.stringContaining('--appendonly yes')]),
    );
  });

  test('runs the commands of the Procfile', () => {
    for (const role of ['release', 'web', 'worker']) {
      const { args } = procfileCommand(new URL('../../../Procfile', import.meta.url), role);
      expect((service(role).command as string[]).slice(1)).toEqual(args);
    }
  });

  test('mounts and runs files that exist', () => {
    for (const { volumes = [], command = [] } of Object.values(compose.services)) {
      const paths = [
        ...volumes.filter((one) => one.startsWith('./')).map((one) => one.split(':')[0] ?? ''),
        ...command,
      ].filter((one) => /^(\.\/|ops\/|src\/)/.test(one));
      for (const path of paths)
        expect(existsSync(new URL(`../../../${path}`, import.meta.url)), path).toBe(true);
    }
  });
});

describe('Dockerfile', () => {
  const lines = file('Dockerfile').split('\n');

  test('makes the release from what is sent, and the image that runs holds the release only', () => {
    // The last part of the file is the image that runs.
    const last = lines.findLastIndex((line) => line.startsWith('FROM '));
    expect(lines.slice(last).filter((line) => line.startsWith('COPY'))).toEqual([
      'COPY --from=release /app/dist/release ./',
    ]);
    const copied = lines
      .slice(0, last)
      .flatMap((line) => /^COPY (.+) \.\/[\w/]*$/.exec(line)?.[1]?.split(' ') ?? []);
    for (const folder of ['i18n', 'machines', 'persistence', 'supervisors', 'src', 'clients', 'ops'])
      expect(copied).toContain(folder);
    const sent = file('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1));
    const { toSorted } = Array.prototype;
    expect(toSorted.call(copied)).toEqual(toSorted.call(sent));
  });

  test('has the Node.js version of the scripts, and runs as an unprivileged user', () => {
    const { dependencies } = JSON.parse(file('package.json')) as { dependencies: Record<string, string> };
    const major = dependencies.node?.split('.')[0];
    const bases = lines.filter((line) => line.startsWith('FROM '));
    expect(bases.length).toBeGreaterThan(1);
    for (const base of bases) expect(base).toMatch(new RegExp(`^FROM node:${major}-bookworm-slim`));
    const user = lines.findLastIndex((line) => line.startsWith('USER '));
    expect(lines[user]).toBe('USER node');
    expect(lines.slice(user).some((line) => line.startsWith('COPY') || line.startsWith('RUN'))).toBe(false);
  });
});

test('each role has its grace period and two seconds before it is killed', () => {
  for (const role of ['web', 'worker']) {
    const { stop_grace_period: seconds = '', environment = {} } = service(role);
    const goneMs = Number(environment.SHUTDOWN_GRACE_MS) + 2_000;
    expect(Number(/^(\d+)s$/.exec(seconds)?.[1]) * 1_000).toBeGreaterThan(goneMs);
  }
});
