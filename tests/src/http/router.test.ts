import { describe, expect, test } from 'vitest';
import type { HttpMethod, Route } from '../../../src/http/message.ts';
import { createRouter } from '../../../src/http/router.ts';
import { text } from '../../support/http/test-server.ts';

const route = (path: string, methods: readonly HttpMethod[] | '*' = ['GET']): Route => ({
  methods,
  path,
  handler: async () => text(path),
});

function found(routes: readonly Route[], path: string, method = 'GET') {
  const match = createRouter(routes).match(method, path);
  return match.kind === 'found' ? { path: match.route.path, params: { ...match.params() } } : match.kind;
}

describe('the choice of the route', () => {
  const routes = [route('/*'), route('/a/:id'), route('/a/me'), route('/a/:id/*'), route('/')];
  test.each([
    ['/', '/', {}],
    ['/a/me', '/a/me', {}],
    ['/a/me/', '/a/me', {}],
    ['/a/7', '/a/:id', { id: '7' }],
    ['/a/7/b/c', '/a/:id/*', { id: '7', '*': 'b/c' }],
    ['/a', '/*', { '*': 'a' }],
    ['/b/%20', '/*', { '*': 'b/ ' }],
  ])('%s goes to the most literal pattern, %s', (path, pattern, params) => {
    for (const order of [routes, routes.toReversed()])
      expect(found(order, path)).toEqual({ path: pattern, params });
  });

  test('a wildcard also matches no segment', () => {
    expect(found([route('/api/*')], '/api')).toEqual({ path: '/api/*', params: { '*': '' } });
    expect(found([route('/api/*')], '/apix')).toBe('not-found');
  });

  test('a parameter is never empty and never spans two segments', () => {
    expect(found([route('/a/:id')], '/a//')).toBe('not-found');
    expect(found([route('/a/:id')], '/a/b/c')).toBe('not-found');
    expect(found([route('/a/:id')], '/a/b%2Fc')).toEqual({ path: '/a/:id', params: { id: 'b/c' } });
  });

  test('methods of routes with the same shape are listed together, whatever the names of their parameters', () => {
    const router = createRouter([route('/a/:id', ['GET']), route('/a/:image', ['PATCH', 'DELETE'])]);
    expect(router.match('POST', '/a/1')).toMatchObject({ allow: ['GET', 'HEAD', 'PATCH', 'DELETE'] });
    expect(found([route('/a/:id'), route('/a/:image', ['PATCH'])], '/a/1', 'PATCH')).toMatchObject({
      params: { image: '1' },
    });
  });

  test('HEAD goes to GET unless it has a route of its own', () => {
    expect(found([route('/a')], '/a', 'HEAD')).toMatchObject({ path: '/a' });
    expect(found([route('/a', ['POST'])], '/a', 'HEAD')).toBe('method-not-allowed');
  });
});

describe('patterns that stop the process at start-up', () => {
  test.each([
    [[route('/a'), route('/a/')]],
    [[route('/a/:x'), route('/a/:y')]],
    [[route('/a', '*'), route('/a', ['POST'])]],
    [[route('/a/*/b')]],
    [[route('/a//b')]],
    [[route('a')]],
    [[route('/a/:')]],
  ])('%j', (routes) => {
    expect(() => createRouter(routes)).toThrow(/oute/);
  });
});
