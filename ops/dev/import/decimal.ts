const NUMBER = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,3}))?$/i;
/** Far more than any amount needs, far less than would hurt. */
const MAX_EXPONENT = 30;

/**
 * A number as spreadsheets write it (`1.225E+06`, `.5`, `2.50`), exactly and in plain digits. No double is
 * involved, so a numeric column gets exactly the file's value.
 * @returns null when the text is not a number
 */
export function plainDecimal(text: string): string | null {
  const match = NUMBER.exec(text);
  if (match === null) return null;
  const [, sign = '', whole = '', fraction = '', exponentText = '0'] = match;
  const exponent = Number(exponentText);
  if (whole + fraction === '' || Math.abs(exponent) > MAX_EXPONENT) return null;
  const digits = whole + fraction;
  const point = whole.length + exponent;
  const padded = point <= 0 ? `${'0'.repeat(1 - point)}${digits}` : digits.padEnd(point, '0');
  const split = point <= 0 ? 1 : point;
  const integer = padded.slice(0, split).replace(/^0+(?=\d)/, '');
  const rest = padded.slice(split).replace(/0+$/, '');
  const plain = rest === '' ? integer : `${integer}.${rest}`;
  return sign === '-' && /[1-9]/.test(plain) ? `-${plain}` : plain;
}
