/**
 * Reads an operator's site (docs/brand.md). A site is whole or it is refused: every problem is listed at once, with
 * file, line and an example.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { jsonLines, pathName } from './json-lines.ts';
import type { Site } from './site.ts';
import { FIELD_EXAMPLES, siteSettings } from './site-settings.ts';

/** The repository's own, for an installation that sets nothing. */
export const OWN_SITE = fileURLToPath(new URL('../../ops/site', import.meta.url));

/** One mistake, such as `site.json:12: currency: expected …`. */
export interface SiteProblem {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

/** The site, or everything that is wrong with it. */
export type ReadSite =
  | { readonly site: Site; readonly problems: readonly [] }
  | { readonly site: null; readonly problems: readonly SiteProblem[] };

export function readSite(folder: string = OWN_SITE): ReadSite {
  const file = 'site.json';
  let text: string;
  let given: unknown;
  try {
    text = readFileSync(join(folder, file), 'utf8');
    given = JSON.parse(text);
  } catch (error) {
    const message = `expected JSON, found ${error instanceof Error ? error.message : String(error)}`;
    return { site: null, problems: [{ file, line: 1, message }] };
  }
  const result = siteSettings.safeParse(given);
  if (!result.success) {
    const lines = jsonLines(text);
    const problems = result.error.issues.map(({ path, message }) => {
      const name = pathName(path);
      const example = FIELD_EXAMPLES[String(path[0])];
      return {
        file,
        line: lines.get(name) ?? lines.get(pathName(path.slice(0, -1))) ?? 1,
        message: `${name}: ${message}${example === undefined ? '' : `, such as ${example}`}`,
      };
    });
    return { site: null, problems };
  }
  const { tagline, ...settings } = result.data;
  const fallback = tagline[settings.defaultLanguage] ?? '';
  return {
    site: {
      ...settings,
      tagline: { en: tagline.en ?? fallback, es: tagline.es ?? fallback },
      fingerprint: createHash('sha256').update(text).digest('hex'),
    },
    problems: [],
  };
}

/** The repository's own site. */
export function ownSite(): Site {
  const { site, problems } = readSite();
  if (site === null)
    throw new Error(problems.map(({ file, line, message }) => `${file}:${line}: ${message}`).join('\n'));
  return site;
}
