import { beforeEach, describe, expect, test } from 'vitest';
import type { Service } from '../../supervisors/service.ts';
import { type ChildSpec, createSupervisor, type SupervisorSpec } from '../../supervisors/supervisor.ts';
import { eventually } from '../harness/eventually.ts';
import { createManualTime, type ManualTime } from '../harness/manual-time.ts';
import { createRecordingReporter, type RecordingReporter } from './recording-ports.ts';

let time: ManualTime;
let reporter: RecordingReporter;
/** What happened to the children, in order: `+a1` started, `-a1` stopped; the number is the generation. */
let log: string[];
let children: Map<string, FakeChild>;
beforeEach(() => {
  time = createManualTime();
  reporter = createRecordingReporter();
  log = [];
  children = new Map();
});

class FakeChild implements Service {
  readonly name: string;
  readonly generation: number;
  readonly #ended = Promise.withResolvers<void>();
  startFailure: Error | null = null;
  stopFailure: Error | null = null;
  /** Stopping waits for this. */
  stopGate: Promise<void> = Promise.resolve();

  constructor(name: string, generation: number) {
    this.name = name;
    this.generation = generation;
  }
  async start(): Promise<void> {
    log.push(`+${this.name}${this.generation}`);
    if (this.startFailure) throw this.startFailure;
  }
  done(): Promise<void> {
    return this.#ended.promise;
  }
  async stop(graceMs: number): Promise<void> {
    log.push(`-${this.name}${this.generation}@${graceMs}`);
    await this.stopGate;
    if (this.stopFailure) throw this.stopFailure;
    this.#ended.resolve();
  }
  crash(): void {
    this.#ended.reject(new Error(`${this.name} crashed`));
  }
}

const child = (name: string, onCreate: (made: FakeChild) => void = () => {}): ChildSpec => ({
  name,
  shutdownMs: 1_000,
  create() {
    const made = new FakeChild(name, (children.get(name)?.generation ?? 0) + 1);
    children.set(name, made);
    onCreate(made);
    return made;
  },
});
const supervise = (spec: Partial<SupervisorSpec> = {}) =>
  createSupervisor({
    ...{ name: 'tree', strategy: 'one_for_one', intensity: { restarts: 3, withinMs: 60_000 } },
    ...{ children: [child('a'), child('b'), child('c')], clock: time, reporter },
    ...spec,
  });
const happens = (...expected: string[]) =>
  eventually(() => log.join() === expected.join(), { what: `${expected}, not ${log}`, intervalMs: 2 });
const STARTED = ['+a1', '+b1', '+c1'];

describe('strategies', () => {
  test('one_for_one restarts the child alone', async () => {
    const tree = supervise();
    await tree.start();
    children.get('b')?.crash();
    await happens(...STARTED, '-b1@1000', '+b2');
    expect(reporter.problems).toMatchObject([{ what: 'tree/b crashed' }]);
    await tree.stop(5_000);
  });

  test('rest_for_one restarts those below it too: stopped from the bottom, started from the top', async () => {
    const tree = supervise({ strategy: 'rest_for_one' });
    await tree.start();
    children.get('b')?.crash();
    await happens(...STARTED, '-c1@1000', '-b1@1000', '+b2', '+c2');
    await tree.stop(5_000);
  });

  test('two crashes at once restart each child once', async () => {
    const tree = supervise({ strategy: 'rest_for_one' });
    await tree.start();
    children.get('a')?.crash();
    children.get('c')?.crash();
    await happens(...STARTED, '-c1@1000', '-b1@1000', '-a1@1000', '+a2', '+b2', '+c2');
    children.get('c')?.crash();
    await happens(...STARTED, '-c1@1000', '-b1@1000', '-a1@1000', '+a2', '+b2', '+c2', '-c2@1000', '+c3');
    await tree.stop(5_000);
  });

  test('a child that was replaced may crash late without any effect', async () => {
    const tree = supervise({ strategy: 'rest_for_one' });
    await tree.start();
    const first = children.get('c');
    children.get('b')?.crash();
    await happens(...STARTED, '-c1@1000', '-b1@1000', '+b2', '+c2');
    first?.crash();
    expect(reporter.problems).toHaveLength(1);
    await tree.stop(5_000);
  });
});

