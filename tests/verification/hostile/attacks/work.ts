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

const CORNERS = 200;

/** Twenty visitors of twenty networks who ask one question at a time, the dearest that there is. */
export const dearQuestions: Attack = {
  async run({ origin, signal, note }) {
    let asked = 0;
    const star = () => {
      asked += 1;
      return Array.from({ length: CORNERS }, (_, corner) => {
        const angle = (2 * Math.PI * corner) / CORNERS;
        const reach = corner % 2 === 0 ? 1 : 0.5;
        const latitude = 47.5 + (asked % 5_000) / 10_000 + 0.5 * reach * Math.sin(angle);
        return { latitude, longitude: -122 + 0.8 * reach * Math.cos(angle) };
      });
    };
    const visitor = async (number: number) => {
      const send = sender(origin);
      while (!signal.aborted) {
        const near = { latitude: 40 + (asked % 100) / 100, longitude: -122 };
        const filters = { location: { polygon: star() } };
        const body = JSON.stringify({ json: { sort: 'DISTANCE', near, limit: 100, filters } });
        const headers = { 'content-type': 'application/json', 'x-forwarded-for': `198.51.100.${number}` };
        note(await send('/api/trpc/search.list', { method: 'POST', headers, body }));
      }
    };
    await Promise.all(Array.from({ length: 20 }, (_, number) => visitor(number)));
  },
};
