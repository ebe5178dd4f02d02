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
  /** The brokerage's license, as its state writes it. */
  readonly license: string | null;
  /** Whether every page says that the brokerage gives everyone the same chance. */
  readonly equalHousing: boolean;
  /** Where rights in a picture or a text are claimed. */
  readonly takedownEmail: string;
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

/** A picture or a typeface of the folder. */
export interface SiteFile {
  readonly type: string;
  readonly bytes: Uint8Array;
  /** Holds a hash of the content. */
  readonly address: string;
}

/** The site of an operator: `SITE_DIR`, read and checked at the start of a role. */
export interface Site extends SiteSettings {
  /** Other words for keys of the catalogs. */
  readonly messages: Readonly<Record<Locale, Readonly<Record<string, string>>>>;
  /** The operator's texts by name, such as `privacy.en`, in the form of docs/brand.md. */
  readonly texts: ReadonlyMap<string, string>;
  /** By name: `logo.svg`, `logo-dark.svg`, `icon.svg` and typefaces. */
  readonly files: ReadonlyMap<string, SiteFile>;
  /** Of buttons and pages in the light theme, for what is drawn outside of a page. */
  readonly colors: { readonly solid: string; readonly onSolid: string; readonly background: string };
  /** CSS after that of the build; '' for a site that looks as the build does. */
  readonly styles: string;
  /** One sha256 over everything that the folder holds. */
  readonly fingerprint: string;
}

/** What pages may know of it: it is in every document. */
export type PublicSite = Pick<
  Site,
  | 'name'
  | 'legalName'
  | 'supportEmail'
  | 'takedownEmail'
  | 'phone'
  | 'address'
  | 'license'
  | 'equalHousing'
  | 'tagline'
  | 'languages'
  | 'defaultLanguage'
  | 'currency'
  | 'areaUnits'
  | 'country'
  | 'mapPlace'
  | 'messages'
> & {
  readonly icon: string;
  /** Addresses by theme; null where the name is shown. */
  readonly logo: { readonly light: string; readonly dark: string } | null;
};

export function publicSite(site: Site): PublicSite {
  const address = (name: string): string => site.files.get(name)?.address ?? '';
  return {
    name: site.name,
    legalName: site.legalName,
    supportEmail: site.supportEmail,
    takedownEmail: site.takedownEmail,
    phone: site.phone,
    address: site.address,
    license: site.license,
    equalHousing: site.equalHousing,
    tagline: site.tagline,
    languages: site.languages,
    defaultLanguage: site.defaultLanguage,
    currency: site.currency,
    areaUnits: site.areaUnits,
    country: site.country,
    mapPlace: site.mapPlace,
    messages: site.messages,
    icon: address('icon.svg'),
    logo: site.files.has('logo.svg') ? { light: address('logo.svg'), dark: address('logo-dark.svg') } : null,
  };
}
