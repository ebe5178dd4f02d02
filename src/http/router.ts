/**
 * Finds the route for a path and method. Built once at start-up: a malformed or duplicate pattern stops the
 * process. Of several matching patterns, the most literal one is used, compared segment by segment; it alone
 * decides which methods are allowed.
 */
import { HTTP_METHODS, type Route } from './message.ts';

interface CompiledRoute {
  readonly route: Route;
  /** Names of the pattern's groups, in order. */
  readonly names: readonly string[];
}

/** Routes whose patterns differ only in the names of parameters. */
interface RouteNode {
  readonly pattern: RegExp;
  /** Sorts before another when it is more literal at the first difference. */
  readonly rank: string;
  readonly byMethod: Map<string, CompiledRoute>;
}

export type RouteMatch =
  | { readonly kind: 'found'; readonly route: Route; params(): Record<string, string> }
  | { readonly kind: 'method-not-allowed'; readonly route: Route; readonly allow: readonly string[] }
  | { readonly kind: 'not-found' };

const withoutTrailingSlash = (path: string): string => (path.endsWith('/') ? path.slice(0, -1) : path);

/** Converts a pattern's segments into a regular expression, a rank and parameter names. */
function compile({ path }: Route): { source: string; rank: string; names: string[] } {
  if (!path.startsWith('/')) throw new Error(`Route pattern ${path} must start with a slash`);
  const segments = withoutTrailingSlash(path).split('/').slice(1);
  if (segments.slice(0, -1).includes('*'))
    throw new Error(`Route pattern ${path} has a wildcard before its end`);
  if (segments.some((segment) => segment === '' || segment === ':'))
    throw new Error(`Route pattern ${path} has an empty segment`);
  const compiled = { source: '', rank: '', names: [] as string[] };
  for (const segment of segments) {
    if (segment === '*') {
      compiled.source += '(?:/(.*))?';
      compiled.rank += '2';
      compiled.names.push('*');
    } else if (segment.startsWith(':')) {
      compiled.source += '/([^/]+)';
      compiled.rank += '1';
      compiled.names.push(segment.slice(1));
    } else {
      compiled.source += `/${segment.replace(/[^\w-]/g, '\\$&')}`;
      compiled.rank += '0';
    }
  }
  return compiled;
}

function readParams(names: readonly string[], found: RegExpExecArray): Record<string, string> {
  const params: Record<string, string> = Object.create(null);
  for (const [index, name] of names.entries()) params[name] = decodeURIComponent(found[index + 1] ?? '');
  return params;
}

/** Throws when a pattern is malformed or two routes take the same method and path. */
export function createRouter(routes: readonly Route[]) {
  const nodes = new Map<string, RouteNode>();
  for (const route of routes) {
    const { source, rank, names } = compile(route);
    const node = nodes.get(source) ?? { pattern: new RegExp(`^${source}$`), rank, byMethod: new Map() };
    nodes.set(source, node);
    for (const method of route.methods === '*' ? HTTP_METHODS : route.methods) {
      if (node.byMethod.has(method)) throw new Error(`Two routes for ${method} ${route.path}`);
      node.byMethod.set(method, { route, names });
    }
  }
  const ordered = [...nodes.values()].sort((a, b) => (a.rank < b.rank ? -1 : 1));

  const chosenBy = ({ byMethod }: RouteNode, method: string): CompiledRoute | undefined =>
    byMethod.get(method) ?? (method === 'HEAD' ? byMethod.get('GET') : undefined);

  return {
    match(method: string, path: string): RouteMatch {
      const bare = withoutTrailingSlash(path);
      for (const node of ordered) {
        const found = node.pattern.exec(bare);
        if (found === null) continue;
        const chosen = chosenBy(node, method);
        if (chosen !== undefined)
          return { kind: 'found', route: chosen.route, params: () => readParams(chosen.names, found) };
        const [first] = node.byMethod.values();
        if (first === undefined) break;
        const allow = HTTP_METHODS.filter((one) => chosenBy(node, one) !== undefined);
        return { kind: 'method-not-allowed', route: first.route, allow };
      }
      return { kind: 'not-found' };
    },
  };
}
