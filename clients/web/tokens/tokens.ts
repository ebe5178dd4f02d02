/**
 * The design tokens of every app. From this file come the variables of the site's styles, and the tables of color roles
 * for Swift and Kotlin (`npm run generate`). No other file of an app names a color.
 */

/** A color in both themes, as `#rrggbb`, or `#rrggbbaa` where something shines through. */
export interface ColorRole {
  readonly light: string;
  readonly dark: string;
}

const role = (light: string, dark: string): ColorRole => ({ light, dark });
const both = (color: string): ColorRole => role(color, color);

/** What a color is for. `on…` is the color of text on the role of that name. */
export const COLORS = {
  background: role('#fbfaf8', '#101114'),
  surface: role('#ffffff', '#191b20'),
  surfaceRaised: role('#ffffff', '#22252c'),
  muted: role('#f1efeb', '#262931'),
  text: role('#1b1c20', '#f3f2ef'),
  textMuted: role('#5d606a', '#a9adb8'),
  border: role('#dedbd4', '#363a44'),
  borderStrong: role('#85827b', '#7d818c'),
  primary: role('#4338ca', '#a5b4fc'),
  primarySoft: role('#eceafc', '#2a2850'),
  /** The same in both themes, so that primary buttons stay white on indigo. */
  primarySolid: both('#4f46e5'),
  primarySolidHover: both('#4338ca'),
  onPrimarySolid: both('#ffffff'),
  favorite: role('#d0245a', '#ff6b98'),
  success: role('#11703f', '#6fdc9f'),
  successSoft: role('#e2f4e9', '#143524'),
  warning: role('#8a5300', '#f5c163'),
  warningSoft: role('#fcf0d8', '#3a2c10'),
  danger: role('#b4231f', '#ff8f88'),
  dangerSoft: role('#fde9e7', '#421c1b'),
  /** Labels on pictures, readable on any of them. */
  pictureLabel: both('#14161bd9'),
  onPictureLabel: both('#ffffff'),
  pictureShade: both('#14161b99'),
  scrim: role('#14161b80', '#000000a6'),
  focus: role('#4338ca', '#c7d2fe'),
  land: role('#eeebe4', '#1d2026'),
  water: role('#cfdfe8', '#12202b'),
  park: role('#d9e7cf', '#1b2a22'),
  /** Buildings and large grounds on a map. */
  built: role('#e2ddd2', '#272b33'),
  road: role('#ffffff', '#3b414c'),
  roadMajor: role('#fdeab8', '#5a5748'),
  roadEdge: role('#d3cdc0', '#14171b'),
  shadow: role('#1b1c2024', '#00000080'),
} as const satisfies Readonly<Record<string, ColorRole>>;

export type ColorName = keyof typeof COLORS;

/** The name of a color in the site's styles, such as `--on-primary-solid`. */
export const cssVariable = (name: string): string =>
  `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** Pairs that hold text (4.5 to 1) or marks and borders of controls (3 to 1), checked by a test. */
export const TEXT_PAIRS: readonly (readonly [text: ColorName, on: ColorName])[] = [
  ['text', 'background'],
  ['text', 'surface'],
  ['text', 'surfaceRaised'],
  ['text', 'muted'],
  ['textMuted', 'background'],
  ['textMuted', 'surface'],
  ['textMuted', 'surfaceRaised'],
  ['textMuted', 'muted'],
  ['primary', 'background'],
  ['primary', 'surface'],
  ['primary', 'primarySoft'],
  ['onPrimarySolid', 'primarySolid'],
  ['onPrimarySolid', 'primarySolidHover'],
  ['success', 'successSoft'],
  ['success', 'surface'],
  ['warning', 'warningSoft'],
  ['danger', 'dangerSoft'],
  ['danger', 'surface'],
  ['danger', 'background'],
  ['textMuted', 'land'],
  ['textMuted', 'water'],
  ['textMuted', 'park'],
  ['text', 'road'],
  ['text', 'roadMajor'],
];
export const MARK_PAIRS: readonly (readonly [mark: ColorName, on: ColorName])[] = [
  ['borderStrong', 'surface'],
  ['borderStrong', 'background'],
  ['favorite', 'surface'],
  ['focus', 'background'],
  ['focus', 'surface'],
];

/**
 * Sizes of text in pixels at the platform's normal size, on phones and from a tablet's width on; they follow the
 * person's text size. `price` is that of a home's page.
 */
export const TYPE_SCALE = {
  title: { phone: 24, wide: 32 },
  price: { phone: 24, wide: 28 },
  section: { phone: 14, wide: 20 },
  cardPrice: { phone: 24, wide: 18 },
  body: { phone: 14, wide: 15 },
  subtitle: { phone: 13.5, wide: 13.5 },
  caption: { phone: 12, wide: 12 },
  micro: { phone: 11, wide: 11 },
} as const;

/** Display is for prices, figures and titles of screens; everything else is body. */
export const TYPEFACES = {
  display: "'Fraunces Variable', 'Fraunces Fallback', 'Fraunces Fallback Serif', Georgia, serif",
  body: "'Inter Variable', 'Inter Fallback', system-ui, -apple-system, 'Segoe UI', sans-serif",
} as const;

/** Distances in pixels. Between things: 8, 16, 24, 40, 64. The others only within a control or a label. */
export const SPACES = { xs: 4, sm: 8, md: 12, lg: 16, xl: 24, xxl: 40, xxxl: 64 } as const;

/** Corners in pixels. */
export const RADII = { badge: 6, control: 12, card: 16, sheet: 20, pill: 999 } as const;

/** Milliseconds; 0 where the person has asked for less motion. */
export const MOTION = { quick: 120, calm: 240 } as const;
