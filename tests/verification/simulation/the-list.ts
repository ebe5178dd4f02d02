import { readFileSync } from 'node:fs';

const LIST = new URL('../../../docs/invariants.md', import.meta.url);

/** The items of the section of docs/invariants.md with this heading. */
export function listedIn(heading: string): string[] {
  const section = readFileSync(LIST, 'utf8')
    .split(/^## /m)
    .find((text) => text.startsWith(heading));
  if (section === undefined) throw new Error(`docs/invariants.md has no section "${heading}"`);
  return [...section.matchAll(/^- (.+)$/gm)].map(([, item = '']) => item);
}
