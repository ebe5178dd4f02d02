import type { AnyRouteMatch } from '@tanstack/react-router';

/**
 * How the server has loaded the routes of a page. The library would write it into a script, whose text differs from page
 * to page; the policy of pages allows only scripts that are known when the site is built. So it travels as data, and
 * without the times at which it was loaded, so that the same page is the same bytes. The fields are those of the library.
 */
export const ROUTES_ID = 'loaded-routes';

interface LoadedRoute {
  readonly i: string;
  readonly s: AnyRouteMatch['status'];
  readonly ssr: AnyRouteMatch['ssr'];
  readonly l?: unknown;
  /** The message of what failed. */
  readonly e?: string;
  readonly g?: true;
}

/** The element's text. */
export function writeRoutes(matches: readonly AnyRouteMatch[]): string {
  // What lies behind a failure is not shown.
  const last = matches.findIndex(({ status, _notFound }) => status !== 'success' || _notFound === true);
  const shown = last < 0 ? matches : matches.slice(0, last + 1);
  return JSON.stringify(shown.map(loadedRoute)).replaceAll('<', '\\u003c');
}

const loadedRoute = ({ id, status, ssr, loaderData, error, _notFound }: AnyRouteMatch): LoadedRoute => ({
  i: id.replaceAll('/', '#'),
  s: status,
  ssr,
  ...(loaderData === undefined ? {} : { l: loaderData }),
  ...(error instanceof Error ? { e: error.message } : {}),
  ...(_notFound === true ? { g: true } : {}),
});

/** Gives the router what the document holds, where it looks for it. */
export function takeRoutes(document: Document): void {
  const text = document.getElementById(ROUTES_ID)?.textContent;
  if (!text) throw new Error('The document holds no routes');
  const matches = (JSON.parse(text) as LoadedRoute[]).map(({ e, ...route }) => ({
    ...route,
    u: 0,
    ...(e === undefined ? {} : { e: new Error(e) }),
  }));
  const nothing = (): void => {};
  window.$_TSR = {
    router: { manifest: undefined, matches },
    h: nothing,
    e: nothing,
    c: nothing,
    p: nothing,
    buffer: [],
  };
}
