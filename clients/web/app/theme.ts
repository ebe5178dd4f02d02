export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** Where the choice is kept; nothing is kept for `system`. */
export const THEME_KEY = 'theme';

/** Runs before the first paint, so that a dark page is never light first. Constant: its hash stands in the CSP. */
export const THEME_SCRIPT = `try{const t=localStorage.getItem('${THEME_KEY}');if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch{}`;
