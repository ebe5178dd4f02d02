import type { AddressQuery } from '../../addresses/address-query.ts';

const NUMBER = /^[1-9]\d{0,8}$/;

/** What an address asks for, in one form: the entries before a number, or the latest ones. */
export const logQueryOf = ({ before }: AddressQuery): { before?: string } =>
  typeof before === 'string' && NUMBER.test(before) ? { before } : {};

/** The same, as the API takes it. */
export function logInputOf(query: AddressQuery): { before?: number } {
  const { before } = logQueryOf(query);
  return before === undefined ? {} : { before: Number(before) };
}
