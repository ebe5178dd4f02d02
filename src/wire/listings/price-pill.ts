/**
 * A price as short as a marker on a map: `$1.2M`, `$450K`, `€450k` (docs/contract.md#search). Dollars count in K, other
 * currencies in k as their countries write it; currencies without a sign of their own show their code. Rounded to
 * the nearest, halves up; what rounds to the next unit is written in it: 999,999 is `$1M`.
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

/** One decimal, but none for whole units and for thousands from ten on. */
function rounded(amount: number, letter: string): string {
  return String(letter === 'K' && amount >= 9.95 ? Math.round(amount) : Math.round(amount * 10) / 10);
}

function inWriting(letter: string, sign: string): string {
  return letter === 'K' && !sign.endsWith('$') ? 'k' : letter;
}
