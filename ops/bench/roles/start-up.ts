import { candidate, ratioOf } from '../alternate.ts';
import type { Bench, BenchGround, Finding } from '../benchmark.ts';
import { interleave } from '../interleave.ts';
import { type BenchEnvironment, startBenchEnvironment } from '../load/bench-environment.ts';
import { startMeasuredServer } from '../load/measured-server.ts';

const ROLES = ['web', 'worker'] as const;
const MEGABYTE = 1e6;
const LISTENING_MS = 800;
const RESTING_MEGABYTES = 150;
/** A process is at rest when its resident memory has changed by less than this since the previous reading. */
const STEADY_BYTES = 1e6;
const LOOK_EVERY_MS = 1_000;
const MOST_LOOKS = 5;

/**
 * How soon a role listens and how much memory it has when idle, compared with a Node.js process that only listens.
 * The schema exists, and the database and the store run; each start is a separate process.
 */
export const startUpBench: Bench = {
  name: 'start-up',
  about: 'from launch to listening, and memory at rest, of the web and the worker role',
  run: async (ground) => {
    const environment = await startBenchEnvironment({ scratch: ground.scratch, durable: false });
    try {
      const findings: Finding[] = [];
      for (const role of ROLES) findings.push(...(await measureRole(role, environment, ground)));
      return findings;
    } finally {
      await environment.stop();
    }
  },
};

interface Start {
  readonly startedInMs: number;
  readonly megabytes: number;
}

async function measureRole(
  role: (typeof ROLES)[number],
  environment: BenchEnvironment,
  { rounds, quick, print }: BenchGround,
): Promise<Finding[]> {
  print(`${role}: ${rounds} starts`);
  const looks = quick ? 1 : MOST_LOOKS;
  const taken = await interleave(
    {
      role: () => started(() => environment.startRole(role), looks),
      bare: () => started(() => startMeasuredServer({ entry: 'ops/bench/bare-listener.mjs' }), looks),
    },
    rounds,
  );
  const findings = [
    {
      title: `start-up of ${role}: launch to listening`,
      unit: 'ms',
      most: LISTENING_MS,
      read: (one: Start) => one.startedInMs,
    },
    {
      title: `memory of ${role} at rest`,
      unit: 'MB',
      most: RESTING_MEGABYTES,
      read: (one: Start) => one.megabytes,
    },
  ] as const;
  return findings.flatMap(({ title, unit, most, read }): Finding[] => {
    const ours = candidate(`the ${role} role`, taken.role.map(read));
    return [
      { kind: 'figure', title, unit, value: ours.median, goal: { atMost: most } },
      ratioOf({ title, unit }, ours, candidate('Node.js that listens', taken.bare.map(read))),
    ];
  });
}

async function started(start: () => ReturnType<typeof startMeasuredServer>, looks: number): Promise<Start> {
  const server = await start();
  try {
    let { rssBytes } = await server.usageAtRest();
    for (let look = 1; look < looks; look++) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
      const before = rssBytes;
      ({ rssBytes } = await server.usageAtRest());
      if (Math.abs(rssBytes - before) < STEADY_BYTES) break;
    }
    return { startedInMs: server.startedInMs, megabytes: rssBytes / MEGABYTE };
  } finally {
    await server.stop();
  }
}
