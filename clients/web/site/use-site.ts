import { useRouter } from '@tanstack/react-router';
import { useSyncExternalStore } from 'react';
import type { Text } from '../words/text.ts';
import type { Site } from './site.ts';

/** The API, the queries and the settings. The router's own context: no route adds to it, so no one waits for a change. */
export const useSite = (): Site => useRouter().options.context;

/** The words of the current language; a switch shows the component again. */
export function useText(): Text {
  const { language } = useSite();
  const current = () => language.text;
  return useSyncExternalStore(language.subscribe, current, current);
}
