/**
 * Reads an operator's site (docs/brand.md). A site is whole or it is refused: every problem is listed at once, with
 * file, line and an example.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ZodError } from 'zod';
import { type Catalog, isLocale, LOCALES, type Locale } from '../../i18n/translator.ts';
import { contrastProblems, isRole, solidColors } from './colors.ts';
import { type JsonLines, jsonLines, pathName } from './json-lines.ts';
import type { Site, SiteFile } from './site.ts';
import {
  type FileProblem,
  messagesProblems,
  svgProblems,
  TEXT_NAMES,
  textProblems,
  typefaceProblems,
} from './site-files.ts';
import { FIELD_EXAMPLES, type GivenSettings, siteSettings } from './site-settings.ts';
import { BUNDLED_FAMILIES, siteStyles } from './styles.ts';

/** The repository's own, for an installation that sets nothing. */
export const OWN_SITE = fileURLToPath(new URL('../../ops/site', import.meta.url));

/** One mistake. */
export interface SiteProblem extends FileProblem {
  /** Its path in the folder. */
  readonly file: string;
}

/** The site, or everything that is wrong with it. */
export type ReadSite =
  | { readonly site: Site; readonly problems: readonly [] }
  | { readonly site: null; readonly problems: readonly SiteProblem[] };

const SETTINGS = 'site.json';
const PICTURES = { 'logo.svg': 'logo', 'logo-dark.svg': 'logo', 'icon.svg': 'square' } as const;
/** Names of the texts' variables, each a setting. */
const VARIABLES = [
  'name',
  'legalName',
  'address',
  'supportEmail',
  'takedownEmail',
  'phone',
  'license',
] as const;
/** No file of a site is nearly as large. */
const MOST_FILE_BYTES = 2_000_000;

/** `site.json:12: currency: expected …` */
export const problemLine = ({ file, line, message }: SiteProblem): string => `${file}:${line}: ${message}`;

