/**
 * Copies the catalogs into the native apps (docs/contract.md#message-catalogs): iOS gets `messages-{en,es}.json`
 * in its Resources folder, Android `messages/{en,es}.json` in its assets folder. A copy is byte for byte, so a second
 * run changes nothing. Usage: npm run sync:catalogs -- <user|agent> --ios <folder> --android <folder>
 */
import { copyFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Audience, LOCALES } from './translator.ts';

export interface SyncTargets {
  audience: Audience;
  /** The iOS app's Resources folder. */
  ios?: string | undefined;
  /** The Android app's assets folder. */
  android?: string | undefined;
}

/** Copies and returns the paths written, in order. */
export async function syncCatalogs({ audience, ios, android }: SyncTargets): Promise<string[]> {
  const written: string[] = [];
  for (const locale of LOCALES) {
    const source = new URL(`./${audience}/${locale}.json`, import.meta.url);
    const targets = [
      ...(ios === undefined ? [] : [join(ios, `messages-${locale}.json`)]),
      ...(android === undefined ? [] : [join(android, 'messages', `${locale}.json`)]),
    ];
    for (const target of targets) {
      await mkdir(dirname(target), { recursive: true });
      await copyFile(source, target);
      written.push(target);
    }
  }
  return written;
}

if (import.meta.main) {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { ios: { type: 'string' }, android: { type: 'string' } },
  });
  const audience = positionals[0];
  if ((audience !== 'user' && audience !== 'agent') || (!values.ios && !values.android)) {
    console.error('usage: npm run sync:catalogs -- <user|agent> [--ios <folder>] [--android <folder>]');
    process.exitCode = 64;
  } else {
    for (const path of await syncCatalogs({ audience, ios: values.ios, android: values.android })) {
      console.log(path);
    }
  }
}
