import type { MiddlewareHandler } from 'hono';
import { secureHeaders } from 'hono/secure-headers';

const SELF = ["'self'"];
const NONE = ["'none'"];

/**
 * What every page's answer says to the browser. A page that needs another Content-Security-Policy sets its own header;
 * one that is set already stays.
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
