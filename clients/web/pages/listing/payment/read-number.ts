import type { Text } from '../../../words/text.ts';

/**
 * The number that a person typed as their language writes numbers: `1,234.5` in English, `1.234,5` where the comma is
 * decimal.
 * @returns NaN for what is no number
 */
export function readNumber(typed: string, write: Text['number']): number {
  const decimal = write(1.5).replaceAll(/\d/g, '');
  const others = decimal === ',' ? '.' : ',';
  const digits = typed
    .replaceAll(/[\s\u00a0\u202f’']/g, '')
    .replaceAll(others, '')
    .replace(decimal, '.');
  return /^\d+\.?\d*$/.test(digits) ? Number(digits) : Number.NaN;
}
