/** How countries write addresses and telephone numbers. A country that is not listed has no rule of its own. */
interface Country {
  /** What a number from another country begins with. */
  readonly dials: string;
  /** The digit before a number within the country, which is left out from abroad. */
  readonly trunk?: string;
  readonly postalCode: RegExp;
  /** A postal code as an error shows it. */
  readonly example: string;
  /** Whether the postal code comes before the city, as in `28013 Madrid`. */
  readonly codeFirst?: boolean;
}

const COUNTRIES: Readonly<Record<string, Country>> = {
  AU: { dials: '61', trunk: '0', postalCode: /^\d{4}$/, example: '2000' },
  CA: { dials: '1', trunk: '1', postalCode: /^[A-Z]\d[A-Z] ?\d[A-Z]\d$/i, example: 'M5V 3L9' },
  DE: { dials: '49', trunk: '0', postalCode: /^\d{5}$/, example: '10115', codeFirst: true },
  ES: { dials: '34', postalCode: /^(?:0[1-9]|[1-4]\d|5[0-2])\d{3}$/, example: '28013', codeFirst: true },
  FR: { dials: '33', trunk: '0', postalCode: /^\d{5}$/, example: '75001', codeFirst: true },
  GB: {
    dials: '44',
    trunk: '0',
    postalCode: /^[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}$/i,
    example: 'SW1A 1AA',
  },
  IT: { dials: '39', postalCode: /^\d{5}$/, example: '00184', codeFirst: true },
  MX: { dials: '52', postalCode: /^\d{5}$/, example: '06000', codeFirst: true },
  PT: { dials: '351', postalCode: /^\d{4}-\d{3}$/, example: '1000-001', codeFirst: true },
  US: { dials: '1', trunk: '1', postalCode: /^\d{5}(?:-\d{4})?$/, example: '98101' },
};

/** Countries that an agent can choose without typing; the site's own is always among them. */
export const countriesFor = (own: string): string[] => [...new Set([own, ...Object.keys(COUNTRIES)])];

/** Whether the postal code is written before the city. */
export const isCodeFirst = (country: string): boolean => COUNTRIES[country]?.codeFirst ?? false;

/** What is wrong with a postal code of a country; null for a right one, and where no rule is known. */
export function postalCodeFault(postalCode: string, country: string): string | null {
  const rule = COUNTRIES[country];
  return rule === undefined || rule.postalCode.test(postalCode.trim())
    ? null
    : `A postal code of ${country} is written like ${rule.example}.`;
}

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
