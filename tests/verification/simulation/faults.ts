import type { Random } from '../../support/random.ts';
import { databaseError } from './memory/tables.ts';
import type { HopFault, SimulatedProcess } from './universe.ts';

/**
 * The faults of a run. A seed decides which kinds of fault it has and how often. Faults are numbered in
 * order, so that a failing run can be repeated without some of them until only the necessary ones remain.
 */
export interface Faults {
  /** True when this kind of fault happens now. */
  inject(kind: FaultKind): boolean;
  faultOf(hop: { process: SimulatedProcess; label: string }): HopFault;
  /** The machine's clock of the process, minus the true time. Milliseconds. */
  clockOffset(process: SimulatedProcess): number;
  /** Every statement fails for so long. */
  loseDatabase(ms: number): void;
  /** Ends all faults. */
  stop(): void;
  readonly isOver: boolean;
  readonly injected: { number: number; kind: FaultKind }[];
}

/** Every kind of fault, with its probability at each opportunity if the seed has it. */
const KINDS = {
  kill: 0.011,
  'kill-while-buying': 0.15,
  freeze: 0.0075,
  'freeze-outside': 0.04,
  terminate: 0.003,
  'database-away': 0.028,
  'commit-answer-lost': 0.2,
  'freeze-after-lost-answer': 0.5,
  'serialization-failure': 0.1,
  'connections-silent': 0.005,
  'row-locked': 0.5,
  'crash-loop': 0.75,
  'hostile-picture': 0.2,
  unreachable: 0.2,
  throttled: 0.2,
  'invalid-input': 0.03,
  'request-lost': 0.1,
  'slow-answer': 0.2,
  'answer-lost': 0.25,
  'create-hangs': 0.2,
  'terminate-while-buying': 0.5,
  'get-fails': 0.2,
  'list-fails': 0.2,
  'list-lags': 0.5,
  'list-truncated': 0.3,
  'get-404': 0.3,
  'cancel-ignored': 0.4,
  'never-finishes': 0.1,
  'callback-never': 0.5,
  'callback-twice': 0.4,
  'callback-late': 0.4,
  'download-fails': 0.2,
  'output-bad': 0.1,
  'host-refused': 0.25,
  'decoder-lost': 0.4,
  'no-decoder': 0.1,
  'slow-put': 0.3,
  'put-fails': 0.2,
  'put-answer-lost': 0.2,
  'delete-fails': 0.2,
  'delete-answer-lost': 0.2,
  'queue-away': 0.1,
  'queue-refuses': 0.02,
  'queue-late': 0.1,
  'delivered-twice': 0.5,
  flush: 0.5,
  'nudge-lost': 0.5,
  'poison-row': 0.4,
  'runner-bug': 0.1,
  'clock-wrong': 0.3,
  'clock-jump': 0.002,
  'send-waits': 0.3,
  'standby-lags': 0.05,
  'promoted-while-buying': 0.2,
  'promoted-while-deciding': 0.3,
  'first-comes-back': 0.6,
} as const;
export type FaultKind = keyof typeof KINDS;
const FAULT_KINDS = Object.keys(KINDS) as FaultKind[];

/** They can only happen, or only hurt, in seeds with a standby. */
const OFTEN: ReadonlySet<FaultKind> = new Set([
  'send-waits',
  'standby-lags',
  'promoted-while-buying',
  'promoted-while-deciding',
  'first-comes-back',
]);

/** Freezes: shorter than a lease, about as long, and much longer. */
const LONG_FREEZE_MS = 90_000;
const FREEZE_MS = [1_000, 28_000, LONG_FREEZE_MS] as const;
/** Clocks that were set by hand, by a time service, or never. */
const CLOCK_OFFSETS_MS = [-3_600_000, -1_500_000, -10_000, 10_000, 1_500_000, 3_600_000] as const;
/** How long a process gets no answer from the database: some longer than a lease, some shorter. */
const SILENT_MS = [15_000, 45_000, 90_000] as const;
/** Same as in persistence/database/database.ts. */
const QUERY_TIMEOUT_MS = 20_000;
/** Hops before a decision is written: a process frozen here goes on with an old view. */
const OUTSIDE = new Set(['POST answer', 'GET prediction', 'put answer', 'list predictions']);

