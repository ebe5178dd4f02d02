/**
 * Checks that the message catalogs are complete (docs/contract.md#message-catalogs): the same keys and variables in
 * both languages, plurals in pairs, a text for every code that the platform can send, no unused text, and files in
 * their written form: sorted, each key once. Part of `npm run check`.
 */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Audience, type Catalog, LOCALES, type Locale } from '../../i18n/translator.ts';
import { KEY_FAMILIES, type KeyFamily } from './catalog-keys.ts';

export type CatalogTexts = Readonly<Record<Audience, Readonly<Record<Locale, string>>>>;

export interface CatalogCheck {
  /** The files as they are. */
  readonly texts: CatalogTexts;
  readonly families: readonly KeyFamily[];
  /** Keys that code mentions; a plural one without its suffix; the beginning of keys whose end is a variable, with its dot. */
  readonly mentioned: ReadonlySet<string>;
}

type Catalogs = Record<Audience, Record<Locale, Catalog>>;

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const AUDIENCES = ['user', 'agent'] as const satisfies Audience[];
const PLURAL = /_(?:one|other)$/;
const SOURCES = '{i18n,machines,persistence,supervisors,src,ops,clients}/**/*.{ts,tsx,swift,kt}';
const KEY_TEXT = /["'`]([a-z]\w*(?:\.[\w-]+)+)["'`]/g;
/** `studio.field.${name}` */
const KEY_BEGINNING = /`(studio(?:\.[\w-]+)+\.)\$\{/g;

/** All problems of the catalogs, one sentence each, in order. */
export function catalogProblems({ texts, families, mentioned }: CatalogCheck): string[] {
  const catalogs: Catalogs = {
    user: { en: parsed(texts.user.en), es: parsed(texts.user.es) },
    agent: { en: parsed(texts.agent.en), es: parsed(texts.agent.es) },
  };
  return AUDIENCES.flatMap((audience) => [
    ...LOCALES.flatMap((locale) =>
      writingProblems(`i18n/${audience}/${locale}.json`, texts[audience][locale]),
    ),
    ...languageProblems(audience, catalogs[audience]),
    ...pluralProblems(audience, catalogs[audience].en),
    ...familyProblems(audience, catalogs[audience].en, families),
    ...unusedProblems(audience, catalogs[audience].en, { families, mentioned }),
  ]).concat(audienceProblems(catalogs));
}

function parsed(text: string): Catalog {
  return JSON.parse(text) as Catalog;
}

function writingProblems(file: string, text: string): string[] {
  const messages = parsed(text);
  const sorted = Object.fromEntries(Object.entries(messages).sort(([a], [b]) => (a < b ? -1 : 1)));
  const asWritten = text === `${JSON.stringify(sorted, null, 2)}\n`;
  return [
    ...(asWritten ? [] : [`${file} is not sorted, has a key twice, or is not indented by two`]),
    ...Object.entries(messages).flatMap(([key, message]) => {
      if (message.trim() === '') return [`${file}: ${key} says nothing`];
      return /[{}]/.test(message.replace(/\{\{\w+\}\}/g, '')) ? [`${file}: ${key} has half a variable`] : [];
    }),
  ];
}

function variablesOf(message: string): string {
  const names = [...message.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name);
  return names.toSorted().join(', ');
}

function languageProblems(audience: Audience, { en, es }: Record<Locale, Catalog>): string[] {
  const missing = (from: Catalog, locale: Locale, other: Catalog): string[] =>
    Object.keys(other)
      .filter((key) => !Object.hasOwn(from, key))
      .map((key) => `${audience}: ${key} is missing in ${locale}`);
  const unequal = Object.entries(en).flatMap(([key, message]) => {
    const translated = es[key];
    if (translated === undefined || variablesOf(translated) === variablesOf(message)) return [];
    return [`${audience}: ${key} has other variables in es than in en`];
  });
  return [...missing(en, 'en', es), ...missing(es, 'es', en), ...unequal];
}

function pluralProblems(audience: Audience, messages: Catalog): string[] {
  return Object.keys(messages)
    .filter((key) => PLURAL.test(key))
    .map((key) =>
      key.endsWith('_one') ? [key, key.replace(PLURAL, '_other')] : [key, key.replace(PLURAL, '_one')],
    )
    .filter(([, partner = '']) => !Object.hasOwn(messages, partner))
    .map(([key, partner]) => `${audience}: ${key} lacks its ${partner}`);
}

function familiesFor(audience: Audience, families: readonly KeyFamily[]): KeyFamily[] {
  return families.filter(({ customersToo }) => customersToo || audience === 'agent');
}

function familyProblems(audience: Audience, messages: Catalog, families: readonly KeyFamily[]): string[] {
  return familiesFor(audience, families).flatMap(({ name, keys }) =>
    keys
      .filter((key) => !Object.hasOwn(messages, key))
      .map((key) => `${audience}: ${key} is missing (${name})`),
  );
}

function unusedProblems(
  audience: Audience,
  messages: Catalog,
  { families, mentioned }: Pick<CatalogCheck, 'families' | 'mentioned'>,
): string[] {
  const demanded = new Set(familiesFor(audience, families).flatMap(({ keys }) => keys));
  return Object.keys(messages)
    .filter((key) => !demanded.has(key) && !mentioned.has(key) && !mentioned.has(key.replace(PLURAL, '')))
    .filter((key) => !mentioned.has(key.slice(0, key.lastIndexOf('.') + 1)))
    .map((key) => `${audience}: ${key} is said by nothing`);
}

/** Agents may be customers: their catalog contains every customer key with the same text. */
function audienceProblems({ user, agent }: Catalogs): string[] {
  return LOCALES.flatMap((locale) =>
    Object.entries(user[locale])
      .filter(([key, message]) => agent[locale][key] !== message)
      .map(([key]) => `agent: ${key} is missing, or reads otherwise than for customers, in ${locale}`),
  );
}

/** The catalogs of this repository, and the keys in its code. */
export function ownCatalogs(): CatalogCheck {
  const read = (audience: Audience) => ({
    en: readFileSync(`${ROOT}/i18n/${audience}/en.json`, 'utf8'),
    es: readFileSync(`${ROOT}/i18n/${audience}/es.json`, 'utf8'),
  });
  const files = globSync(SOURCES, { cwd: ROOT, exclude: ['ops/check/**', '**/node_modules/**'] });
  const mentioned = new Set(
    files.flatMap((file) =>
      [KEY_TEXT, KEY_BEGINNING].flatMap((pattern) =>
        [...readFileSync(`${ROOT}/${file}`, 'utf8').matchAll(pattern)].map(([, key = '']) => key),
      ),
    ),
  );
  return { texts: { user: read('user'), agent: read('agent') }, families: KEY_FAMILIES, mentioned };
}

if (import.meta.main) {
  const problems = catalogProblems(ownCatalogs());
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
  else console.log('The message catalogs are whole');
}
