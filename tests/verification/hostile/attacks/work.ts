import type { Attack } from '../attack.ts';
import { atRate, sender } from './sending.ts';

/** A tenth of the limit of requests of one network, at once. */
const AT_ONCE = 80;
const PER_SECOND = 100;

/** Pages that were never rendered, one after the other. */
export const pageFlood: Attack = {
  run({ origin, signal, note }) {
    const send = sender(origin);
    return atRate(PER_SECOND, { signal, note, most: AT_ONCE }, (number) =>
      send(`/search?minPrice=${number}`, { headers: { accept: 'text/html' } }),
    );
  },
};