export interface FaultOptions {
  random: Random;
  /** Numbers of the faults that are left out this time. */
  suppressed: ReadonlySet<number>;
  /** No faults at all. */
  calm: boolean;
  now(): number;
  note(line: string): void;
  /** SIGTERM, which the process itself must obey. */
  terminate(process: SimulatedProcess): void;
}

export function createFaults({ random, suppressed, calm, now, note, terminate }: FaultOptions): Faults {
  /** The dice of each kind that this seed has. */
  const dice = {} as Record<FaultKind, Random | null>;
  for (const kind of FAULT_KINDS)
    dice[kind] =
      !calm && random.stream(`has ${kind}`).chance(OFTEN.has(kind) ? 0.8 : 0.4) ? random.stream(kind) : null;
  const injected: Faults['injected'] = [];
  let stopped = calm;

  const inject = (kind: FaultKind): boolean => {
    if (stopped || !dice[kind]?.chance(KINDS[kind])) return false;
    const number = injected.length;
    injected.push({ number, kind });
    if (suppressed.has(number)) return false;
    note(`fault ${number}: ${kind}`);
    return true;
  };

  const offsets = new Map<SimulatedProcess, number>();
  const clockOffset = (process: SimulatedProcess): number => {
    if (stopped) return 0;
    const known = offsets.get(process);
    if (known !== undefined) return known;
    const offset = inject('clock-wrong') ? random.pick(CLOCK_OFFSETS_MS) : 0;
    offsets.set(process, offset);
    return offset;
  };

  const silentUntil = new Map<SimulatedProcess, number>();
  const silence: HopFault = {
    kind: 'silence',
    ms: QUERY_TIMEOUT_MS,
    error: new Error('Query read timeout'),
  };

  let awayUntil = Number.NEGATIVE_INFINITY;
  const away: HopFault = { kind: 'error', error: databaseError('08006', 'connection failure') };

  const database = (process: SimulatedProcess, label: string): HopFault => {
    if (process.now() < awayUntil) return away;
    if (process.now() < (silentUntil.get(process) ?? 0)) return silence;
    if (inject('connections-silent')) {
      silentUntil.set(process, process.now() + random.pick(SILENT_MS));
      return silence;
    }
    if (label === 'db: attempt moved' || label === 'db: committed') {
      if (!inject('commit-answer-lost')) return { kind: 'none' };
      // The retry comes long after a takeover.
      if (inject('freeze-after-lost-answer')) process.freeze(LONG_FREEZE_MS);
      return { kind: 'error', error: databaseError('57P01', 'terminating connection') };
    }
    if (label === 'db: commit' && inject('serialization-failure'))
      return { kind: 'error', error: databaseError('40001', 'could not serialize access') };
    if (inject('database-away')) return away;
    return { kind: 'none' };
  };

  return {
    inject,
    injected,
    get isOver() {
      return stopped;
    },
    clockOffset,
    loseDatabase(ms) {
      awayUntil = now() + ms;
    },
    stop() {
      stopped = true;
    },
    faultOf({ process, label }) {
      if (stopped) return { kind: 'none' };
      if (inject('kill') || (label === 'POST answer' && inject('kill-while-buying'))) process.kill();
      else if (inject('freeze') || (OUTSIDE.has(label) && inject('freeze-outside')))
        process.freeze(random.pick(FREEZE_MS));
      else if (inject('terminate')) terminate(process);
      else if (inject('clock-jump')) offsets.set(process, random.pick(CLOCK_OFFSETS_MS));
      return process.alive && label.startsWith('db: ') ? database(process, label) : { kind: 'none' };
    },
  };
}
