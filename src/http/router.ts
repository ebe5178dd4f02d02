/**
 * Finds the route for a path and method. Built once at start-up: a malformed or duplicate pattern stops the process. Of
 * the patterns that match a path the most literal one counts, segment by segment, and it alone decides which methods
 * are allowed.
 */
import { HTTP_METHODS, type HttpMethod, type Route } from './message.ts';

type Segment =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'param'; readonly name: string }
  | { readonly kind: 'rest' };

interface CompiledRoute {
  readonly route: Route;
  readonly segments: readonly Segment[];
}

/** Routes whose patterns differ at most in the names of parameters. */
interface RouteNode {
  readonly segments: readonly Segment[];
  readonly byMethod: Map<string, CompiledRoute>;
}

export type RouteMatch =
  | { readonly kind: 'found'; readonly route: Route; params(): Record<string, string> }
  | { readonly kind: 'method-not-allowed'; readonly route: Route; readonly allow: readonly string[] }
  | { readonly kind: 'not-found' };

export interface Router {
  match(method: string, path: string): RouteMatch;
}

const RANK = { literal: '0', param: '1', rest: '2' } as const;

function pathSegments(path: string): string[] {
  const trimmed = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
  return trimmed === '/' ? [] : trimmed.slice(1).split('/');
}

function compile(pattern: string): Segment[] {
  if (!pattern.startsWith('/')) throw new Error(`Route pattern ${pattern} must start with a slash`);
  const texts = pathSegments(pattern);
  return texts.map((text, index) => {
    if (text === '*') {
      if (index !== texts.length - 1)
        throw new Error(`Route pattern ${pattern} has a wildcard before its end`);
      return { kind: 'rest' };
    }
    if (text === '' || text === ':') throw new Error(`Route pattern ${pattern} has an empty segment`);
    return text.startsWith(':') ? { kind: 'param', name: text.slice(1) } : { kind: 'literal', text };
  });
}

const shapeOf = (segments: readonly Segment[]): string =>
  segments.map((segment) => (segment.kind === 'literal' ? `=${segment.text}` : segment.kind)).join('/');

/** Sorts before another when it is more literal at the first difference. */
const rankOf = (segments: readonly Segment[]): string => segments.map(({ kind }) => RANK[kind]).join('');

function fits(segments: readonly Segment[], path: readonly string[]): boolean {
  const open = segments.at(-1)?.kind === 'rest';
  const fixed = open ? segments.length - 1 : segments.length;
  if (open ? path.length < fixed : path.length !== fixed) return false;
  return segments.slice(0, fixed).every((segment, index) => {
    const text = path[index] ?? '';
    return segment.kind === 'literal' ? segment.text === text : text !== '';
  });
}

function readParams(segments: readonly Segment[], path: readonly string[]): Record<string, string> {
  const params: Record<string, string> = Object.create(null);
  for (const [index, segment] of segments.entries()) {
    if (segment.kind === 'param') params[segment.name] = decodeURIComponent(path[index] ?? '');
    if (segment.kind === 'rest') params['*'] = path.slice(index).map(decodeURIComponent).join('/');
  }
  return params;
}

function addRoute(node: RouteNode, compiled: CompiledRoute): void {
  const { methods, path } = compiled.route;
  for (const method of methods === '*' ? HTTP_METHODS : methods) {
    if (node.byMethod.has(method)) throw new Error(`Two routes for ${method} ${path}`);
    node.byMethod.set(method, compiled);
  }
}

function allowedMethods(node: RouteNode): HttpMethod[] {
  return HTTP_METHODS.filter(
    (method) => node.byMethod.has(method) || (method === 'HEAD' && node.byMethod.has('GET')),
  );
}

/** Throws when a pattern is malformed or two routes take the same method and path. */
export function createRouter(routes: readonly Route[]): Router {
  const nodes = new Map<string, RouteNode>();
  for (const route of routes) {
    const segments = compile(route.path);
    const node = nodes.get(shapeOf(segments)) ?? { segments, byMethod: new Map() };
    addRoute(node, { route, segments });
    nodes.set(shapeOf(segments), node);
  }
  const ordered = [...nodes.values()].sort((a, b) => (rankOf(a.segments) < rankOf(b.segments) ? -1 : 1));

  return {
    match(method, path) {
      const parts = pathSegments(path);
      const node = ordered.find(({ segments }) => fits(segments, parts));
      if (node === undefined) return { kind: 'not-found' };
      const chosen = node.byMethod.get(method) ?? (method === 'HEAD' ? node.byMethod.get('GET') : undefined);
      if (chosen !== undefined) {
        return { kind: 'found', route: chosen.route, params: () => readParams(chosen.segments, parts) };
      }
      const [first] = node.byMethod.values();
      if (first === undefined) return { kind: 'not-found' };
      return { kind: 'method-not-allowed', route: first.route, allow: allowedMethods(node) };
    },
  };
}
