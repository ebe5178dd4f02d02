import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import {
  PAGE_PARTS,
  partsOfFolder,
  partsOfPath,
  STUDIO_FOLDERS,
  WORDS_OF_FOLDER,
  WORDS_OF_PAGES,
} from '../../../../clients/web/words/word-parts.ts';
import { catalog } from '../../../../i18n/translator.ts';

const WEB = fileURLToPath(new URL('../../../../clients/web', import.meta.url));

test.each([
  ['/', ['search', 'features']],
  ['/search', ['search', 'features']],
  ['/es/properties/1/photos', ['home', 'features', 'tour']],
  ['/privacy', []],
  ['/provenance/1', ['provenance']],
  ['/es/studio', ['studio', 'listings']],
  ['/studio/new', ['studio', 'details']],
  ['/studio/tours', ['studio', 'inbox', 'tour']],
  ['/studio/1', ['studio', 'photos', 'uploads']],
  ['/studio/1/review/', ['studio', 'review']],
  ['/studio/1/publish', ['studio', 'publish', 'uploads']],
  ['/studio/1/preview', ['studio', 'preview', 'home', 'features']],
  ['/studio/1/figures', ['studio', 'figures']],
])('%s says %j', (path, parts) => {
  expect(partsOfPath(path)).toEqual(parts);
});

/** The folder of the studio whose pages have a file. Photos are staged on the page of the photos. */
function folderOf(file: string): string | undefined {
  const folder = /^pages\/studio\/(\w+)\//.exec(file)?.[1];
  return folder === 'staging' ? 'photos' : folder;
}

test('no file says a word that only pages of another folder load', () => {
  const forAll = catalog('user', 'en');
  const said = readdirSync(WEB, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) => {
      const text = readFileSync(join(WEB, file), 'utf8');
      return [...text.matchAll(/['"`]((?:studio|job|furniture|description)\.[\w.]+)/g)].map(
        ([, key = '']) => ({ file, key }),
      );
    })
    .filter(({ key }) => !(key in forAll));
  const foreign = said.filter(({ file, key }) => {
    const sayers = STUDIO_FOLDERS.filter((folder) => WORDS_OF_FOLDER[folder].test(key));
    return sayers.length > 0 && !sayers.some((folder) => folder === folderOf(file));
  });
  expect(said.length).toBeGreaterThan(200);
  expect(foreign).toEqual([]);
});

/** Shown by these files of other folders only with a page that has the words, or once they are loaded. */
const SHARED_FILES =
  /^(?:api|app|head|map|showcase|words)\/|queries\.ts$|^primitives\/tours\/slot-picker|^pages\/listing\/commute-place-field|^pages\/search\/|^pages\/discovery\/search-news|^pages\/studio\/details\/(?:home|features)-section/;

test('no page says a word that only other pages load', () => {
  const keys = Object.keys(catalog('user', 'en')).map((key) => key.replace(/_(?:one|other)$/, ''));
  const foreign = readdirSync(WEB, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !SHARED_FILES.test(file))
    .flatMap((file) => {
      const folder = /^pages\/(studio\/[\w-]+|[\w-]+)\//.exec(file)?.[1] ?? '';
      const own: readonly string[] = partsOfFolder(folder);
      const text = readFileSync(join(WEB, file), 'utf8');
      return [...new Set(keys)]
        .filter((key) => text.includes(`'${key}'`))
        .flatMap((key) => {
          const part = PAGE_PARTS.find((one) => WORDS_OF_PAGES[one].test(key));
          return part === undefined || own.includes(part) ? [] : [{ file, key, part }];
        });
    });
  expect(foreign).toEqual([]);
});
