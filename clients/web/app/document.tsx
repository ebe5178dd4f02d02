import { HeadContent, Outlet, useRouter } from '@tanstack/react-router';
import { ANSWERS_ID, writeAnswers } from '../api/loaded-answers.ts';
import { SETTINGS_ID } from '../site/public-settings.ts';
import { useSite, useText } from '../site/use-site.ts';
import { ROUTES_ID, writeRoutes } from './loaded-routes.ts';
import { Shell } from './shell.tsx';

/** The whole HTML document of every page. What only the server writes is empty in the browser, and is left as it is. */
export function Document() {
  const { queries, settings, written } = useSite();
  const { options, state } = useRouter();
  const nonce = options.ssr?.nonce;
  const { locale } = useText();
  return (
    <html lang={locale} suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="color-scheme" content="light dark" />
        {/* React Aria would add a style for what can be pressed, which the policy forbids; site.css has it. */}
        <meta id="react-aria-pressable-style" name="theme" content="site" />
        <link rel="icon" type="image/svg+xml" href={settings.site.icon} />
        <link rel="apple-touch-icon" href="/icon-180.png" />
        <link rel="manifest" href="/manifest.webmanifest" />
        <HeadContent />
        <style
          nonce={nonce}
          suppressHydrationWarning
          // biome-ignore lint/security/noDangerouslySetInnerHtml: made when the site is built
          dangerouslySetInnerHTML={{ __html: written?.styles ?? '' }}
        />
      </head>
      <body>
        <Shell>
          <Outlet />
        </Shell>
        <script
          type="application/json"
          id={SETTINGS_ID}
          // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON with `<` escaped, read as data
          dangerouslySetInnerHTML={{ __html: JSON.stringify(settings).replaceAll('<', '\\u003c') }}
        />
        <script
          type="application/json"
          id={ANSWERS_ID}
          suppressHydrationWarning
          // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON with `<` escaped, read as data
          dangerouslySetInnerHTML={{ __html: written === null ? '' : writeAnswers(queries) }}
        />
        <script
          type="application/json"
          id={ROUTES_ID}
          suppressHydrationWarning
          // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON with `<` escaped, read as data
          dangerouslySetInnerHTML={{ __html: written === null ? '' : writeRoutes(state.matches) }}
        />
        <script
          nonce={nonce}
          suppressHydrationWarning
          // biome-ignore lint/security/noDangerouslySetInnerHtml: made when the site is built
          dangerouslySetInnerHTML={{ __html: written?.starter ?? '' }}
        />
      </body>
    </html>
  );
}
