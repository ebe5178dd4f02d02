import type { Locale } from '../../i18n/languages.ts';

/** A typeface: a bundled family, or one of the operator's own files. */
export interface SiteTypeface {
  readonly family: string;
  /** A woff2 file in the folder; null for a bundled family. */
  readonly file: string | null;
}

/** What `site.json` says (docs/brand.md). */
export interface SiteSettings {
  /** What people know the site by. */
  readonly name: string;
  /** The brokerage or company that answers for it. */
  readonly legalName: string;
  /** One line under the name, in every language. */
  readonly tagline: Readonly<Record<Locale, string>>;
  readonly supportEmail: string;
  readonly phone: string | null;
  /** The postal address, in one line. */
  readonly address: string;
  readonly typefaces: { readonly display: SiteTypeface; readonly body: SiteTypeface };
  /** The languages that people can choose; the default one is among them. */
  readonly languages: readonly Locale[];
  readonly defaultLanguage: Locale;
  /** ISO 4217. */
  readonly currency: string;
  readonly areaUnits: 'Square Feet' | 'Square Meters';
  /** ISO 3166-1, two letters. */
  readonly country: string;
  /** Where the map begins. */
  readonly mapPlace: { readonly latitude: number; readonly longitude: number; readonly zoom: number };
  /** Addresses that get the head of the log of records (docs/contract.md#provenance). */
  readonly witnesses: readonly string[];
}

/** The site of an operator: `SITE_DIR`, read and checked at the start of a role. */
export interface Site extends SiteSettings {
  /** One sha256 over everything that the folder holds. */
  readonly fingerprint: string;
}

/** What pages may know of it: it is in every document. */
export type PublicSite = Pick<
  Site,
  | 'name'
  | 'legalName'
  | 'tagline'
  | 'supportEmail'
  | 'phone'
  | 'address'
  | 'languages'
  | 'defaultLanguage'
  | 'currency'
  | 'areaUnits'
  | 'country'
  | 'mapPlace'
>;

export const publicSite = (site: Site): PublicSite => ({
  name: site.name,
  legalName: site.legalName,
  tagline: site.tagline,
  supportEmail: site.supportEmail,
  phone: site.phone,
  address: site.address,
  languages: site.languages,
  defaultLanguage: site.defaultLanguage,
  currency: site.currency,
  areaUnits: site.areaUnits,
  country: site.country,
  mapPlace: site.mapPlace,
});
