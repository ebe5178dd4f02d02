import type { Pool } from 'pg';
import { type Locale, prefixOf, type SiteLanguages, type SiteUnits, spoken } from '../../i18n/languages.ts';
import { type MailReader, mailReader } from '../../persistence/listings/due-mails.ts';

/** What mails say of the site. */
export interface MailedSite extends SiteLanguages, Pick<SiteUnits, 'country'> {
  readonly origin: string;
}

/** The address of the site in a language, without a slash at its end. */
export const siteIn = (site: MailedSite, locale: Locale): string => site.origin + prefixOf(site, locale);

/** Who reads a mail, in a language of the site. Null for a deleted account. */
export async function readerOf(
  { pool, site }: { readonly pool: Pool; readonly site: SiteLanguages },
  userId: string,
): Promise<MailReader | null> {
  const reader = await mailReader(pool, userId);
  return reader && { ...reader, locale: spoken(site, reader.locale) };
}