export function readSite(folder: string = OWN_SITE): ReadSite {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) {
    const message = `expected the folder of a site, such as ops/site, found none at ${folder}`;
    return { site: null, problems: [{ file: SETTINGS, line: 1, message }] };
  }
  const problems: SiteProblem[] = [];
  const read = new Map<string, Buffer>();
  const note = (file: string, found: readonly FileProblem[]): void =>
    void problems.push(...found.map((one) => ({ file, ...one })));
  /** Null for a file that is not there or cannot be read; a file that must be there is a problem then. */
  const take = (file: string, missing?: string): Buffer | null => {
    try {
      const path = join(folder, file);
      if (statSync(path).size > MOST_FILE_BYTES) throw new Error(`expected at most ${MOST_FILE_BYTES} bytes`);
      const bytes = readFileSync(path);
      read.set(file, bytes);
      return bytes;
    } catch (error) {
      const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
      if (isMissing && missing === undefined) return null;
      const message = isMissing ? missing : error instanceof Error ? error.message : String(error);
      note(file, [{ line: 1, message: message ?? '' }]);
      return null;
    }
  };
  const json = (file: string, missing?: string): { value: unknown; lines: JsonLines } | null => {
    const bytes = take(file, missing);
    if (bytes === null) return null;
    const text = bytes.toString('utf8');
    try {
      return { value: JSON.parse(text), lines: jsonLines(text) };
    } catch (error) {
      note(file, [{ line: lineOfError(text, error), message: `expected JSON, found ${String(error)}` }]);
      return null;
    }
  };
  const given = json(SETTINGS, 'expected the settings of the site, such as those of ops/site/site.json');
  const settings = given === null ? null : checkedSettings(given, (found) => note(SETTINGS, found));
  const languages = settings?.languages ?? languagesIn(given?.value);

  for (const [file, shape] of Object.entries(PICTURES)) {
    const bytes = take(
      file,
      file === 'icon.svg' ? 'expected the icon of the site, a square SVG picture' : undefined,
    );
    if (bytes !== null) note(file, svgProblems(bytes, shape));
  }
  if (read.has('logo.svg') !== read.has('logo-dark.svg')) {
    const file = read.has('logo.svg') ? 'logo-dark.svg' : 'logo.svg';
    note(file, [
      { line: 1, message: 'expected the logo for both themes, or for none: the name is shown then' },
    ]);
  }
  const typefaces = settings === null ? [] : Object.values(settings.typefaces);
  const typefaceFiles = [...new Set(typefaces.flatMap(({ file }) => (file === null ? [] : [file])))];
  for (const file of typefaceFiles) {
    const bytes = take(file, 'expected the typeface that site.json names');
    if (bytes !== null) note(file, typefaceProblems(bytes));
  }
  for (const locale of languages)
    for (const name of TEXT_NAMES) {
      const file = textFile(name, locale);
      const bytes = take(file, `expected the text "${name}" in the language ${locale} of site.json`);
      if (bytes !== null) note(file, textProblems(bytes.toString('utf8'), VARIABLES));
    }
  const messages: Record<Locale, Catalog> = { en: {}, es: {} };
  for (const locale of LOCALES) {
    const file = messagesFile(locale);
    const other = json(file);
    if (other === null) continue;
    note(
      file,
      messagesProblems(other.value, locale, (key) => other.lines.get(key) ?? 1),
    );
    messages[locale] = other.value as Catalog;
  }
  for (const file of filesIn(folder))
    if (!read.has(file) && !OF_OTHER_LANGUAGES.test(file) && !problems.some((one) => one.file === file))
      note(file, [{ line: 1, message: `unknown file; the folder holds ${KNOWN_FILES}` }]);

  if (settings === null || problems.length > 0) return { site: null, problems };
  const tagline = settings.tagline[settings.defaultLanguage] ?? '';
  const files = new Map(
    [...Object.keys(PICTURES), ...typefaceFiles].flatMap((name): [string, SiteFile][] => {
      const bytes = read.get(name);
      if (bytes === undefined) return [];
      const type = name.endsWith('.svg') ? 'image/svg+xml' : 'font/woff2';
      return [[name, { type, bytes, address: `/site/${sha256(bytes).slice(0, 12)}/${name}` }]];
    }),
  );
  const { colors, ...said } = settings;
  const site: Omit<Site, 'texts'> = {
    ...said,
    tagline: { en: settings.tagline.en ?? tagline, es: settings.tagline.es ?? tagline },
    messages,
    files,
    colors: solidColors(colors),
    styles: siteStyles(settings, colors, (file) => files.get(file)?.address ?? ''),
    fingerprint: sha256(JSON.stringify([...read].map(([name, bytes]) => [name, sha256(bytes)]).toSorted())),
  };
  const texts = new Map(
    languages.flatMap((locale) =>
      TEXT_NAMES.map((name): [string, string] => [
        `${name}.${locale}`,
        filledIn(read.get(textFile(name, locale))?.toString('utf8') ?? '', site),
      ]),
    ),
  );
  return { site: { ...site, texts }, problems: [] };
}

/** The repository's own site. */
export function ownSite(): Site {
  const { site, problems } = readSite();
  if (site === null) throw new Error(problems.map(problemLine).join('\n'));
  return site;
}

/** Texts may be ready before their language is offered. */
const OF_OTHER_LANGUAGES = new RegExp(`^texts/(?:${LOCALES.join('|')})/(?:${TEXT_NAMES.join('|')})\\.md$`);
const KNOWN_FILES =
  'site.json, logo.svg, logo-dark.svg, icon.svg, texts/en/privacy.md and the like, messages/en.json and the like, and the typefaces that site.json names';
const textFile = (name: string, locale: Locale): string => `texts/${locale}/${name}.md`;
const messagesFile = (locale: Locale): string => `messages/${locale}.json`;
const sha256 = (value: string | Uint8Array): string => createHash('sha256').update(value).digest('hex');

/** Without hidden ones, which editors and version control leave. */
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter((file) => !/(?:^|\/)\.|^README\.md$/.test(file))
    .toSorted();

