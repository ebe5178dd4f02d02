import { expect, test } from 'vitest';
import { addressLine, streetLine, wholeAddress } from '../../i18n/address-line.ts';

const home = { address: '12 Oak Street', city: 'Seattle', stateOrProvince: 'WA', postalCode: '98101' };

test.each([
  [null, '12 Oak Street'],
  ['4B', '12 Oak Street #4B'],
  ['#4B', '12 Oak Street #4B'],
  ['12', '12 Oak Street #12'],
  ['Apt 4B', '12 Oak Street Apt 4B'],
  ['Depto. 3', '12 Oak Street Depto. 3'],
  ['Penthouse', '12 Oak Street Penthouse'],
])('the unit %j follows the street', (unitNumber, line) => {
  expect(streetLine({ ...home, unitNumber })).toBe(line);
  expect(addressLine({ ...home, unitNumber })).toBe(`${line}, Seattle`);
  expect(wholeAddress({ ...home, unitNumber })).toBe(`${line}, Seattle, WA 98101`);
});

test('what is not known leaves no gap', () => {
  const bare = { ...home, unitNumber: null };
  expect(wholeAddress({ ...bare, stateOrProvince: null })).toBe('12 Oak Street, Seattle, 98101');
  expect(wholeAddress({ ...bare, postalCode: null })).toBe('12 Oak Street, Seattle, WA');
  expect(wholeAddress({ ...bare, stateOrProvince: null, postalCode: null })).toBe('12 Oak Street, Seattle');
});
