import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requireOwnTexts } from '../../../src/website/placeholder-texts.ts';
import { eventually } from '../../support/eventually.ts';
import { type ApiHost, startApiHost } from '../../support/http/api-host.ts';
import { signedPrediction } from '../../support/worlds/signed-prediction.ts';

/** MAINTENANCE=true, ROBOTS=none, and the legal texts that come with the software. */
const BROWSER = { accept: 'text/html' };

describe('down for maintenance', () => {
  let host: ApiHost;
  beforeAll(async () => {
    host = await startApiHost({ settings: { SITE_ENABLED: 'true', MAINTENANCE: 'true' } });
  });
  afterAll(() => host.stop());

  test.each([
    ['/', 'en', 'Back soon', 'We’re working on the site'],
    ['/search?q=Kent', 'en', 'Back soon', 'We’re working on the site'],
    ['/es', 'es', 'Volvemos pronto', 'Estamos trabajando en el sitio'],
    ['/es/studio', 'es', 'Volvemos pronto', 'Estamos trabajando en el sitio'],
  ])('%s is a page that says so, and when to come again', async (path, language, title, text) => {
    const answer = await host.anonymous().send('GET', path, { headers: BROWSER });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '300']);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    for (const part of [`<html lang="${language}">`, `<h1>${title}</h1>`, text])
      expect(answer.text).toContain(part);
  });

  test('its page says that what the site shows is a sample, where it is one', async () => {
    const closed = async () => (await host.anonymous().send('GET', '/es', { headers: BROWSER })).text;
    const line = '<p>Datos de muestra: casas inventadas, imágenes dibujadas.</p>';
    expect(await closed()).not.toContain(line);
    await host.rows(`insert into sample_town (state) values ('LOADED')`);
    await eventually(async () => (await closed()).includes(line), { what: 'a page that says so' });
  });

  test('calls, sign-in, uploads and pictures are refused with a code, and nothing is logged as a fault', async () => {
    const agent = await host.signedIn();
    const answers = [
      await agent.query('search.list', {}),
      await agent.mutate('users.updateProfile', { name: 'x' }),
      await agent.upload(Buffer.from('x'), { propertyId: randomUUID() }),
      await agent.send('GET', `/api/images/${randomUUID()}`),
      await agent.send('POST', '/api/auth/email-otp/send-verification-otp', {
        body: JSON.stringify({ email: 'ada@example.com', type: 'sign-in' }),
      }),
    ];
    for (const { status, text, headers } of answers) {
      expect([status, headers.get('retry-after')]).toEqual([503, '300']);
      expect(text).toContain('MAINTENANCE');
      expect(text).toContain('errors.maintenance');
    }
    expect(host.lines.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([]);
  });

  test('callbacks, health and metrics continue', async () => {
    const anyone = host.anonymous();
    expect((await anyone.send('GET', '/healthz')).status).toBe(200);
    expect((await anyone.send('GET', '/readyz')).status).toBe(200);
    expect((await fetch(`${host.opsUrl}/metrics`)).status).toBe(200);
    const path = `/api/webhooks/provider/staging/${randomUUID()}`;
    const called = await anyone.send(
      'POST',
      path,
      signedPrediction({ id: 'p', status: 'starting' }, Date.now()),
    );
    // The attempt is unknown: the receiver itself says so.
    expect(called.status).toBe(404);
  });
});

test('a test host is listed nowhere: no answer without the tag, no sitemap, and robots.txt disallows all', async () => {
  const host = await startApiHost({ settings: { SITE_ENABLED: 'true', ROBOTS: 'none' } });
  try {
    const get = (path: string) => host.anonymous().send('GET', path, { headers: BROWSER });
    expect((await get('/robots.txt')).text).toBe('User-agent: *\nDisallow: /\n');
    for (const path of ['/', '/es', '/robots.txt', '/healthz'])
      expect([path, (await get(path)).headers.get('x-robots-tag')]).toEqual([path, 'noindex, nofollow']);
    expect((await get('/sitemap.xml')).status).toBe(404);
    expect((await get('/sitemaps/00.xml')).status).toBe(404);
  } finally {
    await host.stop();
  }
});

describe('the legal texts that come with the software', () => {
  let host: ApiHost;
  beforeAll(async () => {
    host = await startApiHost();
  });
  afterAll(() => host.stop());
  const TEXTS = new Map([
    ['privacy.en', '# Privacy\n\nThis text comes with the software. Replace it.'],
    ['privacy.es', '# Privacidad\n\nEste texto viene con el programa.'],
    ['terms.en', '# Terms\n\nHarbor Homes wrote this.'],
  ]);
  const start = async (nodeEnv: string | null, publicBaseUrl = 'https://homes.example') => {
    const seen: number[] = [];
    const set = (value: number) => void seen.push(value);
    // biome-ignore lint/suspicious/noExplicitAny: only `set` is used.
    const metrics = { placeholderTexts: { set }, textsRequiredSince: { set } } as any;
    const result = await requireOwnTexts(TEXTS, {
      config: { nodeEnv, publicBaseUrl },
      pool: host.pool,
      metrics,
    }).then(
      () => null,
      (error: Error) => error.message,
    );
    return { result, seen };
  };

  test('keep a new installation in production from starting, with a line for each', async () => {
    const { result, seen } = await start('production');
    expect(result?.split('\n').slice(1)).toEqual([
      '  replace texts/en/privacy.md',
      '  replace texts/es/privacy.md',
    ]);
    expect(seen).toEqual([2, expect.any(Number)]);
    for (const given of [await start('development'), await start(null)])
      expect(given).toEqual({ result: null, seen: [0] });
    expect((await start('production', 'http://127.0.0.1:3000')).result).toBeNull();
  });

  test('are an alarm where the installation is older, from when it got this rule', async () => {
    await host.rows(
      `update mikro_orm_migrations set executed_at = executed_at - interval '90 days' where id = 1`,
    );
    const upgraded = Date.parse('2026-11-28T12:00:00Z');
    await host.rows(
      `update mikro_orm_migrations set executed_at = $1 where name = '0129_agent_invitations'`,
      [new Date(upgraded)],
    );
    expect(await start('production')).toEqual({ result: null, seen: [2, upgraded / 1_000] });
  });
});
