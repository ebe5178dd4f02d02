import { quantile } from '../../../ops/bench/alternate.ts';
import { eventually } from '../../support/eventually.ts';
import { type Sample, startOpenLoop } from '../load/open-loop.ts';
import type { Answers } from './attack.ts';
import { hireAttacker } from './attackers.ts';
import type { AttackName } from './attacks.ts';
import { LIMIT_MB, type World } from './world.ts';

/** The measurements of one attack. Times in ms, memory in MB. */
export interface Onslaught {
  readonly answers: Answers;
  /** Visitors' failed calls during the attack, by error, with counts. */
  readonly rejections: Answers;
  readonly calmP99: number;
  readonly attackedP99: number;
  /** The slowest calls during the attack. */
  readonly slowest: readonly string[];
  readonly calmMb: number;
  readonly mostMb: number;
  /** The largest child process: a decoder of pictures. */
  readonly childMb: number;
  readonly isRunning: boolean;
  /** The time until memory was near its normal value again; null: longer than a minute. */
  readonly backAfterMs: number | null;
}

const VISITS_A_SECOND = 25;
const CALM_MS = 2_500;
const ATTACK_MS = 5_000;
/** Calls due close to the start or end of the attack may belong to either side. */
const EDGE_MS = 200;
/** All processes share two cores: below this, a p99 depends more on the machine than on the server. */
const FLOOR_MS = 250;
/** The same while pictures are made or hundreds of megabytes are sent on the same cores. */
const BUSY_FLOOR_MS = 1_000;
const MINUTE_MS = 60_000;
/** A used heap keeps some free memory. */
const KEPT_MB = 150;
const SLOWEST = 8;
const DECODER_MB = 1_024;

/**
 * Visitors call at a steady rate before, during and after the attack, without waiting for answers.
 * @param meanwhile what else is tried during the attack; the attack lasts as long
 */
export async function withstand(
  world: World,
  name: AttackName,
  { meanwhile, target = {} }: { meanwhile?: () => Promise<void>; target?: Partial<World['target']> } = {},
): Promise<Onslaught> {
  const attacker = await hireAttacker(name, { ...world.target, ...target });
  const startedAt = performance.now();
  const now = () => performance.now() - startedAt;
  const loop = startOpenLoop(VISITS_A_SECOND, world.visitors.next);
  let answers: Answers = {};
  const guard = world.guard();
  let [from, until] = [0, 0];
  const lasting = (ms: number) => eventually(() => now() >= until + ms, { what: 'the time to pass' });
  let calmMb = 0;
  let failure: unknown;
  try {
    await lasting(CALM_MS);
    calmMb = guard.last().memoryMb;
    from = until = now();
    attacker.begin();
    const other = (meanwhile?.() ?? Promise.resolve()).catch((error: unknown) => {
      failure = error;
    });
    await lasting(ATTACK_MS);
    await other;
    answers = await attacker.end();
    until = now();
    await lasting(CALM_MS);
  } finally {
    if (Object.keys(answers).length === 0) answers = await attacker.end();
    await loop.stop();
  }
  const endedAt = until;
  const backAfterMs = await eventually(
    () => guard.last().fate === undefined && guard.last().memoryMb <= calmMb + KEPT_MB && now() - endedAt,
    { what: 'memory to come back', timeoutMs: guard.last().fate === undefined ? MINUTE_MS : 0 },
  ).catch(() => null);
  if (failure !== undefined) throw failure;
  const attacked = loop.samples.filter(({ dueAt }) => dueAt >= from && dueAt < until);
  const before = loop.samples.filter(({ dueAt }) => dueAt < from - EDGE_MS);
  const after = loop.samples.filter(({ dueAt }) => dueAt >= endedAt + EDGE_MS);
  const { mostMb, childMb, fate } = guard.last();
  return {
    answers,
    rejections: counted(attacked),
    // The better of both, because right after the attack the server may still be busy with it.
    calmP99: Math.min(p99(before), p99(after)),
    attackedP99: p99(attacked),
    slowest: slowest(attacked),
    calmMb,
    mostMb,
    childMb,
    isRunning: fate === undefined && world.platform.roles.at(-1)?.isRunning() === true,
    backAfterMs,
  };
}

function counted(samples: readonly Sample[]): Answers {
  const failed = samples.filter(({ failure }) => failure !== '');
  const kinds = Map.groupBy(failed, ({ what, failure }) => `${what}: ${failure}`);
  return Object.fromEntries([...kinds].map(([kind, those]) => [kind, those.length]));
}

function slowest(samples: readonly Sample[]): string[] {
  const sorted = samples.toSorted((one, other) => other.tookMs - one.tookMs);
  return sorted.slice(0, SLOWEST).map(({ what, tookMs }) => `${what} ${Math.round(tookMs)} ms`);
}

function p99(samples: readonly Sample[]): number {
  if (samples.length === 0) return Number.POSITIVE_INFINITY;
  return Math.round(
    quantile(
      samples.map(({ tookMs }) => tookMs),
      0.99,
    ),
  );
}

/** Damage that must never occur, as sentences; empty when there was none. */
export function damage(seen: Onslaught): string[] {
  const { rejections, mostMb, childMb, isRunning, backAfterMs } = seen;
  const sentences: [boolean, string][] = [
    [!isRunning, `the web role ended; it held ${mostMb} MB of ${LIMIT_MB}`],
    [Object.keys(rejections).length > 0, `visitors were refused: ${JSON.stringify(rejections)}`],
    [childMb > DECODER_MB, `a decoder held ${childMb} MB`],
    [isRunning && backAfterMs === null, 'memory did not come back within a minute'],
  ];
  return sentences.filter(([isSeen]) => isSeen).map(([, sentence]) => sentence);
}

/** True when visitors waited more than twice as long as right before and after. */
export function isSlowed({ calmP99, attackedP99 }: Onslaught, { isBusy }: { isBusy: boolean }): boolean {
  return attackedP99 > Math.max(2 * calmP99, isBusy ? BUSY_FLOOR_MS : FLOOR_MS);
}
