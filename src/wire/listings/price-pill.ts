/**
 * A price as short as a marker on a map: `$1.2M`, `$450K`, `€450k` (docs/contract.md#search). Thousands are K for
 * dollars and k for other currencies, as their countries write it. Currencies without a symbol show their code.
 * Rounded to the nearest, halves up; a result of 1000 of a unit is written in the next unit: 999,999 is `$1M`.
 */
const SIGNS: Record<string, string> = {
  AUD: 'A$',
  BRL: 'R$',
  CAD: 'CA$',
  EUR: '€',
  GBP: '£',
  INR: '₹',
  JPY: '¥',
  MXN: 'MX$',
  NZD: 'NZ$',
  USD: '$',
};
const UNITS = [
  { size: 1_000, letter: 'K' },
  { size: 1_000_000, letter: 'M' },
  { size: 1_000_000_000, letter: 'B' },
] as const;

export function pricePill(price: number, currency: string): string {
  const sign = SIGNS[currency] ?? `${currency} `;
  let written = String(Math.round(price));
  for (const { size, letter } of UNITS) {
    if (Math.round(price) < size && Number.parseFloat(written) < 1_000) break;
    written = rounded(price / size, letter) + inWriting(letter, sign);
  }
  return sign + written;
}

/** One decimal; none for whole units and for ten thousand and more. */
function rounded(amount: number, letter: string): string {
  return String(letter === 'K' && amount >= 9.95 ? Math.round(amount) : Math.round(amount * 10) / 10);
}

function inWriting(letter: string, sign: string): string {
  return letter === 'K' && !sign.endsWith('$') ? 'k' : letter;
}