const filledIn = (text: string, site: Pick<Site, (typeof VARIABLES)[number]>): string =>
  text.replace(/\{\{(\w+)\}\}/g, (_, name: (typeof VARIABLES)[number]) => site[name] ?? '—');

/** The languages of settings that have problems elsewhere. */
function languagesIn(value: unknown): readonly Locale[] {
  const listed =
    typeof value === 'object' && value !== null && 'languages' in value && Array.isArray(value.languages)
      ? value.languages.filter(isLocale)
      : [];
  return listed.length === 0 ? LOCALES : listed;
}

/** Node names the place in a text that is no JSON. */
function lineOfError(text: string, error: unknown): number {
  const at = /position (\d+)/.exec(String(error))?.[1];
  return at === undefined ? text.trimEnd().split('\n').length : text.slice(0, Number(at)).split('\n').length;
}

function checkedSettings(
  { value, lines }: { value: unknown; lines: JsonLines },
  note: (found: FileProblem[]) => void,
): GivenSettings | null {
  const lineOf = (path: readonly PropertyKey[]): number =>
    lines.get(pathName(path)) ?? (path.length === 0 ? 1 : lineOf(path.slice(0, -1)));
  const at = (path: readonly PropertyKey[], message: string): FileProblem => {
    const example = FIELD_EXAMPLES[String(path[0])];
    return {
      line: lineOf(path),
      message: `${pathName(path)}: ${message}${example === undefined ? '' : `, such as ${example}`}`,
    };
  };
  const result = siteSettings.safeParse(value);
  if (!result.success) note(issuesOf(result.error, at, value));
  // What can be read is checked too, so that everything is said at once.
  const colors = siteSettings.shape.colors.safeParse(partOf(value, 'colors'));
  if (colors.success) {
    const unknown = Object.keys(colors.data.roles).filter((name) => !isRole(name));
    note(unknown.map((name) => at(['colors', 'roles', name], 'unknown role of a color')));
    note(
      contrastProblems(colors.data).map(({ role, message }) =>
        at(role === null ? ['colors', 'primary'] : ['colors', 'roles', role], message),
      ),
    );
  }
  const languages = siteSettings.shape.languages.safeParse(partOf(value, 'languages'));
  const chosen = partOf(value, 'defaultLanguage');
  if (languages.success && isLocale(chosen) && !languages.data.includes(chosen))
    note([at(['defaultLanguage'], 'expected one of the languages')]);
  const tagline = siteSettings.shape.tagline.safeParse(partOf(value, 'tagline'));
  if (languages.success && tagline.success)
    for (const locale of languages.data)
      if (tagline.data[locale] === undefined)
        note([at(['tagline'], `expected one in the language ${locale}`)]);
  const typefaces = siteSettings.shape.typefaces.safeParse(partOf(value, 'typefaces'));
  if (typefaces.success) note(familyProblems(typefaces.data, at));
  return result.success ? result.data : null;
}

type At = (path: readonly PropertyKey[], message: string) => FileProblem;

const partOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;

function familyProblems(typefaces: GivenSettings['typefaces'], at: At): FileProblem[] {
  return Object.entries(typefaces).flatMap(([use, { family, file }]) =>
    file === null && !BUNDLED_FAMILIES.includes(family)
      ? [
          at(
            ['typefaces', use],
            `expected a bundled family (${BUNDLED_FAMILIES.join(' or ')}), or the file of ${family}`,
          ),
        ]
      : [],
  );
}

function issuesOf(error: ZodError, at: At, value: unknown): FileProblem[] {
  return error.issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => at([...issue.path, key], 'unknown key'));
    if (issue.code !== 'invalid_type') return [at(issue.path, issue.message)];
    const found = issue.path.reduce<unknown>((part, key) => partOf(part, String(key)), value);
    return [
      at(
        issue.path,
        `expected ${issue.expected}, found ${found === undefined ? 'nothing' : JSON.stringify(found)}`,
      ),
    ];
  });
}