describe('intensity', () => {
  test('more restarts than allowed within the time: the others are stopped and done rejects', async () => {
    const tree = supervise({ children: [child('a'), child('b')] });
    await tree.start();
    for (let crash = 1; crash <= 3; crash += 1) {
      children.get('a')?.crash();
      await eventually(() => children.get('a')?.generation === crash + 1, {
        what: 'a restart',
        intervalMs: 2,
      });
    }
    children.get('a')?.crash();
    await expect(tree.done()).rejects.toThrow('a crashed');
    expect(log.slice(-2)).toEqual(['-b1@1000', '-a4@1000']);
    await tree.stop(5_000);
  });

  test('crashes further apart are forgiven', async () => {
    const tree = supervise({ children: [child('a')] });
    await tree.start();
    for (let crash = 1; crash <= 8; crash += 1) {
      time.advance(20_000);
      children.get('a')?.crash();
      await eventually(() => children.get('a')?.generation === crash + 1, {
        what: 'a restart',
        intervalMs: 2,
      });
    }
    await tree.stop(5_000);
    await tree.done();
  });

  test('a child that cannot start again takes the supervisor down', async () => {
    const broken = child('b', (made) => {
      if (made.generation > 1) made.startFailure = new Error('port taken');
    });
    const tree = supervise({ children: [child('a'), broken] });
    await tree.start();
    children.get('b')?.crash();
    await expect(tree.done()).rejects.toThrow('port taken');
    expect(log).toContain('-a1@1000');
  });

  test('a supervisor is a child like any other: its end counts in the tree above', async () => {
    const inner = () =>
      supervise({ name: 'inner', children: [child('a')], intensity: { restarts: 0, withinMs: 1 } });
    const tree = supervise({
      children: [{ name: 'inner', create: inner, shutdownMs: 2_000 }],
      intensity: { restarts: 1, withinMs: 60_000 },
    });
    await tree.start();
    children.get('a')?.crash();
    await eventually(() => children.get('a')?.generation === 2, { what: 'a second tree', intervalMs: 2 });
    children.get('a')?.crash();
    await expect(tree.done()).rejects.toThrow();
  });
});

describe('start and stop', () => {
  test('stops from the bottom, each within the shorter time, and done resolves', async () => {
    const tree = supervise();
    await tree.start();
    await tree.stop(300);
    expect(log).toEqual([...STARTED, '-c1@300', '-b1@300', '-a1@300']);
    await tree.done();
  });

  test('stop twice is one stop', async () => {
    const tree = supervise();
    await tree.start();
    await Promise.all([tree.stop(300), tree.stop(300)]);
    await tree.stop(300);
    expect(log).toHaveLength(6);
  });

  test('a start that fails rejects, and stop still ends what had started', async () => {
    const broken = child('b', (made) => {
      made.startFailure = new Error('port taken');
    });
    const tree = supervise({ children: [child('a'), broken, child('c')] });
    await expect(tree.start()).rejects.toThrow('port taken');
    await tree.stop(300);
    expect(log).toEqual(['+a1', '+b1', '-b1@300', '-a1@300']);
  });

  test('a child that does not stop cleanly does not keep the others from it, nor the end', async () => {
    const broken = child('c', (made) => {
      made.stopFailure = new Error('stuck');
    });
    const spec = { children: [child('a'), broken], intensity: { restarts: 0, withinMs: 1 } };
    const stopped = supervise(spec);
    await stopped.start();
    await stopped.stop(300);
    await stopped.done();
    expect(log).toEqual(['+a1', '+c1', '-c1@300', '-a1@300']);
    const crashed = supervise(spec);
    await crashed.start();
    children.get('a')?.crash();
    await expect(crashed.done()).rejects.toThrow('a crashed');
  });

  test('a crash while stopping restarts nothing', async () => {
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const slow = child('c', (made) => {
      made.stopGate = gate;
    });
    const tree = supervise({ children: [child('a'), child('b'), slow] });
    await tree.start();
    const stopped = tree.stop(300);
    children.get('a')?.crash();
    open();
    await stopped;
    expect(log).toEqual([...STARTED, '-c1@300', '-b1@300', '-a1@300']);
    await tree.done();
  });

  test('a stop in the middle of a restart leaves nothing running', async () => {
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const slow = child('b', (made) => {
      if (made.generation === 1) made.stopGate = gate;
    });
    const tree = supervise({ strategy: 'rest_for_one', children: [child('a'), slow] });
    await tree.start();
    children.get('a')?.crash();
    await happens('+a1', '+b1', '-b1@1000');
    const stopped = tree.stop(300);
    open();
    await stopped;
    const running = new Set<string>();
    for (const entry of log) {
      const [name = ''] = entry.slice(1).split('@');
      if (entry.startsWith('+')) running.add(name);
      else running.delete(name);
    }
    expect([...running]).toEqual([]);
    await tree.done();
  });
});
