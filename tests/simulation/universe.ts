import type { Clock, Timers } from '../../supervisors/ports.ts';
import type { Random } from './random.ts';

/**
 * Virtual time and a seeded scheduler. Every await of the code under test that would leave its process is a *hop*:
 * it stands in a list until the scheduler draws it. Time passes only here: a little with each hop, and in leaps when
 * nothing can happen before the next sleep ends. Always true: the same seed draws the same hops in the same order,
 * and a dead or frozen process has nothing drawn.
 */
export interface ProcessOptions {
  name: string;
  /** Called when the process dies: what the rest of the world does about its open connections. */
  onDeath(): void;
}

/** A simulated process: its hops and sleeps stop with it. */
export interface SimulatedProcess extends Clock, Timers {
  readonly name: string;
  readonly alive: boolean;
  /** A step that leaves the process; may be made to fail by the universe's faults. */
  hop(label: string): Promise<void>;
  /** SIGKILL. */
  kill(): void;
  /** SIGSTOP, then SIGCONT after `ms`. */
  freeze(ms: number): void;
}

/** What befalls a hop instead of its ordinary end. */
export type Mishap = { kind: 'error'; error: Error } | { kind: 'none' };

export interface Universe extends Clock {
  process(options: ProcessOptions): SimulatedProcess;
  /** A sleep that belongs to nobody and outlives every process. */
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
  wake(): void;
}
interface InnerProcess {
  name: string;
  alive: boolean;
  frozenUntil: number;
  onDeath(): void;
}

export interface UniverseOptions {
  random: Random;
  start: number;
  /** Longest time that a hop takes, milliseconds. */
  maxHopMs: number;
  /** Asked before each hop ends; may kill or freeze the process meanwhile. */
  mishap(hop: { process: SimulatedProcess; label: string }): Mishap;
}

export function createUniverse({ random, start, maxHopMs, mishap }: UniverseOptions): Universe {
  let now = start;
  let hopCount = 0;
  let waiting: Hop[] = [];
  let sleeps: Sleep[] = [];
  const faces = new Map<InnerProcess, SimulatedProcess>();

  const mayRun = ({ alive, frozenUntil }: InnerProcess) => alive && frozenUntil <= now;

  const addSleep = (sleep: Sleep) => {
    let index = sleeps.length;
    while (index > 0 && (sleeps[index - 1]?.at ?? 0) > sleep.at) index -= 1;
    sleeps.splice(index, 0, sleep);
  };

  /** Ends the sleeps that are due, the earliest first; those of frozen processes wait for their thaw. */
  const wakeDue = (): boolean => {
    // Sleeps are kept in order, and most of the time none is due.
    if ((sleeps[0]?.at ?? Number.POSITIVE_INFINITY) > now) return false;
    const due = sleeps.filter(({ at, process }) => at <= now && (process === null || mayRun(process)));
    if (due.length === 0) return false;
    sleeps = sleeps.filter((sleep) => !due.includes(sleep));
    for (const { wake, process } of due) if (process === null || process.alive) wake();
    return true;
  };

  const leap = (until: number): boolean => {
    const instants = [
      ...sleeps
        .filter(({ process }) => process === null || process.alive)
        .map(({ at, process }) => Math.max(at, process?.frozenUntil ?? 0)),
      ...waiting.filter(({ process }) => process.alive).map(({ process }) => process.frozenUntil),
    ].filter((instant) => instant > now);
    const next = Math.min(...instants);
    if (!Number.isFinite(next) || next > until) return false;
    now = next;
    return true;
  };

  const draw = () => {
    const ready = waiting.filter(({ process }) => mayRun(process));
    if (ready.length === 0) return false;
    const hop = random.pick(ready);
    waiting = waiting.filter((one) => one !== hop);
    now += random.between(0, maxHopMs);
    hopCount += 1;
    const face = faces.get(hop.process);
    const fate: Mishap = face ? mishap({ process: face, label: hop.label }) : { kind: 'none' };
    if (!hop.process.alive) return true;
    if (fate.kind === 'error') hop.reject(fate.error);
    else if (hop.process.frozenUntil > now) waiting.push(hop);
    else hop.resolve();
    return true;
  };

  return {
    now: () => now,
    get hops() {
      return hopCount;
    },
    at: (instant, what) => addSleep({ at: instant, process: null, wake: what }),
    process({ name, onDeath }) {
      const inner: InnerProcess = { name, alive: true, frozenUntil: 0, onDeath };
      const face: SimulatedProcess = {
        name,
        get alive() {
          return inner.alive;
        },
        now: () => now,
        hop: (label) =>
          inner.alive
            ? new Promise((resolve, reject) => waiting.push({ process: inner, label, resolve, reject }))
            : new Promise(() => {}),
        sleep: (ms, signal) => {
          if (ms <= 0 || signal?.aborted) return Promise.resolve();
          return new Promise((resolve) => {
            const sleep: Sleep = { at: now + ms, process: inner, wake: () => end() };
            const end = () => {
              signal?.removeEventListener('abort', cut);
              resolve();
            };
            const cut = () => {
              sleeps = sleeps.filter((one) => one !== sleep);
              end();
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
          inner.onDeath();
        },
        freeze(ms) {
          inner.frozenUntil = Math.max(inner.frozenUntil, now + ms);
        },
      };
      faces.set(inner, face);
      return face;
    },
    async run({ until, isOver }) {
      for (;;) {
        await settled();
        if (isOver()) return 'over';
        if (now >= until) return 'timeout';
        if (wakeDue() || draw()) continue;
        if (!leap(until)) return waiting.length === 0 && sleeps.length === 0 ? 'idle' : 'timeout';
      }
    },
  };
}

/** Every promise that could settle without a hop has settled. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
