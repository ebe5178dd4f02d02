import type { CommuteMode } from '../../machines/vocabulary.ts';
import type { Position } from '../../persistence/search/search-index.ts';
import type { Clock } from '../../supervisors/ports.ts';
import { createCache } from '../cache.ts';
import type { RouterSettings } from '../config/router-settings.ts';
import { isOfCaller } from '../errors/errors.ts';
import { createFairQueue } from '../limits/fair-queue.ts';
import type { RejectionLog } from '../limits/rejection-log.ts';
import { limitTime } from '../time.ts';
import { simplified } from '../wire/listings/polygon.ts';
import { polygon } from '../wire/listings/search.ts';
import { askRouter } from './ask-router.ts';
import { osrm } from './osrm.ts';
import type { RouterRequest, RoutingService } from './routing-service.ts';
import { valhalla } from './valhalla.ts';

/** A page shows nothing rather than wait longer, for its turn and the answer together. */
const ANSWER_MS = 1_000;
const KEPT_MS = 10 * 60_000;
/** About 100 bytes each for a time, and for each corner of an outline. */
const MOST_KEPT = 20_000;
const LANES = { lanes: 4, lanesEach: 2, mostWaiting: 200 };
/** Metres in a straight line. No one commutes so far, and routers refuse a question with one such start. */
const FARTHEST = 150_000;
const METERS_PER_DEGREE = 111_200;
/** Decimals of degrees, about ten metres: near questions share an answer. */
const DECIMALS = 4;

const routingService = ({ kind, url }: RouterSettings): RoutingService =>
  kind === 'osrm' ? osrm(url) : valhalla(url);

interface Caller {
  /** The name under which turns are shared out. */
  readonly client: string;
  readonly signal: AbortSignal;
}
interface Kept {
  /** Seconds, or null where no way leads. */
  readonly seconds?: number | null;
  readonly outline?: readonly Position[] | null;
}

/**
 * Travel times from the operator's router (docs/contract.md#travel-times). Answers are kept for ten minutes in this
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
  const turns = createFairQueue(LANES);
  const kept = createCache<Kept>({
    clock,
    maxAgeMs: KEPT_MS,
    maxSize: MOST_KEPT,
    sizeOf: ({ outline }) => 1 + (outline?.length ?? 0),
  });

  /** What the router says; null when it says nothing in time, or what cannot be read. */
  const ask = async <T>(
    { client, signal }: Caller,
    request: RouterRequest,
    read: (answer: unknown) => T,
  ): Promise<{ answer: T } | null> => {
    const patience = limitTime(ANSWER_MS, signal);
    try {
      const task = () => askRouter(request, patience.signal);
      return { answer: read(await turns.run({ clients: [client], subject: '' }, task, patience.signal)) };
    } catch (error) {
      if (signal.aborted || isOfCaller(error)) throw error;
      problems.note('router', { reason: reasonOf(error) });
      return null;
    } finally {
      patience.release();
    }
  };

  return {
    modes: service?.modes ?? [],
    hasAreas: service?.reach != null,
    /** Whole minutes of each start, in the same order; null where there is no time to show. */
    async times(
      caller: Caller,
      { from, to, mode }: { from: readonly (Position | null)[]; to: Position; mode: CommuteMode },
    ): Promise<(number | null)[]> {
      if (service?.modes.includes(mode) !== true) return from.map(() => null);
      const target = rounded(to);
      const keyOf = (start: Position) => ['time', mode, nameOf(start), nameOf(target)].join(' ');
      const starts = from.map((start) =>
        start === null || distance(start, to) > FARTHEST ? null : rounded(start),
      );
      const seconds = new Map<string, number | null>();
      const missing = new Map<string, Position>();
      for (const start of starts) {
        if (start === null) continue;
        const key = keyOf(start);
        const known = kept.get(key)?.seconds;
        if (known === undefined) missing.set(key, start);
        else seconds.set(key, known);
      }
      if (missing.size > 0) {
        const request = service.times({ from: [...missing.values()], to: target, mode });
        const read = (answer: unknown) => service.readTimes(answer, missing.size);
        const told = await ask(caller, request, read);
        [...missing.keys()].forEach((key, index) => {
          if (told === null) return;
          const one = told.answer[index] ?? null;
          seconds.set(key, one);
          kept.set(key, { seconds: one });
        });
      }
      return starts.map((start) => minutesOf(start === null ? null : (seconds.get(keyOf(start)) ?? null)));
    },
    /** The outline from where one is there in so many minutes, at most 100 corners; null where there is none to show. */
    async area(
      caller: Caller,
      { to, mode, minutes }: { to: Position; mode: CommuteMode; minutes: number },
    ): Promise<readonly Position[] | null> {
      const reach = service?.reach;
      if (reach == null || service?.modes.includes(mode) !== true) return null;
      const target = rounded(to);
      const key = ['area', mode, minutes, nameOf(target)].join(' ');
      const known = kept.get(key)?.outline;
      if (known !== undefined) return known;
      const told = await ask(caller, reach.ask({ to: target, mode, minutes }), (answer) => {
        const outline = reach.read(answer);
        // With few corners an outline may cross itself: then no search takes it.
        return outline === null ? null : (polygon.safeParse(simplified(outline)).data ?? null);
      });
      if (told !== null) kept.set(key, { outline: told.answer });
      return told?.answer ?? null;
    },
  };
}

export type Commute = ReturnType<typeof createCommute>;

const SECONDS = 60;
const minutesOf = (seconds: number | null): number | null =>
  seconds === null ? null : Math.max(1, Math.round(seconds / SECONDS));

const rounded = ({ latitude, longitude }: Position): Position => ({
  latitude: Number(latitude.toFixed(DECIMALS)),
  longitude: Number(longitude.toFixed(DECIMALS)),
});
const nameOf = ({ latitude, longitude }: Position): string => `${latitude},${longitude}`;

/** Metres in a straight line, near enough for a bound. */
function distance(one: Position, other: Position): number {
  const turn = Math.abs(one.longitude - other.longitude);
  const across = Math.min(turn, 360 - turn) * Math.cos((one.latitude * Math.PI) / 180);
  return METERS_PER_DEGREE * Math.hypot(one.latitude - other.latitude, across);
}

/** Never the address: it names where people work. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return error.name === 'ZodError' ? 'its answer has another form' : error.message.slice(0, 200);
}
