import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { StackError } from '../../../ops/dev/stack/lifecycle.ts';
import { systemProgram } from '../../../ops/dev/stack/system-program.ts';

/** The distribution's browser, found or installed; otherwise the reason why there is none. */
export type Chromium = { path: string } | { missing: string };

export function findChromium(): Chromium {
  try {
    const packages = { 'apt-get': ['chromium', 'fonts-dejavu-core'], dnf: ['chromium'], apk: ['chromium'] };
    const wanted = { program: 'chromium', title: 'Chromium', packages };
    return { path: systemProgram(wanted, (line) => console.log(line)) };
  } catch (error) {
    if (error instanceof StackError && error.code === 'BINARY_MISSING') return { missing: error.message };
    throw error;
  }
}

/** Connects only to the pages that it opens. */
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--no-pings',
  '--disable-default-apps',
];

export function launchChromium(path: string): Promise<Browser> {
  return chromium.launch({ executablePath: `/usr/bin/${path}`, args: QUIET, headless: true });
}

/** A window whose pages must not log errors or violate their Content-Security-Policy. */
export interface Window {
  readonly page: Page;
  /** Errors that the browser reported, without those that a test provokes. */
  readonly complaints: string[];
  close(): Promise<void>;
}

export async function openWindow(
  browser: Browser,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<Window> {
  const context: BrowserContext = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce',
    ...options,
  });
  context.setDefaultTimeout(20_000);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    // The browser also reports 4xx and 5xx responses here.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text());
  });
  return { page, complaints, close: () => context.close() };
}
