/**
 * Checks that everything cited in comments and pages exists: files, anchors of pages, and numbers of invariants.
 * Part of `npm run check`. In pages it checks the links. In pages, comments and settings it checks every path of
 * the repository, every name of a source file, and every page with its anchor.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Text by path from the root; null where only the path matters. */
export type Files = ReadonlyMap<string, string | null>;

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TEXT =
  /\.(?:[cm]?[jt]sx?|md|ya?ml|sh|sql|cfg|env|example|swift|kt)$|(?:^|\/)(?:Dockerfile|Procfile|Caddyfile)$|^i18n\/.*\.json$/;
const CODE = /\.(?:[cm]?[jt]sx?|swift|kt)$/;
const INVARIANTS = 'docs/invariants.md';

const LINK = /\]\(([^)\s]+)\)|\b(?:src|href|srcset)="([^"]+)"/g;
const PAGE = /(?<![\w./@*<>-])((?:\.{0,2}\/)?(?:[\w-]+\/)*[\w-]+\.md)(#[\w-]+)?/g;
const TREE =
  /(?<![\w./@-])((?:machines|persistence|supervisors|src|ops|tests|clients|i18n|docs)\/[\w./*-]*[\w*/])/g;
const SOURCE = /(?<![\w./*$}-])([a-z][\w.-]*\.(?:ts|cjs|mjs))\b(?!\/)/g;
const INVARIANT = /(?<![\w-])(I[1-9]\d?)b?(?![\w-])/g;

/** All broken citations: file, line, and what is missing. */
export function citationProblems(files: Files): string[] {
  const paths = [...files.keys()];
  const known = {
    paths,
    names: new Set(paths.map((path) => posix.basename(path))),
    anchors: new Map(
      [...files].flatMap(([path, text]) =>
        path.endsWith('.md') && text !== null ? [[path, anchorsOf(text)]] : [],
      ),
    ),
    invariants: new Set((files.get(INVARIANTS) ?? '').match(/(?<=^\| )I\d+(?= )/gm)),
  };
  return [...files].flatMap(([path, text]) => (text === null ? [] : problemsIn(path, text, known)));
}

interface Known {
  readonly paths: readonly string[];
  readonly names: ReadonlySet<string>;
  readonly anchors: ReadonlyMap<string, ReadonlySet<string>>;
  readonly invariants: ReadonlySet<string>;
}

function problemsIn(path: string, text: string, known: Known): string[] {
  const isPage = path.endsWith('.md');
  const lines = (CODE.test(path) ? onlyComments(text) : text).split('\n');
  return lines.flatMap((line, index) => {
    const missing = [
      ...(isPage ? brokenLinks(path, line, known) : []),
      ...brokenPages(path, isPage ? line.replace(LINK, '') : line, known),
      ...brokenPaths(line.replace(LINK, ''), known),
      ...matches(line, INVARIANT)
        .filter(([, id = '']) => !known.invariants.has(id))
        .map(([, id]) => `${id} is not in ${INVARIANTS}`),
    ];
    return missing.map((what) => `${path}:${index + 1}: ${what}`);
  });
}

function brokenLinks(from: string, line: string, known: Known): string[] {
  return matches(line, LINK).flatMap(([, link, attribute]) => {
    const target = link ?? attribute ?? '';
    if (/^[a-z]+:/.test(target)) return [];
    const [file = '', anchor] = target.split('#');
    const path = file === '' ? from : posix.normalize(posix.join(posix.dirname(from), decodeURI(file)));
    return leadsTo(path.replace(/\/$/, ''), anchor, known);
  });
}

/** A page by its path from the root, or by a unique name. */
function brokenPages(from: string, line: string, known: Known): string[] {
  return matches(line, PAGE).flatMap(([, page = '', hash]) => {
    const beside = posix.normalize(posix.join(posix.dirname(from), page));
    const path = [page, beside].find((one) => known.paths.includes(one));
    if (path !== undefined) return leadsTo(path, hash?.slice(1), known);
    return !page.includes('/') && known.names.has(page) && hash === undefined ? [] : [`there is no ${page}`];
  });
}

/** A path may be a prefix, like the filter of a test command; `*` stands for any part of a name. */
function brokenPaths(line: string, known: Known): string[] {
  const trees = matches(line, TREE)
    .map(([, path = '']) => path)
    .filter((path) => !path.endsWith('.md'))
    .filter((path) => {
      const pattern = new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\*+/g, '.*')}`);
      return !known.paths.some((one) => pattern.test(one));
    });
  const names = matches(line, SOURCE)
    .map(([, name = '']) => name)
    .filter((name) => !known.names.has(name));
  return [...trees, ...names].map((what) => `there is no ${what}`);
}

function leadsTo(path: string, anchor: string | undefined, { paths, anchors }: Known): string[] {
  if (!paths.includes(path) && !paths.some((one) => path === '.' || one.startsWith(`${path}/`)))
    return [`there is no ${path}`];
  if (anchor === undefined || anchors.get(path)?.has(anchor) !== false) return [];
  return [`${path} has no section #${anchor}`];
}

/** The anchors that GitHub gives to headings. */
function anchorsOf(page: string): Set<string> {
  const seen = new Map<string, number>();
  const headings = page.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#{1,6} +(.+)$/gm);
  const anchors = [...headings].map(([, heading = '']) => {
    const slug = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-');
    const times = seen.get(slug) ?? 0;
    seen.set(slug, times + 1);
    return times === 0 ? slug : `${slug}-${times}`;
  });
  return new Set(anchors);
}

/** The code with everything except its comments blanked, so that lines keep their numbers. */
export function onlyComments(code: string): string {
  const blank = (text: string): string => text.replace(/[^\n]/g, ' ');
  const parts = /("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)|(\/\*[\s\S]*?\*\/|\/\/[^\n]*)/g;
  let end = 0;
  let comments = '';
  for (const match of code.matchAll(parts)) {
    comments += blank(code.slice(end, match.index)) + (match[2] ?? blank(match[0]));
    end = match.index + match[0].length;
  }
  return comments + blank(code.slice(end));
}

const matches = (line: string, pattern: RegExp): RegExpExecArray[] => [...line.matchAll(pattern)];

/** The files of this repository: tracked by git, or new and not ignored. */
export function ownFiles(): Files {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const paths = listed.split('\n').filter((path) => path !== '' && existsSync(join(ROOT, path)));
  return new Map(
    paths.map((path) => [path, TEXT.test(path) ? readFileSync(join(ROOT, path), 'utf8') : null]),
  );
}

if (import.meta.main) {
  const problems = citationProblems(ownFiles());
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
  else console.log('Every citation leads somewhere');
}
