import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { nodeFlags } from '../../dev/stack/procfile.ts';
import { eachLine, parseObject } from '../../dev/stack/ready-line.ts';
import { PROCFILE, REPOSITORY } from '../../dev/stack/role-process.ts';
import type { Figure } from '../benchmark.ts';
import type { Usage, UsageQuestion } from './usage-reporter.ts';

/** A server in a process of its own whose use of the machine can be asked. */
export interface MeasuredServer {
  /** Origin that it listens on. */
  readonly url: string;
  /** From the launch to its `listening` line. */
  readonly startedInMs: number;
  usage(): Promise<Usage>;
  /** After a garbage collection. */
  usageAtRest(): Promise<Usage>;
  /** Ends it at once and waits until it is gone. */
  stop(): Promise<void>;
}

export interface ServerProgram {
  /** From the repository's root. */
  readonly entry: string;
  readonly args?: readonly string[];
  /** Its whole environment; that of this process when absent. */
  readonly env?: NodeJS.ProcessEnv;
}

const REPORTER = fileURLToPath(new URL('./usage-reporter.ts', import.meta.url));
const LAST_OUTPUT = 20;
/** Set to a directory, each server writes a profile of its processor time there when it ends. */
const PROFILE_VARIABLE = 'BENCH_CPU_PROFILES';

/**
 * Starts a program, with the flags of Node.js that the web role has, that prints a JSON line with `"msg":"listening"` and its `url`, as the roles do.
 * @throws Error with its last words when it ends before that
 */
export async function startMeasuredServer({ entry, args = [], env }: ServerProgram): Promise<MeasuredServer> {
  const began = performance.now();
  const child = fork(entry, [...args], {
    cwd: REPOSITORY,
    execArgv: [...nodeFlags(PROCFILE, 'web'), '--expose-gc', ...profiling(), '--import', REPORTER],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    ...(env ? { env } : {}),
  });
  const url = await listening(child, entry);
  const startedInMs = performance.now() - began;
  const ask = async (question: UsageQuestion): Promise<Usage> => {
    child.send(question);
    const [usage] = await once(child, 'message');
    return usage as Usage;
  };
  return {
    url,
    startedInMs,
    usage: () => ask('usage'),
    usageAtRest: () => ask('usage at rest'),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.disconnect();
      await gone;
    },
  };
}

function profiling(): string[] {
  const directory = process.env[PROFILE_VARIABLE];
  return directory === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${directory}`];
}

function listening(child: ChildProcess, entry: string): Promise<string> {
  const words: string[] = [];
  const keep = (line: string) => {
    words.push(line);
    if (words.length > LAST_OUTPUT) words.shift();
  };
  eachLine(child.stderr, keep);
  return new Promise((resolve, reject) => {
    const { stdout } = child;
    if (stdout === null) return reject(new Error(`${entry} has no output`));
    const lines = createInterface({ input: stdout }).on('line', (line) => {
      keep(line);
      const { msg, url } = parseObject(line);
      if (msg !== 'listening' || typeof url !== 'string') return;
      // What it says from now on is only taken off the pipe: reading it line by line would cost the load's processor.
      lines.close();
      stdout.resume();
      resolve(url);
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`${entry} ended before it listened:\n${words.join('\n')}`)));
  });
}

const LISTENING_MS = 800;
const RESTING_MEGABYTES = 150;
const MEGABYTE = 1e6;
/** A process is at rest when its resident memory has changed by less than this since the previous reading. */
const STEADY_BYTES = 1e6;
const LOOK_EVERY_MS = 1_000;
const MOST_LOOKS = 5;

/** How soon a role that has just started listened, and the memory that it rests at. */
export async function startFigures(role: string, server: MeasuredServer): Promise<Figure[]> {
  let { rssBytes } = await server.usageAtRest();
  for (let look = 1, before = 0; look < MOST_LOOKS && Math.abs(rssBytes - before) > STEADY_BYTES; look++) {
    await pause(LOOK_EVERY_MS);
    before = rssBytes;
    ({ rssBytes } = await server.usageAtRest());
  }
  const rest = rssBytes / MEGABYTE;
  const [listens, rests] = [{ atMost: LISTENING_MS }, { atMost: RESTING_MEGABYTES }];
  const title = `start-up of ${role}: launch to listening`;
  return [
    { kind: 'figure', title, unit: 'ms', value: server.startedInMs, goal: listens },
    { kind: 'figure', title: `memory of ${role} at rest`, unit: 'MB', value: rest, goal: rests },
  ];
}
