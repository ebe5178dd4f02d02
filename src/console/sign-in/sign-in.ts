import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { deleteCookie, setCookie } from 'hono/cookie';
import { html } from 'hono/html';
import { NOT_YET_DURABLE } from '../../operations/operation.ts';
import { type OpsEnv, refuseUnknown } from '../../telemetry/ops-server.ts';
import { type PageContext, showPage } from '../layout.ts';
import { responseHeaders } from '../response-headers.ts';
import { type ConsoleSignIn, DEVICE_COOKIE, SESSION_COOKIE } from './console-sign-in.ts';
import { isForeign } from './same-site.ts';
import { DEVICE, SESSION } from './signed-token.ts';

const MAX_FORM_BYTES = 4 * 1024;
/** When the standby may have caught up. */
const RETRY_AFTER_SECONDS = '5';

/**
 * The only page that unauthenticated callers see: a plain form without any name. Wrong credentials get the same
 * answer as a path that does not exist.
 */
export function signInPages(consoleSignIn: ConsoleSignIn): Hono<OpsEnv> {
  const app = new Hono<OpsEnv>();
  const admit: MiddlewareHandler<OpsEnv> = async (c, next) => {
    const { incoming } = c.env;
    if (isForeign(incoming)) return refuseUnknown();
    const { user, password, code } = await c.req.parseBody();
    if (typeof user !== 'string' || typeof password !== 'string') return refuseUnknown();
    const given = { user, password, code: typeof code === 'string' ? code.trim() : null };
    const admission = await consoleSignIn.signIn(incoming, given);
    if (admission === null) return refuseUnknown();
    setCookie(c, SESSION_COOKIE, admission.session, { ...cookieScope(c), maxAge: SESSION.seconds });
    setCookie(c, DEVICE_COOKIE, admission.device, { ...cookieScope(c), maxAge: DEVICE.seconds });
    await next();
  };
  // The headers of a page come after the admission: a rejected request must get the same headers as an unknown path.
  app.get('/sign-in', responseHeaders(), (c) => c.html(FORM));
  app.post(
    '/sign-in',
    bodyLimit({ maxSize: MAX_FORM_BYTES, onError: refuseUnknown }),
    admit,
    responseHeaders(),
    (c) => c.redirect('/console', 303),
  );
  app.onError(refuseUnknown);
  return app;
}

/**
 * Ends the session for every worker; only with a valid session. The browser stays a known one. Until a standby has it, the
 * browser keeps the cookie of the ended session, so that the same call confirms it.
 */
export async function signOut(c: PageContext, consoleSignIn: ConsoleSignIn): Promise<Response> {
  if (!(await consoleSignIn.signOut(c.env.incoming))) {
    c.header('retry-after', RETRY_AFTER_SECONDS);
    const body = html`<p class="notice bad">${NOT_YET_DURABLE}</p>`;
    return showPage(c, { title: 'Signed out here', section: 'overview', body }, 503);
  }
  deleteCookie(c, SESSION_COOKIE, cookieScope(c));
  return c.redirect('/sign-in', 303);
}

function cookieScope(c: Context) {
  // Several proxies write a list; the outermost is first.
  const secure = c.req.header('x-forwarded-proto')?.split(',')[0]?.trim() === 'https';
  return { path: '/', httpOnly: true, sameSite: 'Strict', secure } as const;
}

const FORM = html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="robots" content="noindex">
    <title>Sign in</title>
  </head>
  <body>
    <main>
      <h1>Sign in</h1>
      <form method="post" action="/sign-in">
        <p><label for="user">User</label><br><input id="user" name="user" autocomplete="username" required autofocus></p>
        <p><label for="password">Password</label><br><input id="password" name="password" type="password" autocomplete="current-password" required></p>
        <p><label for="code">One-time code, if you have one</label><br><input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="6"></p>
        <p><button type="submit">Sign in</button></p>
      </form>
    </main>
  </body>
</html>`;
