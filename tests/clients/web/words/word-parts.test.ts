import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { partsOfPath, STUDIO_FOLDERS, WORDS_OF_FOLDER } from '../../../../clients/web/words/word-parts.ts';
import { catalog } from '../../../../i18n/translator.ts';

const WEB = fileURLToPath(new URL('../../../../clients/web', import.meta.url));

test.each([
  ['/', []],
  ['/search', []],
  ['/provenance/1', ['provenance']],
  ['/es/studio', ['studio', 'listings']],
  ['/studio/new', ['studio', 'details']],
  ['/studio/tours', ['studio']],
  ['/studio/1', ['studio', 'photos']],
  ['/studio/1/review/', ['studio', 'review']],
  ['/studio/1/publish', ['studio', 'publish']],
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
