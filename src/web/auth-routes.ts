import type { Auth } from '../auth/auth.ts';
import { AUTH_BASE_PATH } from '../auth/auth-request.ts';
import { errorHeaders } from '../http/error-response.ts';
import { json, type Route } from '../http/message.ts';
import { fromWebResponse, toWebRequest } from '../http/web-bridge.ts';

const SIGN_OUT_PATH = `${AUTH_BASE_PATH}/sign-out`;
/** Far above any sign-in body. */
const BODY_BYTES = 64 * 1024;

/**
 * `/api/auth/*`: answers have the shape of the sign-in library, `{message, code, messageKey}`, and so do error responses made
 * elsewhere.
 */
export function authRoutes(auth: Pick<Auth, 'handler'>, publicBaseUrl: string): Route[] {
  return [
    {
      methods: '*',
      path: `${AUTH_BASE_PATH}/*`,
      bodyLimit: BODY_BYTES,
      varies: ['Cookie', 'Origin'],
      lessens: ({ path }) => path.startsWith(SIGN_OUT_PATH),
      errorResponse: (error) =>
        json(
          error.httpStatus,
          { message: error.message, code: error.code, messageKey: error.messageKey },
          errorHeaders(error),
        ),
      handler: async (request) =>
        fromWebResponse(
          await auth.handler(await toWebRequest(request, publicBaseUrl), request.remoteAddress),
        ),
    },
  ];
}
