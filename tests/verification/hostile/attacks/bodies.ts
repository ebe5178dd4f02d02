import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Attack } from '../attack.ts';
import { atRate, sender } from './sending.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const CORNERS = 200;

/** Searches by a polygon with the maximum number of corners, in the body and in the address. */
export const longQueries: Attack = {
  run({ origin, signal, note }) {
    const send = sender(origin);
    const polygon = Array.from({ length: CORNERS }, (_, at) => {
      const angle = (at / CORNERS) * 2 * Math.PI;
      return { latitude: 47.5 + 0.25 * Math.sin(angle), longitude: -122.1 + 0.35 * Math.cos(angle) };
    });
    const body = JSON.stringify({ json: { filters: { location: { polygon } } } });
    return atRate(20, { signal, note }, async (number) =>
      number % 2 === 0
        ? `body ${await send('/api/trpc/search.list', { method: 'POST', headers: JSON_TYPE, body })}`
        : `address ${await send(`/api/trpc/search.list?input=${encodeURIComponent(body)}`)}`,
    );
  },
};

const BOMB_BYTES = 200 * 1024 * 1024;

/** Two hundred kilobytes that decompress to two hundred megabytes. */
export const gzipBombs: Attack = {
  prepare: async () => [gzipSync(Buffer.alloc(BOMB_BYTES, ' '), { level: 9 })],
  run({ origin, prepared, signal, note }) {
    const send = sender(origin);
    const headers = { ...JSON_TYPE, 'content-encoding': 'gzip' };
    const body = prepared[0] ?? Buffer.alloc(0);
    return atRate(10, { signal, note }, () =>
      send('/api/trpc/search.list', { method: 'POST', headers, body }),
    );
  },
};

/** The mark by which the listings made by the repeats are found. */
export const REPEATED_ADDRESS = '1 Repeat Street';

/** The same call repeatedly, before the first has been answered. */
export const repeatsInFlight: Attack = {
  run({ origin, cookie, signal, note }) {
    const send = sender(origin);
    const headers = { ...JSON_TYPE, cookie, 'idempotency-key': randomUUID() };
    const listing = {
      listPrice: 1,
      currency: 'USD',
      bedroomsTotal: 1,
      bathroomsTotal: 1,
      livingArea: 500,
      address: REPEATED_ADDRESS,
      city: 'Seattle',
      stateOrProvince: 'WA',
      postalCode: '98101',
      latitude: 47.6,
      longitude: -122.3,
      propertyType: 'Residential',
      features: [],
    };
    const body = JSON.stringify({ json: listing });
    return atRate(15, { signal, note }, () =>
      send('/api/trpc/properties.create', { method: 'POST', headers, body }),
    );
  },
};
