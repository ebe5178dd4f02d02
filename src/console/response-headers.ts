import type { MiddlewareHandler } from 'hono';
import { secureHeaders } from 'hono/secure-headers';

const SELF = ["'self'"];
const NONE = ["'none'"];

/**
 * Response headers of every page. A page that needs another Content-Security-Policy sets its own header first; an
 * existing header stays.
 */
export function responseHeaders(): MiddlewareHandler {
  const secure = secureHeaders({
    overwrite: false,
    strictTransportSecurity: false,
    xFrameOptions: 'DENY',
    contentSecurityPolicy: {
      defaultSrc: NONE,
      scriptSrc: SELF,
      styleSrc: SELF,
      imgSrc: SELF,
      connectSrc: SELF,
      formAction: SELF,
      baseUri: NONE,
      frameAncestors: NONE,
    },
  });
  return async (c, next) => {
    await secure(c, next);
    if (!c.res.headers.has('cache-control')) c.header('cache-control', 'no-store');
  };
}
