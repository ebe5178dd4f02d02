import { type Browser, chromium } from 'playwright-core';
import { StackError } from './stack/lifecycle.ts';
import { systemProgram } from './stack/system-program.ts';

/**
 * The distribution's browser without windows, found or installed; otherwise the reason why there is none. With windows it
 * takes half as much processor time again for the same tests.
 */
export type Chromium = { path: string } | { missing: string };

export function findChromium(): Chromium {
  try {
    const packages = { 'apt-get': ['chromium-headless-shell', 'fonts-dejavu-core'] };
    const wanted = { program: 'chromium-headless-shell', title: 'Chromium', packages };
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
