import type { Clock, Timers } from '../../../supervisors/ports.ts';
import type { Random } from '../../support/random.ts';

/**
 * Virtual time and a seeded scheduler. Every await of the code under test that would leave its process is a *hop*:
 * it stands in a list until the scheduler draws it. Time passes only here: a little with each hop, and in leaps when
 * nothing can happen before the next sleep ends. Always true: the same seed draws the same hops in the same order,
 * and a dead or frozen process has nothing drawn.
 */
interface ProcessOptions {
  name: string;
  /** Called when the process dies, to close its connections in the other parts. */
  onDeath(): void;
}

/** A simulated process: its hops and sleeps stop with it. */
export interface SimulatedProcess extends Clock, Timers {
  readonly name: string;
  readonly alive: boolean;
  /** True while it is frozen (SIGSTOP) and cannot notice anything. */
  readonly frozen: boolean;
  /** A step that leaves the process; may be made to fail by the universe's faults. */
  hop(label: string): Promise<void>;
  /** Same as in `Timers`. At its end a callback decides whether it runs for the same time again. */
  sleep(ms: number, signal?: AbortSignal, sleepsOn?: () => boolean): Promise<void>;
  /** SIGKILL. */
  kill(): void;
  /** SIGSTOP, then SIGCONT after `ms`. */
  freeze(ms: number): void;
}

/** The fault of a hop instead of its ordinary end. */
export type HopFault =
  | { kind: 'error'; error: Error }
  /** No answer at all: the caller gives up after `ms`. */
  | { kind: 'silence'; ms: number; error: Error }
  | { kind: 'none' };

export interface Universe extends Clock {
  process(options: ProcessOptions): SimulatedProcess;
  /** A sleep that belongs to no process and outlives all of them. */
  at(instant: number, what: () => void): void;
  /** Runs until `isOver`, until nothing can happen any more, or until the instant. */
  run(options: { until: number; isOver(): boolean }): Promise<'over' | 'idle' | 'timeout'>;
  readonly hops: number;
}

interface Hop {
  process: InnerProcess;
  label: string;
  resolve(): void;
  reject(error: Error): void;
}
interface Sleep {
  at: number;
  process: InnerProcess | null;
  /** False when it sleeps on. */
  wake(): boolean;
}
interface InnerProcess {
  alive: boolean;
  frozenUntil: number;
  readonly face: SimulatedProcess;
}

export interface UniverseOptions {
  random: Random;
  start: number;
  /** Longest time that a hop takes, milliseconds. */
  maxHopMs: number;
  /** Called before each hop ends; may kill or freeze the process. */
  faultOf(hop: { process: SimulatedProcess; label: string }): HopFault;
}

