import type { Pool } from 'pg';
import { type Locale, prefixOf, type SiteLanguages, type SiteUnits, spoken } from '../../i18n/languages.ts';
import { type MailReader, mailReader } from '../../persistence/mails/due-mails.ts';
import type { MailPhoto } from './news-page.ts';

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

/** A photo of a home for a mail; null without one. Mail programs load it as visitors do. */
export const mailPhoto = (
  { origin }: MailedSite,
  { photoId, words }: { readonly photoId: string | null; readonly words: string },
): MailPhoto | null =>
  photoId === null ? null : { address: `${origin}/api/images/${photoId}?w=${PHOTO_WIDTH}`, words };

/** Pixels: one and a half times as wide as it is shown. */
const PHOTO_WIDTH = 768;
