/**
 * Limits the sign-in tries, counted in Redis for all workers together. A try is counted before it is checked, so
 * that concurrent tries cannot pass the limit; a successful try is subtracted again. A browser in which an operator
 * has signed in has a separate limit that other clients cannot use up; past it, its tries count like all others.
 * Each counter lives for one window that is never extended. While Redis is unavailable, every process counts alone.
 */
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { networkOf } from '../../limits/client-network.ts';
import type { ConsoleContext } from '../context.ts';

export const TRY_RULES = {
  windowSeconds: 600,
  perAddress: 10,
  /** Limit of a browser in which an operator has signed in before. */
  perDevice: 10,
  /** Limit of all addresses together: a password must not be guessed from many machines either. */
  inAll: 200,
};

interface Try {
  /** `first-over` is the first try past a limit: it is logged, later ones are not. */
  verdict: 'allowed' | 'first-over' | 'over';
  /** Subtracts a successful try. */
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
    /** Counts a try; `device` identifies a known browser, null for others. Never rejects. */
    async take({ address, device }: { address: string; device: string | null }): Promise<Try> {
      if (device !== null && (await counted(ofDevice, device)) <= perDevice)
        return { verdict: 'allowed', giveBack: () => Promise.allSettled([ofDevice.reward(device)]) };
      const network = networkOf(address);
      const own = await counted(ofAddress, network);
      // A blocked address must not use up the tries of other addresses.
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

/** The number of tries in this window, including this one. */
async function counted(limiter: RateLimiterRedis, key: string): Promise<number> {
  try {
    return (await limiter.consume(key)).consumedPoints;
  } catch (outcome) {
    // A limiter with an insurance limiter throws nothing else; if it does, the try is rejected.
    return outcome instanceof RateLimiterRes ? outcome.consumedPoints : Number.POSITIVE_INFINITY;
  }
}
