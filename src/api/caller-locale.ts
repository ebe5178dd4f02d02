import { type Locale, preferredLocale, type SiteLanguages } from '../../i18n/languages.ts';
import type { RequestContext } from './base.ts';

/** The language of a call: the user's chosen language, otherwise the one that the request prefers. */
export function localeOf(
  site: SiteLanguages,
  {
    user,
    request,
  }: {
    readonly user: Pick<NonNullable<RequestContext['user']>, 'locale'> | null;
    readonly request: Pick<RequestContext['request'], 'headers'>;
  },
): Locale {
  return user?.locale ?? preferredLocale(site, request.headers.get('accept-language'));
}
