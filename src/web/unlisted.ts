import type { HttpHeader, HttpResponse, Route } from '../http/message.ts';

const TAG: HttpHeader = ['x-robots-tag', 'noindex, nofollow'];

/**
 * The routes of a host that no search engine may list (`ROBOTS=none`): robots.txt alone keeps an address out of no
 * index when another site links to it.
 */
export function unlisted(routes: readonly Route[]): Route[] {
  const tagged = <R extends HttpResponse>(answer: R): R => ({ ...answer, headers: [...answer.headers, TAG] });
  return routes.map((route) => {
    const { ready } = route;
    return {
      ...route,
      handler: async (request) => tagged(await route.handler(request)),
      ready:
        ready &&
        ((request) => {
          const answer = ready(request);
          return answer === null ? null : tagged(answer);
        }),
    };
  });
}
