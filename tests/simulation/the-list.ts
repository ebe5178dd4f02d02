import { existsSync, readFileSync } from 'node:fs';

const LIST = new URL('../../../shared/design/invariants.md', import.meta.url);

/** The items of the list of invariants under the heading that begins so; null where the list is not at hand. */
export function listedIn(heading: string): string[] | null {
  if (!existsSync(LIST)) return null;
  const sections = readFileSync(LIST, 'utf8').split(/^## /m);
  const section = sections.find((text) => text.startsWith(heading));
  if (section === undefined) throw new Error(`the list of invariants has no section "${heading}"`);
  return section.slice(section.indexOf('\n')).trim().replace(/\.$/, '').replaceAll('`', '').split('; ');
}
