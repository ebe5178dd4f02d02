import { isCodeFirst } from './countries.ts';

/** The parts of a home's address, as people fill them in; `address` is empty where it may not be shown. */
export interface HomeAddress {
  readonly address: string;
  readonly unitNumber: string | null;
  readonly city: string;
}
interface WholeAddress extends HomeAddress {
  readonly stateOrProvince: string | null;
  readonly postalCode: string | null;
  /** ISO 3166. */
  readonly country: string;
}

/**
 * Street and unit: `12 Oak Street #4B`. A unit that names its kind (`Apt 4B`) stays as it is. The city names a home whose
 * address may not be shown.
 */
export function streetLine({ address, unitNumber, city }: HomeAddress): string {
  if (address === '') return city;
  if (unitNumber === null) return address;
  return `${address} ${/^[\p{L}\p{N}-]{1,6}$/u.test(unitNumber) ? '#' : ''}${unitNumber}`;
}

/** Street, unit and city, for cards, titles, mails and lists. */
export const addressLine = (home: HomeAddress): string =>
  home.address === '' ? home.city : `${streetLine(home)}, ${home.city}`;

/** The same with state and postal code, as far as they are known, in the order of the home's country. */
export function wholeAddress(home: WholeAddress): string {
  if (isCodeFirst(home.country)) {
    const place = [home.postalCode, home.city].filter((part) => part !== null).join(' ');
    const region =
      home.stateOrProvince === null || home.stateOrProvince === home.city ? '' : `, ${home.stateOrProvince}`;
    return `${home.address === '' ? '' : `${streetLine(home)}, `}${place}${region}`;
  }
  const region = [home.stateOrProvince, home.postalCode].filter((part) => part !== null).join(' ');
  return region === '' ? addressLine(home) : `${addressLine(home)}, ${region}`;
}
