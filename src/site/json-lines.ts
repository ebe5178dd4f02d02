/** The line of every value in a JSON text, by its path: `["colors","primary"]` as `colors.primary`. */
export type JsonLines = ReadonlyMap<string, number>;

/** The name of a path in a message, such as `languages.1`. */
export const pathName = (path: readonly PropertyKey[]): string => path.map(String).join('.');

const TOKEN = /"(?:[^"\\\n]|\\.)*"|[[\]{}:,]|[^\s[\]{}:,"]+|\n/g;

/** @param text JSON that parses */
export function jsonLines(text: string): JsonLines {
  const lines = new Map<string, number>([['', 1]]);
  /** The open objects and lists, with the key or the place of what comes next. */
  const open: { isList: boolean; at: string | number | null }[] = [];
  let line = 1;
  let before = '';
  const note = (): void => {
    const path = open.map(({ at }) => at ?? '');
    if (path.length > 0) lines.set(pathName(path), line);
  };
  for (const [token] of text.matchAll(TOKEN)) {
    const here = open.at(-1);
    if (token === '\n') {
      line++;
      continue;
    }
    if (token === '{' || token === '[') {
      note();
      open.push({ isList: token === '[', at: token === '[' ? 0 : null });
    } else if (token === '}' || token === ']') open.pop();
    else if (token === ',' && here !== undefined)
      here.at = here.isList && typeof here.at === 'number' ? here.at + 1 : null;
    else if (token === ':') {
      if (here !== undefined) here.at = JSON.parse(before) as string;
      note();
    } else if (here?.isList === true) note();
    before = token;
  }
  return lines;
}
