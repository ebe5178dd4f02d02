import { getRouteApi } from '@tanstack/react-router';
import { useSyncExternalStore } from 'react';
import type { Site } from './site.ts';
import type { Text } from './text.ts';

const root = getRouteApi('__root__');

/** The API, the queries and the settings. */
export const useSite = (): Site => root.useRouteContext();

/** The words of the current language; a switch shows the component again. */
export function useText(): Text {
  const { language } = useSite();
  const current = () => language.text;
  return useSyncExternalStore(language.subscribe, current, current);
}
