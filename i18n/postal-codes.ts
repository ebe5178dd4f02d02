/** How countries write postal codes, which the API checks. A country that is not listed has no rule. */
interface Rule {
  readonly form: RegExp;
  /** A postal code as an error shows it. */
  readonly example: string;
}

const RULES: Readonly<Record<string, Rule>> = {
  AU: { form: /^\d{4}$/, example: '2000' },
  CA: { form: /^[A-Z]\d[A-Z] ?\d[A-Z]\d$/i, example: 'M5V 3L9' },
  DE: { form: /^\d{5}$/, example: '10115' },
  ES: { form: /^(?:0[1-9]|[1-4]\d|5[0-2])\d{3}$/, example: '28013' },
  FR: { form: /^\d{5}$/, example: '75001' },
  GB: { form: /^[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}$/i, example: 'SW1A 1AA' },
  IT: { form: /^\d{5}$/, example: '00184' },
  MX: { form: /^\d{5}$/, example: '06000' },
  PT: { form: /^\d{4}-\d{3}$/, example: '1000-001' },
  US: { form: /^\d{5}(?:-\d{4})?$/, example: '98101' },
};

/** What is wrong with a postal code of a country; null for a right one, and where no rule is known. */
export function postalCodeFault(postalCode: string, country: string): string | null {
  const rule = RULES[country];
  return rule === undefined || rule.form.test(postalCode.trim())
    ? null
    : `A postal code of ${country} is written like ${rule.example}.`;
}
