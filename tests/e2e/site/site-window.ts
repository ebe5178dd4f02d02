import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright-core';

export interface WindowOptions {
  readonly width?: 390 | 1280;
  readonly theme?: 'light' | 'dark';
  /** The `Cookie` header of the person who is signed in. */
  readonly as?: { readonly cookie: string };
  readonly javaScript?: boolean;
}

/** A browser of its own, with what it complained about. */
export interface SiteWindow {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors of scripts and violations of the policy. */
  readonly complaints: string[];
  /** Calls of procedures so far, such as `search.list`. */
  readonly calls: string[];
  /** @param path such as `/search`, and the language as its prefix */
  go(path: string): Promise<number>;
  /** @throws when the page complained about anything */
  close(): Promise<void>;
}

export async function openSiteWindow(
  browser: Browser,
  url: string,
  { width = 1280, theme = 'light', as, javaScript = true }: WindowOptions,
): Promise<SiteWindow> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width, height: width === 390 ? 844 : 900 },
    colorScheme: theme,
    javaScriptEnabled: javaScript,
    reducedMotion: 'reduce',
    hasTouch: width === 390,
    locale: 'en-US',
    timezoneId: 'America/Los_Angeles',
    // Each window has its own network address: the limits of codes count per network, and tests run twice.
    extraHTTPHeaders: { 'x-forwarded-for': `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}` },
  });
  context.setDefaultTimeout(20_000);
  if (as !== undefined) await signInAs(context, url, as);
  const page = await context.newPage();
  const complaints: string[] = [];
  const calls: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    const text = message.text();
    // The browser also reports 4xx and 5xx responses here, and what its software graphics are slow at.
    if (message.type() === 'error' && !text.startsWith('Failed to load resource')) complaints.push(text);
  });
  page.on('request', (request) => {
    const procedure = /\/api\/trpc\/([\w.]+)/.exec(request.url())?.[1];
    if (procedure !== undefined) calls.push(procedure);
  });
  return {
    page,
    context,
    complaints,
    calls,
    async go(path) {
      const response = await page.goto(path, { waitUntil: 'load' });
      if (javaScript) await page.locator('html[data-ready]').waitFor({ state: 'attached' });
      return response?.status() ?? 0;
    },
    async close() {
      // What a test holds back may still be on its way.
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await context.unrouteAll({ behavior: 'ignoreErrors' });
      await context.close();
      if (complaints.length > 0) throw new Error(`the page complained: ${complaints.join('\n')}`);
    },
  };
}

/** Gives the browser the session of a person, as after signing in. */
async function signInAs(
  context: BrowserContext,
  url: string,
  { cookie }: { readonly cookie: string },
): Promise<void> {
  const cookies = cookie.split('; ').map((pair) => {
    const equals = pair.indexOf('=');
    const [name, value] = [pair.slice(0, equals), pair.slice(equals + 1)];
    return { name, value, url, httpOnly: true, sameSite: 'Lax' as const };
  });
  await context.addCookies(cookies);
  await context.addInitScript(`localStorage.getItem('was-signed-in') ?? localStorage.setItem('signed-in', '1');
    localStorage.setItem('was-signed-in', '1')`);
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Finding {
  id: string;
  nodes: { target: string[]; failureSummary: string }[];
}

/** Everything that axe finds, one line each. */
export async function axeFindings(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const { violations } = (await page.evaluate(`axe.run(document, { resultTypes: ['violations'] })`)) as {
    violations: Finding[];
  };
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target} ${failureSummary}`),
  );
}

const ALL_LOOKS = ([390, 1280] as const).flatMap((width) =>
  (['light', 'dark'] as const).flatMap((theme) =>
    (['en', 'es'] as const).map((locale) => ({ width, theme, locale, name: `${width} ${theme} ${locale}` })),
  ),
);
/**
 * How every page is looked at. Colors do not depend on the language, nor widths on the colors: light pages are English and
 * dark ones Spanish, unless pictures are taken.
 */
export const LOOKS = ALL_LOOKS.filter(
  ({ theme, locale }) => process.env.KEEP_SCREENS === 'yes' || (theme === 'light') === (locale === 'en'),
);

const PICTURES = fileURLToPath(new URL('../../../docs/pictures/', import.meta.url));

/** Takes a picture of the documentation when KEEP_SCREENS=yes asks for them. @param name such as `site/map-1280-light` */
export async function keepScreen(
  page: Page,
  name: string,
  options: { fullPage?: boolean } = {},
): Promise<void> {
  if (process.env.KEEP_SCREENS !== 'yes') return;
  await page.waitForLoadState('networkidle');
  await page.screenshot({ path: join(PICTURES, `${name}.png`), animations: 'disabled', ...options });
}

/** By how many pixels the page is wider than its window. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
