import { kept } from './keeper.ts';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** Where the choice is kept; nothing is kept for `system`. */
const THEME_KEY = 'theme';

/** Runs before the first paint, so that a dark page is never light first. Constant: its hash stands in the CSP. */
export const THEME_SCRIPT = `try{const t=localStorage.getItem('${THEME_KEY}');if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch{}`;

export function currentTheme(): Theme {
  const chosen = kept.getItem(THEME_KEY);
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system';
}

/** Shows the theme at once and keeps the choice. */
export function chooseTheme(theme: Theme): void {
  const { dataset } = document.documentElement;
  if (theme === 'system') {
    delete dataset.theme;
    kept.removeItem(THEME_KEY);
  } else {
    dataset.theme = theme;
    kept.setItem(THEME_KEY, theme);
  }
}
