/**
 * Limits the tries to sign in, counted in Redis for all workers together. A try is counted before it is checked, so
 * that simultaneous tries cannot pass the limit, and given back when the credentials were right. A browser in which an
 * operator has signed in has a limit of its own, which other clients cannot use up; past it, it is counted like any
 * other. Each count lives for one window that is never extended. While Redis is away every process counts for itself.
 */
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { networkOf } from '../../limits/client-network.ts';
import type { ConsoleContext } from '../context.ts';

export const TRY_RULES = {
  windowSeconds: 600,
  perAddress: 10,
  /** Of a browser in which an operator has signed in before. */
  perDevice: 10,
  /** Of all addresses together: a password must not be guessed by many machines either. */
  inAll: 200,
};

interface Try {
  /** `over` begins with the first try past a limit: that one is worth a line in the log, the rest are not. */
  verdict: 'allowed' | 'first-over' | 'over';
  /** The try was right: it does not count. */
  giveBack(): Promise<unknown>;
}

const EVERYBODY = 'all';

export function createTryLimits({ redis, config }: Pick<ConsoleContext, 'redis' | 'config'>) {
  const { windowSeconds, perAddress, perDevice, inAll } = TRY_RULES;
  const limiter = (name: string, points: number) => {
    const rule = { points, duration: windowSeconds, keyPrefix: `console-try${config.queueSuffix}:${name}` };
    return new RateLimiterRedis({
      ...rule,
      storeClient: redis,
      rejectIfRedisNotReady: true,
      insuranceLimiter: new RateLimiterMemory(rule),
    });
  };
  const ofAddress = limiter('address', perAddress);
  const ofDevice = limiter('device', perDevice);
  const ofAll = limiter('all', inAll);

  return {
    /** Counts a try; `device` is a known browser's, null for others. Never rejects. */
    async take({ address, device }: { address: string; device: string | null }): Promise<Try> {
      if (device !== null && (await counted(ofDevice, device)) <= perDevice)
        return { verdict: 'allowed', giveBack: () => Promise.allSettled([ofDevice.reward(device)]) };
      const network = networkOf(address);
      const own = await counted(ofAddress, network);
      // A blocked address must not use up the tries of the others.
      if (own > perAddress) return over(own === perAddress + 1);
      const all = await counted(ofAll, EVERYBODY);
      if (all > inAll) return over(all === inAll + 1);
      return {
        verdict: 'allowed',
        giveBack: () => Promise.allSettled([ofAddress.reward(network), ofAll.reward(EVERYBODY)]),
      };
    },
  };
}

function over(isFirst: boolean): Try {
  return { verdict: isFirst ? 'first-over' : 'over', giveBack: async () => {} };
}

/** How many tries there were in this window, this one among them. */
async function counted(limiter: RateLimiterRedis, key: string): Promise<number> {
  try {
    return (await limiter.consume(key)).consumedPoints;
  } catch (outcome) {
    // A limiter with an insurance limiter throws nothing else; if it does, the try is rejected.
    return outcome instanceof RateLimiterRes ? outcome.consumedPoints : Number.POSITIVE_INFINITY;
  }
}
