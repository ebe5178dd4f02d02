import { z } from 'zod';
import { LOCALES } from '../../i18n/translator.ts';

const line = (longest: number) =>
  z
    .string()
    .min(1)
    .max(longest)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is refused
    .regex(/^[^\u0000-\u001f<>{}]+$/, 'expected one line without < > { }');
const color = z.string().regex(/^#[0-9a-f]{6}(?:[0-9a-f]{2})?$/, 'expected #rrggbb in small letters');
const typeface = z.strictObject({
  family: line(60).regex(/^[\w -]+$/, 'expected the name of a family: letters, digits and blanks'),
  file: z
    .string()
    .regex(/^[\w-]+\.woff2$/, 'expected the name of a woff2 file in this folder')
    .nullable()
    .default(null),
});
const locale = z.enum(LOCALES, `expected one of ${LOCALES.join(', ')}`);
const mailAddress = z.email('expected a mail address');

/** An example of each field, for messages. */
export const FIELD_EXAMPLES: Readonly<Record<string, string>> = {
  name: '"Harbor Homes"',
  legalName: '"Harbor Homes Realty, LLC"',
  tagline: '{ "en": "Homes on the coast", "es": "Casas en la costa" }',
  supportEmail: '"help@example.com"',
  takedownEmail: '"takedown@example.com"',
  license: '"WA 12345", or null',
  equalHousing: 'true or false',
  phone: '"+1 206 555 0100", or null',
  address: '"100 Example Street, Seattle, WA 98101"',
  colors: '{ "primary": "#0f766e", "roles": { "focus": { "light": "#0f766e", "dark": "#5eead4" } } }',
  typefaces: '{ "display": { "family": "Fraunces" }, "body": { "family": "Mine", "file": "mine.woff2" } }',
  languages: '["es", "en"]',
  defaultLanguage: '"es", one of the languages',
  currency: '"EUR"',
  areaUnits: '"Square Feet" or "Square Meters"',
  country: '"ES"',
  mapPlace: '{ "latitude": 40.4168, "longitude": -3.7038, "zoom": 10 }',
  witnesses: '["records@example.com"]',
};

/** The form of `site.json`. */
export const siteSettings = z.strictObject({
  name: line(40),
  legalName: line(120),
  tagline: z.partialRecord(locale, line(120)),
  supportEmail: mailAddress,
  takedownEmail: mailAddress,
  phone: line(40).nullable(),
  address: line(200),
  license: line(80).nullable(),
  equalHousing: z.boolean(),
  colors: z.strictObject({
    primary: z.string().regex(/^#[0-9a-f]{6}$/, 'expected #rrggbb in small letters'),
    roles: z.record(z.string(), z.strictObject({ light: color, dark: color })).default({}),
  }),
  typefaces: z.strictObject({ display: typeface, body: typeface }),
  languages: z
    .array(locale)
    .min(1)
    .refine((all) => new Set(all).size === all.length, 'expected each language once'),
  defaultLanguage: locale,
  currency: z
    .string()
    .refine((code) => Intl.supportedValuesOf('currency').includes(code), 'expected a currency of ISO 4217'),
  areaUnits: z.enum(['Square Feet', 'Square Meters'], 'expected one of two units'),
  country: z.string().regex(/^[A-Z]{2}$/, 'expected two capital letters of ISO 3166-1'),
  mapPlace: z.strictObject({
    latitude: z.number().min(-85).max(85),
    longitude: z.number().min(-180).max(180),
    zoom: z.number().min(1).max(16),
  }),
  witnesses: z.array(mailAddress).max(10),
});

export type GivenSettings = z.output<typeof siteSettings>;
