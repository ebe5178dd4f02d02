/** The color roles of a site: derived from its primary color, with those that the operator has set. */
import type { Site } from './site.ts';
import tokens from './tokens.json' with { type: 'json' };

type ColorRole = Readonly<Record<Theme, string>>;
export type Theme = 'light' | 'dark';
type RoleName = keyof typeof tokens.colors;
type Roles = Readonly<Record<RoleName, ColorRole>>;

const THEMES: readonly Theme[] = ['light', 'dark'];
/** WCAG AA: for text, and for marks and borders of controls. */
const TEXT_CONTRAST = 4.5;
const MARK_CONTRAST = 3;
const WHITE = '#ffffff';
const BLACK = '#000000';

export const isRole = (name: string): name is RoleName => Object.hasOwn(tokens.colors, name);

const channels = (color: string): number[] =>
  [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255);
const written = (rgb: readonly number[]): string =>
  `#${rgb
    .map((value) =>
      Math.round(value * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;

/** A color between two: 0 is the first one, 1 the second. */
const mixed = (from: string, to: string, share: number): string => {
  const end = channels(to);
  return written(channels(from).map((value, at) => value + ((end[at] ?? 0) - value) * share));
};

function luminance(color: string): number {
  const [r = 0, g = 0, b = 0] = channels(color).map((value) =>
    value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** The contrast of two opaque colors, from 1 to 21 (WCAG 2). */
function contrast(one: string, other: string): number {
  const [high = 0, low = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

/** The color nearest to a given one, on the way to black or white, that can be read on all of the backgrounds. */
function readable(color: string, towards: string, backgrounds: readonly string[]): string {
  const steps = Array.from({ length: 51 }, (_, step) => mixed(color, towards, step / 50));
  return steps.find((one) => backgrounds.every((on) => contrast(one, on) >= TEXT_CONTRAST)) ?? towards;
}

/** The roles that follow from a primary color. The one of the tokens has theirs. */
function derived(primary: string): Partial<Roles> {
  const { background, surface, primarySolid } = tokens.colors;
  if (primary === primarySolid.light) return {};
  const on = contrast(primary, WHITE) >= contrast(primary, BLACK) ? WHITE : BLACK;
  const hover = mixed(primary, on === WHITE ? BLACK : WHITE, 0.15);
  const soft = { light: mixed(primary, WHITE, 0.9), dark: mixed(primary, background.dark, 0.75) };
  const text = {
    light: readable(primary, BLACK, [background.light, surface.light, soft.light]),
    dark: readable(primary, WHITE, [background.dark, surface.dark, soft.dark]),
  };
  return {
    primary: text,
    primarySoft: soft,
    primarySolid: { light: primary, dark: primary },
    primarySolidHover: { light: hover, dark: hover },
    onPrimarySolid: { light: on, dark: on },
    focus: text,
  };
}

/** What `colors` of `site.json` says. */
export interface SiteColors {
  readonly primary: string;
  readonly roles: Readonly<Record<string, ColorRole>>;
}

/** The roles that differ from those of the tokens. */
export const changedRoles = ({ primary, roles }: SiteColors): Partial<Roles> => ({
  ...derived(primary),
  ...roles,
});

/** A role that cannot be distinguished from another one. */
export interface ContrastProblem {
  /** The one that the operator has set; null for one that follows. */
  readonly role: string | null;
  readonly message: string;
}

/** One problem for each role that the operator has set: its worst pair, in the worse theme. */
export function contrastProblems(colors: SiteColors): ContrastProblem[] {
  const roles: Roles = { ...tokens.colors, ...changedRoles(colors) };
  const worst = new Map<string | null, { readonly share: number; readonly message: string }>();
  const check = (pairs: readonly string[][], least: number): void => {
    for (const [front = '', back = ''] of pairs)
      for (const theme of THEMES) {
        if (!isRole(front) || !isRole(back)) continue;
        const found = contrast(roles[front][theme], roles[back][theme]);
        const role = [front, back].find((name) => Object.hasOwn(colors.roles, name)) ?? null;
        const share = found / least;
        if (share >= (worst.get(role)?.share ?? 1)) continue;
        const pair = `${front} ${roles[front][theme]} on ${back} ${roles[back][theme]}`;
        const message = `expected a contrast of at least ${least} to 1, found ${found.toFixed(2)}: ${pair} in the ${theme} theme`;
        worst.set(role, { share, message });
      }
  };
  check(tokens.textPairs, TEXT_CONTRAST);
  check(tokens.markPairs, MARK_CONTRAST);
  return [...worst].map(([role, { message }]) => ({ role, message }));
}

/** The color of buttons, and what is written on it: for icons and manifests. */
export function solidColors(colors: SiteColors): Site['colors'] {
  const roles: Roles = { ...tokens.colors, ...changedRoles(colors) };
  return {
    solid: roles.primarySolid.light,
    onSolid: roles.onPrimarySolid.light,
    background: roles.background.light,
  };
}
