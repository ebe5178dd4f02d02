import type { Position } from '../../persistence/search/search-index.ts';
import type { Clock } from '../../supervisors/ports.ts';
import { createCache } from '../cache.ts';
import type { RouterSettings } from '../config/outside-settings.ts';
import type { RejectionLog } from '../limits/rejection-log.ts';
import { ANSWERS_KEPT_MS, type Ask, type Caller, createAsk } from '../outside/outside-service.ts';
import { simplified } from '../wire/listings/polygon.ts';
import { polygon } from '../wire/listings/search.ts';
import { osrm } from './osrm.ts';
import type { ReachQuestion, RoutingService, TravelTimesQuestion } from './routing-service.ts';
import { valhalla } from './valhalla.ts';

/** About 100 bytes each for a time, and for each corner of an outline. */
const MAX_CACHED = 20_000;
/** Meters in a straight line. No one commutes that far, and routers refuse a request with one such start. */
const FARTHEST = 150_000;
const METERS_PER_DEGREE = 111_200;
/** Decimals of degrees, about ten meters: requests close to each other share a response. */
const DECIMALS = 4;

const routingService = ({ kind, url }: RouterSettings): RoutingService =>
  kind === 'osrm' ? osrm(url) : valhalla(url);

interface Cached {
  /** Null where no way leads. */
  readonly seconds?: number | null;
  readonly outline?: readonly Position[] | null;
}
type AnswerCache = ReturnType<typeof createCache<Cached>>;

interface TravelTimes extends Omit<TravelTimesQuestion, 'from'> {
  readonly from: readonly (Position | null)[];
}

/**
 * Travel times from the operator's router (docs/contract.md#travel-times). Answers are cached for ten minutes in this
 * process. A router that is down, slow or wrong gives no times, and one line in the log.
 */
export function createCommute({
  router,
  clock,
  problems,
}: {
  readonly router: RouterSettings | null;
  readonly clock: Clock;
  readonly problems: RejectionLog;
}) {
  const service = router === null ? null : routingService(router);
  const ask = createAsk('router', problems);
  const cache = createCache<Cached>({
    clock,
    maxAgeMs: ANSWERS_KEPT_MS,
    maxSize: MAX_CACHED,
    sizeOf: ({ outline }) => 1 + (outline?.length ?? 0),
  });
  return {
    modes: service?.modes ?? [],
    hasAreas: service?.reach != null,
    /** Whole minutes of each start, in the same order; null where there is no time to show. */
    async times(caller: Caller, { from, to, mode }: TravelTimes): Promise<(number | null)[]> {
      if (service?.modes.includes(mode) !== true) return from.map(() => null);
      const starts = from.map((start) =>
        start === null || distance(start, to) > FARTHEST ? null : rounded(start),
      );
      const question = { from: starts.filter((start) => start !== null), to: rounded(to), mode };
      const seconds = await secondsOf({ service, ask, cache }, caller, question);
      return starts.map((start) => minutesOf((start && seconds.get(nameOf(start))) ?? null));
    },
    /** The outline from where one is there in so many minutes, at most 100 corners; null where there is none to show. */
    async area(caller: Caller, { to, mode, minutes }: ReachQuestion): Promise<readonly Position[] | null> {
      const reach = service?.reach;
      if (reach == null || service?.modes.includes(mode) !== true) return null;
      const target = rounded(to);
      const key = ['area', mode, minutes, nameOf(target)].join(' ');
      const known = cache.get(key)?.outline;
      if (known !== undefined) return known;
      const response = await ask(caller, reach.ask({ to: target, mode, minutes }), (answer) => {
        const outline = reach.read(answer);
        // With few corners an outline may cross itself: then no search takes it.
        return outline === null ? null : (polygon.safeParse(simplified(outline)).data ?? null);
      });
      if (response !== null) cache.set(key, { outline: response.answer });
      return response?.answer ?? null;
    },
  };
}

export type Commute = ReturnType<typeof createCommute>;

/** Seconds by the name of the start. Only starts that are not cached are asked about. */
async function secondsOf(
  { service, ask, cache }: { service: RoutingService; ask: Ask; cache: AnswerCache },
  caller: Caller,
  { from, to, mode }: TravelTimesQuestion,
): Promise<ReadonlyMap<string, number | null>> {
  const keyOf = (start: string) => ['time', mode, start, nameOf(to)].join(' ');
  const starts = new Map(from.map((start) => [nameOf(start), start]));
  const seconds = new Map<string, number | null>();
  for (const name of starts.keys()) {
    const known = cache.get(keyOf(name))?.seconds;
    if (known !== undefined) seconds.set(name, known);
  }
  const missing = [...starts].filter(([name]) => !seconds.has(name));
  if (missing.length === 0) return seconds;
  const request = service.times({ from: missing.map(([, start]) => start), to, mode });
  const response = await ask(caller, request, (answer) => service.readTimes(answer, missing.length));
  if (response === null) return seconds;
  for (const [index, [name]] of missing.entries()) {
    const one = response.answer[index] ?? null;
    seconds.set(name, one);
    cache.set(keyOf(name), { seconds: one });
  }
  return seconds;
}

const SECONDS = 60;
const minutesOf = (seconds: number | null): number | null =>
  seconds === null ? null : Math.max(1, Math.round(seconds / SECONDS));

const rounded = ({ latitude, longitude }: Position): Position => ({
  latitude: Number(latitude.toFixed(DECIMALS)),
  longitude: Number(longitude.toFixed(DECIMALS)),
});
const nameOf = ({ latitude, longitude }: Position): string => `${latitude},${longitude}`;

/** Meters in a straight line, accurate enough for a limit. */
function distance(one: Position, other: Position): number {
  const turn = Math.abs(one.longitude - other.longitude);
  const across = Math.min(turn, 360 - turn) * Math.cos((one.latitude * Math.PI) / 180);
  return METERS_PER_DEGREE * Math.hypot(one.latitude - other.latitude, across);
}
