/** What a monthly payment is computed from. Amounts are in the currency of the home, shares from 0 to 1. */
export interface PaymentTerms {
  readonly price: number;
  readonly downShare: number;
  /** Interest a year. */
  readonly rate: number;
  readonly years: number;
  readonly taxPerYear: number;
  readonly feePerMonth: number;
  readonly insurancePerYear: number;
}

/** The parts of a month's payment. */
export interface PaymentParts {
  readonly loan: number;
  readonly tax: number;
  readonly fee: number;
  readonly insurance: number;
  readonly total: number;
}

/**
 * What is assumed until the person says otherwise. They are figures to begin with, not an offer: only a lender knows the
 * rate, and only the insurer the premium.
 */
export const ASSUMED = {
  /** Below it most lenders ask for mortgage insurance, which the figure leaves out. */
  downShare: 0.2,
  /** A round figure between the rates of the last years. */
  rate: 0.065,
  /** The most usual term. */
  years: 30,
  /** Of the price a year, where the listing names no tax: near the mean of the United States. */
  taxShare: 0.01,
  /** Of the price a year: near the mean of the United States, without floods and earthquakes. */
  insuranceShare: 0.004,
} as const;

/** How often a fee is paid in a year, by the frequency of the listing. A fee that is paid once is no part of a month. */
const PER_YEAR: Readonly<Record<string, number>> = {
  Annually: 1,
  'Bi-Monthly': 6,
  'Bi-Weekly': 26,
  Daily: 365,
  Monthly: 12,
  'One Time': 0,
  Quarterly: 4,
  Seasonal: 1,
  'Semi-Annually': 2,
  'Semi-Monthly': 24,
  Weekly: 52,
};

interface PricedHome {
  readonly listPrice: number;
  readonly facts: {
    readonly taxAnnualAmount: number | null;
    readonly associationFee: number | null;
    readonly associationFeeFrequency: string | null;
  };
}

/** The terms for a home of which the person has changed nothing. */
export function assumedTerms({ listPrice, facts }: PricedHome): PaymentTerms {
  const { taxAnnualAmount, associationFee, associationFeeFrequency } = facts;
  const { downShare, rate, years, taxShare, insuranceShare } = ASSUMED;
  return {
    price: listPrice,
    downShare,
    rate,
    years,
    taxPerYear: taxAnnualAmount ?? Math.round(listPrice * taxShare),
    feePerMonth: Math.round(((associationFee ?? 0) * (PER_YEAR[associationFeeFrequency ?? ''] ?? 0)) / 12),
    insurancePerYear: Math.round(listPrice * insuranceShare),
  };
}

/** A month's payment: the loan in equal payments (an annuity), and a twelfth of what is paid for a year. */
export function monthlyPayment(terms: PaymentTerms): PaymentParts {
  const borrowed = terms.price * (1 - terms.downShare);
  const months = terms.years * 12;
  const rate = terms.rate / 12;
  const loan = rate === 0 ? borrowed / months : (borrowed * rate) / (1 - (1 + rate) ** -months);
  const tax = terms.taxPerYear / 12;
  const insurance = terms.insurancePerYear / 12;
  return { loan, tax, fee: terms.feePerMonth, insurance, total: loan + tax + terms.feePerMonth + insurance };
}

/** What can be meant, by field. */
export const LIMITS: Readonly<Record<keyof PaymentTerms, readonly [least: number, most: number]>> = {
  price: [1, 1e9],
  downShare: [0, 1],
  rate: [0, 0.3],
  years: [1, 50],
  taxPerYear: [0, 1e8],
  feePerMonth: [0, 1e7],
  insurancePerYear: [0, 1e8],
};

export const TERMS = Object.keys(LIMITS) as (keyof PaymentTerms)[];

export function isPossible(term: keyof PaymentTerms, value: unknown): value is number {
  const [least, most] = LIMITS[term];
  return typeof value === 'number' && value >= least && value <= most;
}
