const CENTS = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
const FINE = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 2,
  maximumFractionDigits: 6,
});

/** Micro-US-dollars for people: `47000` is `$0.047`; from a dollar on, cents are enough. */
export function formatMicrousd(microusd: number): string {
  const usd = microusd / 1_000_000;
  return (Math.abs(usd) < 1 ? FINE : CENTS).format(usd);
}
