import { describe, expect, test } from 'vitest';
import { completed, FOR_EVERY_SITE } from '../../../src/http/complete-answer.ts';
import type { HttpHeader } from '../../../src/http/message.ts';
import { get, startServer, text } from '../../support/http/test-server.ts';

const PUBLIC = 'public, max-age=86400, immutable';
const COOKIE = 'session=1; HttpOnly';

function cached(headers: readonly HttpHeader[], varies: readonly string[] = []): Record<string, string> {
  const {
    'x-content-type-options': sniffing,
    'cross-origin-resource-policy': embedding,
    ...others
  } = Object.fromEntries(
    completed({ status: 200, headers, body: null }, { varies, path: '/api/trpc/home.getFeatured' }).headers,
  );
  expect(embedding).toBe('same-site');
  expect(sniffing).toBe('nosniff');
  return others;
}

describe('cache-control of an answer', () => {
  test('forbids caching unless the route allows it', () => {
    expect(cached([])).toEqual({ 'cache-control': 'no-store' });
    expect(cached([['Cache-Control', PUBLIC]])).toEqual({ 'cache-control': PUBLIC });
  });

  test('forbids caching when it sets a cookie, whatever the route says', () => {
    for (const declared of [PUBLIC, 'max-age=60', 'private, max-age=60', 'public, s-maxage=9, not-no-stored'])
      expect(
        cached([
          ['cache-control', declared],
          ['Set-Cookie', COOKIE],
        ]),
        declared,
      ).toEqual({
        'Set-Cookie': COOKIE,
        'cache-control': 'no-store',
      });
    expect(
      cached([
        ['cache-control', 'private, no-store'],
        ['set-cookie', COOKIE],
      ]),
    ).toMatchObject({
      'cache-control': 'private, no-store',
    });
  });

  test('all Vary values are merged into one header', () => {
    const headers: HttpHeader[] = [
      ['vary', 'trpc-accept, accept'],
      ['Vary', 'Origin, cookie'],
    ];
    expect(cached(headers, ['Cookie']).vary).toBe('cookie, trpc-accept, accept, Origin');
  });
});

test.each([
  ['/api/trpc/search.list', [], 'same-site'],
  ['/search', [], 'same-origin'],
  ['/apis', [], 'same-origin'],
  ['/api/images/1', [FOR_EVERY_SITE], 'cross-origin'],
] as const)(
  '%s may be embedded as %j says, else by its own site or origin: %s',
  (path, headers, expected) => {
    const sent = completed({ status: 200, headers, body: null }, { varies: [], path }).headers;
    expect(sent.filter(([name]) => name === 'cross-origin-resource-policy')).toEqual([
      ['cross-origin-resource-policy', expected],
    ]);
  },
);

test('over a socket: a public picture with a renewed cookie, a page for other origins, an error', async () => {
  const { origin } = await startServer(
    [
      get('/plain', () => text('a')),
      {
        ...get('/picture', () => ({
          ...text('p'),
          headers: [
            ['cache-control', PUBLIC],
            ['vary', 'Accept'],
            ['set-cookie', COOKIE],
          ],
        })),
        varies: ['Cookie'],
      },
    ],
    { webOrigins: ['https://pages.example'] },
  );
  const seen = async (path: string) => {
    const { status, headers } = await fetch(origin + path);
    return [status, headers.get('cache-control'), headers.get('vary')];
  };
  expect(await seen('/plain')).toEqual([200, 'no-store', 'Origin']);
  expect(await seen('/picture')).toEqual([200, 'no-store', 'Cookie, Accept, Origin']);
  expect(await seen('/nowhere')).toEqual([404, 'no-store', 'Origin']);
});