export function createUniverse({ random, start, maxHopMs, faultOf }: UniverseOptions): Universe {
  let now = start;
  let hopCount = 0;
  /** When the current hop was drawn; processes frozen then are still frozen. */
  let drawnAt = start;
  let waiting: Hop[] = [];
  let sleeps: Sleep[] = [];

  const mayRun = ({ alive, frozenUntil }: InnerProcess) => alive && frozenUntil <= now;

  const addSleep = (sleep: Sleep) => {
    let index = sleeps.length;
    while (index > 0 && (sleeps[index - 1]?.at ?? 0) > sleep.at) index -= 1;
    sleeps.splice(index, 0, sleep);
  };
  const dropSleep = (sleep: Sleep) => {
    const index = sleeps.indexOf(sleep);
    if (index >= 0) sleeps.splice(index, 1);
  };

  /** Ends the sleeps that are due, the earliest first; those of frozen processes wait for their thaw. */
  const wakeDue = (): boolean => {
    // Sleeps are kept in order, and most of the time none is due.
    let count = 0;
    while ((sleeps[count]?.at ?? Number.POSITIVE_INFINITY) <= now) count += 1;
    if (count === 0) return false;
    const due = sleeps.splice(0, count);
    const frozen = due.filter(({ process }) => process !== null && !mayRun(process));
    if (frozen.length > 0) sleeps.unshift(...frozen);
    let woken = false;
    for (const sleep of due) {
      const { process } = sleep;
      if (frozen.includes(sleep) || process?.alive === false) continue;
      if (sleep.wake()) woken = true;
    }
    return woken;
  };

  /** To the next instant at which a sleep ends or a frozen process thaws; false when there is none before `until`. */
  const leap = (until: number): boolean => {
    let next = Number.POSITIVE_INFINITY;
    const offer = (instant: number) => {
      if (instant > now && instant < next) next = instant;
    };
    for (const { at, process } of sleeps) {
      if (at >= next) break;
      offer(Math.max(at, process?.frozenUntil ?? 0));
    }
    for (const { process } of waiting) offer(process.frozenUntil);
    if (next > until || next === Number.POSITIVE_INFINITY) return false;
    now = next;
    return true;
  };

  const giveUpLater = ({ process, reject }: Hop, { ms, error }: { ms: number; error: Error }) => {
    const wake = () => {
      reject(error);
      return true;
    };
    addSleep({ at: now + ms, process, wake });
  };

  const draw = () => {
    // Mostly no process is frozen, and every hop may be drawn.
    const ready = waiting.every(({ process }) => mayRun(process))
      ? waiting
      : waiting.filter(({ process }) => mayRun(process));
    if (ready.length === 0) return false;
    const hop = random.pick(ready);
    waiting.splice(waiting.indexOf(hop), 1);
    drawnAt = now;
    now += random.between(0, maxHopMs);
    hopCount += 1;
    const fate = faultOf({ process: hop.process.face, label: hop.label });
    if (!hop.process.alive) return true;
    if (fate.kind === 'error') hop.reject(fate.error);
    else if (fate.kind === 'silence') giveUpLater(hop, fate);
    else if (hop.process.frozenUntil > now) waiting.push(hop);
    else hop.resolve();
    return true;
  };

  return {
    now: () => now,
    get hops() {
      return hopCount;
    },
    at(instant, what) {
      const wake = () => {
        what();
        return true;
      };
      addSleep({ at: instant, process: null, wake });
    },
    process({ name, onDeath }) {
      const face: SimulatedProcess = {
        name,
        get alive() {
          return inner.alive;
        },
        get frozen() {
          return inner.frozenUntil > drawnAt;
        },
        now: () => now,
        hop: (label) =>
          inner.alive
            ? new Promise((resolve, reject) => waiting.push({ process: inner, label, resolve, reject }))
            : never(),
        sleep: (ms, signal, sleepsOn = () => false) => {
          if (ms <= 0 || signal?.aborted) return Promise.resolve();
          if (!inner.alive) return never();
          return new Promise((resolve) => {
            const sleep: Sleep = {
              at: now + ms,
              process: inner,
              wake() {
                if (sleepsOn()) {
                  sleep.at = now + ms;
                  addSleep(sleep);
                  return false;
                }
                signal?.removeEventListener('abort', cut);
                resolve();
                return true;
              },
            };
            const cut = () => {
              dropSleep(sleep);
              resolve();
            };
            signal?.addEventListener('abort', cut, { once: true });
            addSleep(sleep);
          });
        },
        kill() {
          if (!inner.alive) return;
          inner.alive = false;
          waiting = waiting.filter(({ process }) => process !== inner);
          sleeps = sleeps.filter(({ process }) => process !== inner);
          onDeath();
        },
        freeze(ms) {
          inner.frozenUntil = Math.max(inner.frozenUntil, now + ms);
        },
      };
      const inner: InnerProcess = { alive: true, frozenUntil: 0, face };
      return face;
    },
    run: ({ until, isOver }) => {
      const { promise, resolve, reject } = Promise.withResolvers<'over' | 'idle' | 'timeout'>();
      /** One thing happens; null when the next may. */
      const turn = () => {
        if (isOver()) return 'over';
        for (;;) {
          if (now >= until) return 'timeout';
          if (wakeDue() || draw()) return null;
          // A leap in time settles nothing by itself.
          if (!leap(until)) return waiting.length === 0 && sleeps.length === 0 ? 'idle' : 'timeout';
        }
      };
      // A tick that a microtask asks for comes once every promise has settled that could without a hop. (One that a
      // tick asks for comes before them.) A turn of the event loop would do as well and take longer than all the rest.
      // The global queueMicrotask makes an async resource of each.
      const rest = () => process.nextTick(next);
      const settled = Promise.resolve();
      const next = () => {
        try {
          const ended = turn();
          if (ended === null) void settled.then(rest);
          else resolve(ended);
        } catch (error) {
          reject(error);
        }
      };
      void settled.then(rest);
      return promise;
    },
  };
}

/** What a dead process waits for. */
const never = () => new Promise<never>(() => {});
