import { timingSafeEqual } from 'node:crypto';
import { HttpProblem } from './http-answers.ts';
import type { Exchange } from './simulator-context.ts';

export function unauthenticated(detail = 'You did not pass a valid authentication token'): HttpProblem {
  return new HttpProblem(401, { title: 'Unauthenticated', detail, status: 401 });
}

/** `Bearer` and the older `Token` scheme (docs/provider.md#replicates-predictions-api). @throws HttpProblem 401 */
export function requireToken({ req, context }: Exchange): void {
  const header = req.headers.authorization;
  if (!header) throw unauthenticated('You did not pass an authentication token');
  const token = /^(?:bearer|token) +(\S+)$/i.exec(header)?.[1];
  if (token === undefined) throw unauthenticated();
  if (context.token === null) return;
  const given = Buffer.from(token);
  const wanted = Buffer.from(context.token);
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) throw unauthenticated();
}
