/** How countries write addresses and telephone numbers, for pages too. A country that is not listed has no rule. */
interface Country {
  /** What a number from another country begins with. */
  readonly dials: string;
  /** The digit before a number within the country, which is left out from abroad. */
  readonly trunk?: string;
  /** Whether the postal code comes before the city, as in `28013 Madrid`. */
  readonly codeFirst?: boolean;
  /** Whether the number of a house comes before its street, as in `12 Oak Street`. */
  readonly numberFirst?: boolean;
}

const COUNTRIES: Readonly<Record<string, Country>> = {
  AU: { dials: '61', trunk: '0', numberFirst: true },
  CA: { dials: '1', trunk: '1', numberFirst: true },
  DE: { dials: '49', trunk: '0', codeFirst: true },
  ES: { dials: '34', codeFirst: true },
  FR: { dials: '33', trunk: '0', codeFirst: true, numberFirst: true },
  GB: { dials: '44', trunk: '0', numberFirst: true },
  IT: { dials: '39', codeFirst: true },
  MX: { dials: '52', codeFirst: true },
  PT: { dials: '351', codeFirst: true },
  US: { dials: '1', trunk: '1', numberFirst: true },
};

/** Countries that an agent can choose without typing; the site's own is always among them. */
export const countriesFor = (own: string): string[] => [...new Set([own, ...Object.keys(COUNTRIES)])];

/** Whether the postal code is written before the city. */
export const isCodeFirst = (country: string): boolean => COUNTRIES[country]?.codeFirst ?? false;

/** Street and number in the order of the country. */
export const streetAndNumber = (country: string, street: string, number: string): string =>
  COUNTRIES[country]?.numberFirst === true ? `${number} ${street}` : `${street} ${number}`;

/** The address behind a telephone number that can be dialed from any country. */
export function telephoneAddress(number: string, country: string): string {
  const digits = number.replace(/[^\d+]/g, '');
  const rule = COUNTRIES[country];
  if (digits.startsWith('+') || rule === undefined) return `tel:${digits}`;
  if (digits.startsWith('00')) return `tel:+${digits.slice(2)}`;
  const { dials, trunk } = rule;
  const own = trunk !== undefined && digits.startsWith(trunk) ? digits.slice(trunk.length) : digits;
  return `tel:+${dials}${own}`;
}
