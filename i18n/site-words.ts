/** The words of one site: the catalogs, with its name and with what its operator says in other words. */
export interface SiteWords {
  /** What people know the site by: `{{siteName}}` in the catalogs. */
  readonly name: string;
  /** Other words for keys of the catalogs, by language. */
  readonly messages: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** The variable that every message may use without being given it. */
export const SITE_NAME = 'siteName';

/** A catalog as one site says it. */
export function wordsOfSite(
  catalog: Readonly<Record<string, string>>,
  { name, messages }: SiteWords,
  locale: string,
): Readonly<Record<string, string>> {
  const other = messages[locale] ?? {};
  return Object.fromEntries(
    Object.entries(catalog).map(([key, message]) => [
      key,
      (other[key] ?? message).replaceAll(`{{${SITE_NAME}}}`, () => name),
    ]),
  );
}
