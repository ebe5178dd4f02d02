import { expect, test } from 'vitest';
import { addressLine, streetLine, wholeAddress } from '../../i18n/address-line.ts';
import { telephoneAddress } from '../../i18n/countries.ts';
import { postalCodeFault } from '../../i18n/postal-codes.ts';

const home = {
  address: '12 Oak Street',
  city: 'Seattle',
  stateOrProvince: 'WA',
  postalCode: '98101',
  country: 'US',
};

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

test('the postal code stands where the country of the home has it', () => {
  const there = { address: 'Calle Mayor 5', unitNumber: '2B', city: 'Getafe', country: 'ES' };
  expect(wholeAddress({ ...there, stateOrProvince: 'Madrid', postalCode: '28901' })).toBe(
    'Calle Mayor 5 #2B, 28901 Getafe, Madrid',
  );
  // A capital is often named like its region.
  expect(wholeAddress({ ...there, city: 'Madrid', stateOrProvince: 'Madrid', postalCode: null })).toBe(
    'Calle Mayor 5 #2B, Madrid',
  );
});

test.each([
  ['28013', 'ES', null],
  ['00013', 'ES', 'A postal code of ES is written like 28013.'],
  ['98101-1234', 'US', null],
  ['9810', 'US', 'A postal code of US is written like 98101.'],
  ['anything', 'CH', null],
])('the postal code %j of %s is checked', (code, country, fault) => {
  expect(postalCodeFault(code, country)).toBe(fault);
});

test.each([
  ['612 34 56 78', 'ES', 'tel:+34612345678'],
  ['+44 20 7946 0000', 'ES', 'tel:+442079460000'],
  ['0044 20 7946 0000', 'ES', 'tel:+442079460000'],
  ['020 7946 0000', 'GB', 'tel:+442079460000'],
  ['(206) 555-0100', 'US', 'tel:+12065550100'],
  ['1 206 555 0100', 'US', 'tel:+12065550100'],
  ['044 123', 'CH', 'tel:044123'],
])('the number %j on a site of %s can be dialed from anywhere', (number, country, address) => {
  expect(telephoneAddress(number, country)).toBe(address);
});
