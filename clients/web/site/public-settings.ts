import type { PublicSiteSettings } from '../../../src/website/renderer.ts';

/** The document's element with the settings as JSON: data, which no browser runs. */
export const SETTINGS_ID = 'site-settings';

/** The settings that the server wrote into the document. */
export function readPublicSettings(document: Document): PublicSiteSettings {
  const text = document.getElementById(SETTINGS_ID)?.textContent;
  if (!text) throw new Error('The document holds no settings');
  return JSON.parse(text) as PublicSiteSettings;
}
