import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { PublicError } from '../../../src/errors/errors.ts';
import { ownSite } from '../../../src/site/read-site.ts';
import { publicSite } from '../../../src/site/site.ts';
import type { PageRequest } from '../../../src/website/renderer.ts';
import { createRendering, type RenderingLimits } from '../../../src/website/rendering.ts';
import { eventually } from '../../support/eventually.ts';

/** The bounds of rendering, with a renderer that answers when the test says so. */
const LIMITS: RenderingLimits = {
  atOnce: 2,
  atOnceEach: 2,
  waiting: 2,
  timeoutMs: 60_000,
  freshMs: 1_000,
  staleMs: 10_000,
  cachedCharacters: 80,
};

function open(limits: Partial<RenderingLimits> = {}, html = (url: string) => `<p>${url}</p>`) {
  const clock = { at: 0, now: () => clock.at };
  const rendered: string[] = [];
  const charged: [string, number][] = [];
  const refused = new Set<string>();
  const noted: string[] = [];
  const hidden = new Set<string>();
  const waiting: Array<() => void> = [];
  const rendering = createRendering(
    {
      pages: [],
      async render({ url, api, signal }: PageRequest) {
        rendered.push(url);
        await new Promise<void>((resolve, reject) => {
          waiting.push(resolve);
          signal.addEventListener('abort', () => {
            waiting.splice(waiting.indexOf(resolve), 1);
            reject(signal.reason);
          });
        });
        const headers = [
          ['link', '</a.js>; rel=modulepreload'],
          ['x-other', '1'],
        ] as const;
        const cause = new PublicError('RATE_LIMITED', { retryAfterSeconds: 9 });
        const failure = refused.has(api as string) ? { failure: { error: new Error('', { cause }) } } : {};
        return { status: 200, html: html(url), headers, renderedMs: 7, ...failure };
      },
    },
    {
      inline: { scripts: ['1'], styles: ['p{}'] },
      limits: { ...LIMITS, ...limits },
      clock,
      budget: { begin: async (client) => (ms) => charged.push([client, ms]) },
      rejections: { note: (reason) => void noted.push(reason) },
      arePublic: async (imageIds) => imageIds.every((id) => !hidden.has(id)),
    },
  );
  const ask = (url: string, client = 'a', mayBeOld = true) =>
    rendering.renderPublic(
      { client, mayBeOld },
      {
        url,
        api: client,
        texts: async () => '',
        nonce: null,
        styles: '',
        settings: {
          site: publicSite(ownSite()),
          origin: '',
          agentsNeedInvitation: false,
          commute: null,
          sample: false,
          feeds: [],
          map: { styleUrl: null, pmtilesUrl: null },
          providers: { google: null, apple: null },
          crashReports: null,
        },
      },
    );
  const answer = async () => {
    await eventually(() => waiting.length > 0, { what: 'a page to be rendered' });
    for (const done of waiting.splice(0)) done();
  };
  const request = async (url: string, client?: string) => (await ask(url, client)).page;
  const refuse = (client: string) => void refused.add(client);
  return { clock, rendered, charged, noted, hidden, ask, request, answer, refuse };
}

test('one rendering answers everyone for as long as it is fresh', async () => {
  const { clock, rendered, request, answer } = open();
  const both = [request('/a'), request('/a')];
  await answer();
  const [one, other] = await Promise.all(both);
  expect(one).toBe(other);
  expect(one?.headers).toEqual([['link', '</a.js>; rel=modulepreload']]);
  expect(await request('/a')).toBe(one);
  clock.at += 1_001;
  const later = request('/a');
  await answer();
  expect(await later).not.toBe(one);
  expect(rendered).toEqual(['/a', '/a']);
});

test('its known inline scripts and styles are named once, for all answers with it, and an injected one is not', async () => {
  const { request, answer } = open(
    {},
    () => '<style>p{}</style><script>1</script><script>injected()</script><script src="/a.js"></script>',
  );
  const both = [request('/a'), request('/a')];
  await answer();
  const [one, other] = await Promise.all(both);
  const source = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  expect(one?.inline).toEqual({ scripts: [source('1')], styles: [source('p{}')] });
  expect(other?.inline).toBe(one?.inline);
});

