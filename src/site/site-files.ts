/** The checks of the files next to `site.json`: pictures, typefaces, texts and other words for messages. */
import { catalog, type Locale } from '../../i18n/translator.ts';

/** What is wrong in a file, and where. */
export interface FileProblem {
  readonly line: number;
  readonly message: string;
}

export const TEXT_NAMES = ['privacy', 'terms', 'contact', 'about'] as const;

const MOST_SVG_BYTES = 64 * 1024;
const MOST_TYPEFACE_BYTES = 300 * 1024;
const MOST_TEXT_CHARACTERS = 100_000;
/** Both languages are in every document. */
const MOST_MESSAGES_CHARACTERS = 8_000;
/** The header of a page has no room for a longer one. */
const WIDEST_LOGO = 6;

const lineAt = (text: string, index: number): number => text.slice(0, index).split('\n').length;

/** A problem for every place where a pattern is found. */
function found(text: string, pattern: RegExp, message: (what: string) => string): FileProblem[] {
  return [...text.matchAll(pattern)].map(({ 0: what, index }) => ({
    line: lineAt(text, index),
    message: message(what.length > 60 ? `${what.slice(0, 60)}…` : what),
  }));
}

const SVG_EXAMPLE =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><path d="M8 8h48v48H8z"/></svg>';
const FORBIDDEN_IN_SVG: readonly (readonly [RegExp, string])[] = [
  [/<script\b/gi, 'expected a picture without scripts'],
  [/\son[a-z]+\s*=/gi, 'expected a picture without event handlers'],
  [/<(?:foreignObject|iframe|embed|object|audio|video)\b/gi, 'expected shapes and text only'],
  [/<!(?:DOCTYPE|ENTITY)/gi, 'expected a picture without a document type'],
  [
    /(?:href|src)\s*=\s*["'](?!#)[^"']*["']|url\(\s*["']?(?!["']?#)[^)]*\)|@import[^;]*/gi,
    'expected no reference outside of the picture',
  ],
];

/** @param shape a square for the icon, a logo may be wider */
export function svgProblems(bytes: Buffer, shape: 'square' | 'logo'): FileProblem[] {
  if (bytes.length > MOST_SVG_BYTES)
    return [{ line: 1, message: `expected at most ${MOST_SVG_BYTES} bytes, found ${bytes.length}` }];
  const text = bytes.toString('utf8');
  if (
    !/^\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--[\s\S]*?-->\s*)*<svg\b/.test(text) ||
    !/<\/svg>\s*$|\/>\s*$/.test(text)
  )
    return [{ line: 1, message: `expected an SVG picture, such as ${SVG_EXAMPLE}` }];
  const problems = FORBIDDEN_IN_SVG.flatMap(([pattern, expected]) =>
    found(text, pattern, (what) => `${expected}, found ${JSON.stringify(what.trim())}`),
  );
  const box = /viewBox\s*=\s*["']\s*[-\d.]+[\s,]+[-\d.]+[\s,]+([\d.]+)[\s,]+([\d.]+)\s*["']/.exec(text);
  const [width, height] = [Number(box?.[1]), Number(box?.[2])];
  if (!(width > 0 && height > 0))
    return [...problems, { line: 1, message: 'expected a viewBox, such as viewBox="0 0 64 64"' }];
  const line = lineAt(text, box?.index ?? 0);
  if (shape === 'square' && width !== height)
    problems.push({
      line,
      message: `expected a square, such as viewBox="0 0 64 64", found ${width} by ${height}`,
    });
  if (shape === 'logo' && (width > WIDEST_LOGO * height || width < height))
    problems.push({
      line,
      message: `expected a picture one to ${WIDEST_LOGO} times as wide as high, such as viewBox="0 0 240 64", found ${width} by ${height}`,
    });
  return problems;
}

export function typefaceProblems(bytes: Buffer): FileProblem[] {
  if (bytes.toString('latin1', 0, 4) !== 'wOF2') return [{ line: 1, message: 'expected a woff2 file' }];
  if (bytes.length > MOST_TYPEFACE_BYTES)
    return [
      {
        line: 1,
        message: `expected at most ${MOST_TYPEFACE_BYTES} bytes, found ${bytes.length}: a subset of Latin letters has about 50000`,
      },
    ];
  return [];
}

/** Headings, paragraphs, lists, links and bold words: nothing else. */
export function textProblems(text: string, variables: readonly string[]): FileProblem[] {
  if (text.length > MOST_TEXT_CHARACTERS)
    return [
      { line: 1, message: `expected at most ${MOST_TEXT_CHARACTERS} characters, found ${text.length}` },
    ];
  if (!/^# \S/m.test(text)) return [{ line: 1, message: 'expected a title, such as "# Privacy"' }];
  return [
    ...found(text, /<[a-z!][^>\n]*>?/gi, (what) => `expected no HTML, such as **bold** for ${what}`),
    ...found(text, /!\[[^\]\n]*\]/g, (what) => `expected no picture, found ${what}`),
    ...found(
      text,
      /^(?:#{4,} |\s*(?:```|\||>)).*/gm,
      (what) => `expected headings up to ###, paragraphs and lists, found ${what}`,
    ),
    ...found(
      text,
      /\]\((?!https:\/\/|mailto:|tel:|\/(?!\/)|\{\{)[^)\n]*\)/g,
      (what) =>
        `expected an address such as (https://example.com), (mailto:a@example.com) or (/contact), found ${what.slice(1)}`,
    ),
    ...found(text, /\{\{[^}\n]*\}?\}?/g, (what) => what).flatMap(({ line, message }) =>
      variables.some((name) => message === `{{${name}}}`)
        ? []
        : [{ line, message: `unknown variable ${message}, such as {{${variables[0]}}}` }],
    ),
  ];
}

const variablesOf = (message: string): string[] =>
  [...new Set([...message.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name))]
    .filter((name) => name !== 'siteName')
    .toSorted();

/** The message of a key in the catalogs, which say more than one side's. */
const messageOf = (key: string, locale: Locale): string | undefined =>
  catalog('agent', locale)[key] ?? catalog('user', locale)[key];

/** @param messages other words by key; @param lineOf the line of a key */
export function messagesProblems(
  messages: unknown,
  locale: Locale,
  lineOf: (key: string) => number,
): FileProblem[] {
  if (typeof messages !== 'object' || messages === null || Array.isArray(messages))
    return [{ line: 1, message: 'expected an object, such as { "discovery.lead": "Homes on the coast" }' }];
  const size = JSON.stringify(messages).length;
  if (size > MOST_MESSAGES_CHARACTERS)
    return [{ line: 1, message: `expected at most ${MOST_MESSAGES_CHARACTERS} characters, found ${size}` }];
  return Object.entries(messages).flatMap(([key, message]): FileProblem[] => {
    const at = (text: string): FileProblem[] => [{ line: lineOf(key), message: `${key}: ${text}` }];
    const original = messageOf(key, locale);
    if (original === undefined)
      return at('unknown key; the keys are those of i18n/agent/en.json, such as discovery.lead');
    if (typeof message !== 'string' || message.trim() === '')
      return at(`expected words, such as ${JSON.stringify(original)}`);
    if (/[<>]/.test(message)) return at(`expected no HTML, such as ${JSON.stringify(original)}`);
    const [given, wanted] = [variablesOf(message), variablesOf(original)];
    if (given.join() !== wanted.join())
      return at(
        `expected the variables ${wanted.map((name) => `{{${name}}}`).join(', ') || '(none)'}, found ${given.map((name) => `{{${name}}}`).join(', ') || 'none'}, such as ${JSON.stringify(original)}`,
      );
    const partner = key.endsWith('_one')
      ? key.replace(/_one$/, '_other')
      : key.endsWith('_other')
        ? key.replace(/_other$/, '_one')
        : null;
    return partner !== null && messageOf(partner, locale) !== undefined && !Object.hasOwn(messages, partner)
      ? at(`expected ${partner} too, because a message has both forms`)
      : [];
  });
}
