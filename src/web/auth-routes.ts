import type { Auth } from '../auth/auth.ts';
import { AUTH_BASE_PATH } from '../auth/auth-request.ts';
import { json, type Route } from '../http/message.ts';
import { refusalHeaders } from '../http/refusal-response.ts';
import { fromWebResponse, toWebRequest } from '../http/web-bridge.ts';

/** Far above any sign-in body; what is larger is not one. */
const BODY_BYTES = 64 * 1024;

/** `/api/auth/*`: sign-in answers in its library's shape, `{message, code}`, and so do refusals made outside it. */
export function authRoutes(auth: Pick<Auth, 'handler'>, publicBaseUrl: string): Route[] {
  return [
    {
      methods: '*',
      path: `${AUTH_BASE_PATH}/*`,
      bodyLimit: BODY_BYTES,
      varies: ['Cookie', 'Origin'],
      refuse: (error) =>
        json(error.refusal.httpStatus, { message: error.message, code: error.code }, refusalHeaders(error)),
      handler: async (request) =>
        fromWebResponse(
          await auth.handler(await toWebRequest(request, { origin: publicBaseUrl }), request.remoteAddress),
        ),
    },
  ];
}
