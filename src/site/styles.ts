/** The styles of a site that differ from those of the build: variables of colors and typefaces, and the typefaces' files. */
import { changedRoles, type SiteColors, type Theme } from './colors.ts';
import type { SiteSettings, SiteTypeface } from './site.ts';
import tokens from './tokens.json' with { type: 'json' };

const STACKS = tokens.typefaces;
const BUNDLED: Readonly<Record<string, string>> = { Fraunces: STACKS.display, Inter: STACKS.body };
type Use = keyof typeof STACKS;

/** Families that need no file. */
export const BUNDLED_FAMILIES = Object.keys(BUNDLED);

const variable = (name: string): string =>
  `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/**
 * @param address of a file of the folder
 * @returns '' for a site that looks as the build does
 */
export function siteStyles(
  { typefaces }: Pick<SiteSettings, 'typefaces'>,
  colors: SiteColors,
  address: (file: string) => string,
): string {
  const changed = Object.entries(changedRoles(colors));
  const rolesIn = (theme: Theme): string =>
    changed.map(([name, role]) => `${variable(name)}:${role[theme]};`).join('');
  const uses = Object.entries(typefaces) as [Use, SiteTypeface][];
  const other = uses
    .map(([use, typeface]) => [use, stackOf(typeface, use)] as const)
    .filter(([use, stack]) => stack !== STACKS[use]);
  const stacks = (shown: (stack: string) => string): string =>
    other.map(([use, stack]) => `--typeface-${use}:${shown(stack)};`).join('');
  const files = new Map(
    uses.flatMap(([, { family, file }]) => (file === null ? [] : [[family, file] as const])),
  );
  const faces = [...files]
    .map(
      ([family, file]) =>
        `@font-face{font-family:"${family}";src:url(${address(file)}) format("woff2");font-weight:100 900;font-display:swap}`,
    )
    .join('');
  const dark = rolesIn('dark');
  const light = rolesIn('light') + stacks((stack) => stack.replace(/^[^,]+,\s*/, ''));
  const loaded = stacks((stack) => stack);
  return [
    faces,
    light === '' ? '' : `:root{${light}}`,
    loaded === '' ? '' : `:root[data-typefaces]{${loaded}}`,
    dark === '' ? '' : `@media screen{:root[data-theme="dark"]{${dark}}}`,
    dark === ''
      ? ''
      : `@media screen and (prefers-color-scheme:dark){:root:not([data-theme="light"]){${dark}}}`,
  ].join('');
}

/** The operator's family, then what the bundled one falls back to. */
function stackOf({ family, file }: SiteTypeface, use: Use): string {
  if (file === null) return BUNDLED[family] ?? STACKS[use];
  return `"${family}",${STACKS[use].replace(/^[^,]+, [^,]+, /, '')}`;
}
