import type { Browser, BrowserContext, Page } from 'playwright-core';

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
