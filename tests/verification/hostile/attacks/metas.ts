import type { Attack } from '../attack.ts';
import { atRate, sender } from './sending.ts';

const HUGE = {
  json: { filters: { length: 10_000_000 } },
  meta: { values: { filters: [['typed-array', 'Float64Array']] } },
};
const RECURSIVE = { json: {}, meta: { values: 'x' } };

/** Inputs that the transformer would build before any schema checks them. */
const withInput = (input: object, perSecond: number): Attack => ({
  run({ origin, signal, note }) {
    const send = sender(origin);
    const path = `/api/trpc/search.list?input=${encodeURIComponent(JSON.stringify(input))}`;
    return atRate(perSecond, { signal, note }, () => send(path));
  },
});

export const typedArrayMeta = withInput(HUGE, 4);
export const recursiveMeta = withInput(RECURSIVE, 90);
