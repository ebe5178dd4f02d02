import { existsSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { PublicError } from '../errors/errors.ts';
import type { Route } from '../http/message.ts';

/** The operator replaces these files: `privacy.en.txt` and so on. */
const FOLDER = new URL('../../ops/deploy/legal/', import.meta.url);
const NAMES = ['privacy', 'terms', 'contact'].flatMap((page) => [`${page}.en`, `${page}.es`]);
const MOST_BYTES = 200_000;

/** Thrown at the start. */
class LegalTextsMissing extends Error {
  readonly code = 'LEGAL_TEXTS_MISSING';
}

/** The texts of the legal pages by name, such as `terms.es`. */
export type LegalTexts = ReadonlyMap<string, string>;

/** @throws LegalTextsMissing that lists every file that is missing or too large */
export function readLegalTexts(folder: URL = FOLDER): LegalTexts {
  const paths = NAMES.map((name) => [name, fileURLToPath(new URL(`${name}.txt`, folder))] as const);
  const wrong = paths.filter(([, path]) => !existsSync(path) || statSync(path).size > MOST_BYTES);
  if (wrong.length > 0) {
    const files = wrong.map(([, path]) => path).join(', ');
    throw new LegalTextsMissing(`Texts of the site are missing or larger than ${MOST_BYTES} bytes: ${files}`);
  }
  return new Map(paths.map(([name, path]) => [name, readFileSync(path, 'utf8')]));
}

/** The texts for browsers that come to a legal page from another page. */
export function legalRoute(texts: LegalTexts): Route {
  return {
    methods: ['GET'],
    path: '/legal/:name',
    handler: async ({ params }) => {
      const text = texts.get(/^(\w+\.\w+)\.txt$/.exec(params.name ?? '')?.[1] ?? '');
      if (text === undefined) throw new PublicError('NOT_FOUND');
      return {
        status: 200,
        headers: [
          ['content-type', 'text/plain; charset=utf-8'],
          ['cache-control', 'public, max-age=300'],
        ],
        body: text,
      };
    },
  };
}