test('so many are rendered at a time, so many wait, and the next one is told to come again', async () => {
  const { rendered, request, answer } = open();
  const four = ['/a', '/b', '/c', '/d'].map((url) => request(url));
  await eventually(() => rendered.length === 2, { what: 'two renderings' });
  await expect(request('/e')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  await answer();
  await answer();
  expect((await Promise.all(four)).map(({ html }) => html)).toEqual(
    ['/a', '/b', '/c', '/d'].map((url) => `<p>${url}</p>`),
  );
});

test('a page that takes too long is given up and makes room', async () => {
  const { rendered, request } = open({ timeoutMs: 30, atOnce: 1 });
  const busy = { code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 5 };
  await expect(request('/a')).rejects.toMatchObject(busy);
  await expect(request('/b')).rejects.toMatchObject(busy);
  expect(rendered).toEqual(['/a', '/b']);
});

test('a failure is not kept', async () => {
  const { rendered, request, answer } = open({ timeoutMs: 200 });
  await expect(request('/a')).rejects.toThrow();
  const again = request('/a');
  await answer();
  expect((await again).html).toBe('<p>/a</p>');
  expect(rendered).toEqual(['/a', '/a']);
});

test('memory for pages is bounded: the oldest go', async () => {
  const { rendered, request, answer } = open({ cachedCharacters: 40 });
  for (const url of ['/a', '/b', '/c', '/a']) {
    const page = request(url);
    await Promise.race([answer(), page]);
    await page;
  }
  expect(rendered).toEqual(['/a', '/b', '/c', '/a']);
});

test('pages take turns between clients, and each pays for its own', async () => {
  const { rendered, charged, request, answer } = open({ atOnce: 2, atOnceEach: 1, waiting: 10 });
  const all = [...['/1', '/2', '/3'].map((url) => request(url, 'flood')), request('/other', 'other')];
  await eventually(() => rendered.length === 2, { what: 'two renderings' });
  expect(rendered).toEqual(['/1', '/other']);
  for (let turns = 0; turns < 3; turns += 1) await answer();
  await Promise.all(all);
  expect(charged.toSorted()).toEqual([
    ['flood', 7],
    ['flood', 7],
    ['flood', 7],
    ['other', 7],
  ]);
});

test('while there is no room, a page of the last minute is shown; without one, the client comes again', async () => {
  const { clock, noted, ask, request, answer } = open({ atOnce: 1, atOnceEach: 1, waiting: 1 });
  const first = request('/a');
  await answer();
  const page = await first;
  clock.at += LIMITS.freshMs;
  const busy = [request('/b'), request('/d')];
  expect(await ask('/a')).toEqual({ page, isStale: true });
  await expect(ask('/a', 'a', false)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  await expect(ask('/c')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  clock.at += LIMITS.staleMs;
  await expect(ask('/a')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(noted).toEqual(Array(4).fill('pages'));
  await answer();
  await answer();
  await Promise.all(busy);
});

test('an old page is not shown once one of its pictures is hidden', async () => {
  const imageId = '00000000-0000-4000-8000-000000000001';
  const propertyId = '00000000-0000-4000-8000-000000000002';
  const html = (url: string) =>
    `<a href="/properties/${propertyId}"><img src="/api/images/${imageId}?w=64">${url}`;
  const { clock, hidden, ask, request, answer } = open(
    { atOnce: 1, atOnceEach: 1, waiting: 1, cachedCharacters: 1_000 },
    html,
  );
  const first = request('/a');
  await answer();
  const page = await first;
  expect([page.imageIds, page.propertyIds]).toEqual([[imageId], [propertyId]]);
  clock.at += LIMITS.freshMs;
  const busy = [request('/b'), request('/d')];
  expect((await ask('/a')).isStale).toBe(true);
  hidden.add(imageId);
  await expect(ask('/a')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  await answer();
  await answer();
  await Promise.all(busy);
});

test('a page whose content is refused to its client is kept by no one', async () => {
  const { clock, ask, request, answer, refuse } = open();
  const first = request('/a');
  await answer();
  const page = await first;
  clock.at += LIMITS.freshMs;
  refuse('flood');
  const again = ask('/a', 'flood');
  await answer();
  expect(await again).toEqual({ page, isStale: true });
  const another = ask('/b', 'flood');
  await answer();
  await expect(another).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 9 });
  const others = ask('/b', 'other');
  await answer();
  expect(await others).toMatchObject({ isStale: false });
});
