/**
 * Checks the language of comments, pages and UI texts: words that people do not use, and British spelling. What stands
 * in backticks is code. Part of `npm run check`.
 */
import { type Files, onlyComments, ownFiles } from './citations.ts';

interface Rule {
  readonly pattern: RegExp;
  readonly instead: string;
}

const ENGLISH: readonly Rule[] = [
  { pattern: /\b(?:some|any|no|every)body\b/i, instead: 'someone, anyone, no one, everyone' },
  { pattern: /\be-mail/i, instead: 'email' },
  { pattern: /\bfor ever\b/i, instead: 'forever' },
  { pattern: /\banew\b/i, instead: 'again' },
  { pattern: /\blicences?\b/i, instead: 'license' },
  {
    pattern: /\b(?:\w*colour|neighbour|favourite|behaviour|grey\b|centres?\b)/i,
    instead: 'American spelling',
  },
  {
    pattern: /\b(?:[Rr]ecognis|[Oo]rganis|[Mm]inimis|[Cc]ancell(?:ed|ing)|[Ll]abell(?:ed|ing))/,
    instead: 'American spelling',
  },
];

/** The site says tú. */
const SPANISH: readonly Rule[] = [
  { pattern: /\busted(?:es)?\b/i, instead: 'tú' },
  {
    pattern: /\b(?:[Aa]gregue|Elija|Inicie|Publique|Mueva|Pida|Inténtelo|Imprima|Arrastre|Escriba|Suelte)\b/i,
    instead: 'the form for tú',
  },
];

const CODE = /\.(?:[cm]?[jt]sx?|kt|swift)$/;
/** Generated of other texts, or a record of what others wrote. */
const NOT_OURS =
  /^(?:docs\/api\.md|\.ci\/|clients\/(?:android|ios)\/|persistence\/migrations\/|package-lock\.json)/;
/** It quotes what it forbids. */
const ITSELF = /^(?:ops\/check\/words\.ts|tests\/ops\/check\/words\.test\.ts)$/;

/** Every word that breaks a rule: file, line, and what to write instead. */
export function wordProblems(files: Files): string[] {
  return [...files].flatMap(([path, text]) => {
    if (text === null || NOT_OURS.test(path) || ITSELF.test(path)) return [];
    const rules = /\/es\.json$/.test(path) ? SPANISH : ENGLISH;
    return readable(path, text)
      .split('\n')
      .flatMap((line, index) =>
        rules
          .filter(({ pattern }) => pattern.test(line.replace(/`[^`]*`/g, '')))
          .map(({ instead }) => `${path}:${index + 1}: write ${instead}`),
      );
  });
}

/** What people read of a file. */
function readable(path: string, text: string): string {
  if (path.startsWith('i18n/') && path.endsWith('.json'))
    return text.replace(/^(\s*)"[^"]+":/gm, (key) => ' '.repeat(key.length));
  if (CODE.test(path)) return onlyComments(text);
  return path.endsWith('.md') ? text : '';
}

if (import.meta.main) {
  const problems = wordProblems(ownFiles());
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
  else console.log('The words are those of the house');
}
