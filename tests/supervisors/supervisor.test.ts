import { beforeEach, describe, expect, test } from 'vitest';
import { endedBy, type Service } from '../../supervisors/supervision/service.ts';
import {
  type ChildSpec,
  RESTART_GRACE_MS,
  Supervisor,
  type SupervisorSpec,
} from '../../supervisors/supervision/supervisor.ts';
import { eventually } from '../support/eventually.ts';
import { createManualTime, type ManualTime } from '../support/manual-time.ts';
import { createRecordingReporter, type RecordingReporter } from '../support/worlds/recording-ports.ts';

let time: ManualTime;
let reporter: RecordingReporter;
/** What happened to the children, in order: `+a1` started, `.a1` claims no more, `-a1` stopped; with the generation. */
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
  stopClaiming(): void {
    log.push(`.${this.name}${this.generation}`);
  }
  async stop(deadline: AbortSignal): Promise<void> {
    log.push(`-${this.name}${this.generation}`);
    await endedBy(this.stopGate, deadline);
    if (this.stopFailure) throw this.stopFailure;
    this.#ended.resolve();
  }
  crash(): void {
    this.#ended.reject(new Error(`${this.name} crashed`));
  }
}

const child = (name: string, onCreate: (made: FakeChild) => void = () => {}): ChildSpec => ({
  name,
  create() {
    const made = new FakeChild(name, (children.get(name)?.generation ?? 0) + 1);
    children.set(name, made);
    onCreate(made);
    return made;
  },
});
const supervise = (spec: Partial<SupervisorSpec> = {}) =>
  new Supervisor({
    name: 'tree',
    strategy: 'one_for_one',
    intensity: { restarts: 3, withinMs: 60_000 },
    children: [child('a'), child('b'), child('c')],
    clock: time,
    timers: time,
    reporter,
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
    await happens(...STARTED, '.b1', '-b1', '+b2');
    expect(reporter.problems).toMatchObject([{ what: 'tree/b crashed' }]);
    await tree.stop(AbortSignal.timeout(5_000));
  });

  test('rest_for_one also restarts the children after it: stopped at once, started in order', async () => {
    const tree = supervise({ strategy: 'rest_for_one' });
    await tree.start();
    children.get('b')?.crash();
    await happens(...STARTED, '.b1', '.c1', '-b1', '-c1', '+b2', '+c2');
    await tree.stop(AbortSignal.timeout(5_000));
  });

  test('two crashes at once restart each child once', async () => {
    const tree = supervise({ strategy: 'rest_for_one' });
    await tree.start();
    children.get('a')?.crash();
    children.get('c')?.crash();
    const restarted = ['.a1', '.b1', '.c1', '-a1', '-b1', '-c1', '+a2', '+b2', '+c2'];
    await happens(...STARTED, ...restarted);
    children.get('c')?.crash();
    await happens(...STARTED, ...restarted, '.c2', '-c2', '+c3');
    await tree.stop(AbortSignal.timeout(5_000));
  });

  test('a late crash of a replaced child has no effect', async () => {
    const tree = supervise({ strategy: 'rest_for_one' });
    await tree.start();
    const first = children.get('c');
    children.get('b')?.crash();
    await happens(...STARTED, '.b1', '.c1', '-b1', '-c1', '+b2', '+c2');
    first?.crash();
    expect(reporter.problems).toHaveLength(1);
    await tree.stop(AbortSignal.timeout(5_000));
  });
});

describe('intensity', () => {
  test('too many restarts within the period stop the other children, and done rejects', async () => {
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
    expect(log.slice(-4)).toEqual(['.a4', '.b1', '-a4', '-b1']);
    await tree.stop(AbortSignal.timeout(5_000));
  });

  test('crashes further apart do not count', async () => {
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
    await tree.stop(AbortSignal.timeout(5_000));
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
    expect(log).toContain('-a1');
  });

  test('a supervisor is a child like any other: its end counts in the tree above', async () => {
    const inner = () =>
      supervise({ name: 'inner', children: [child('a')], intensity: { restarts: 0, withinMs: 1 } });
    const tree = supervise({
      children: [{ name: 'inner', create: inner }],
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
  const STOPPED = ['.a1', '.b1', '.c1', '-a1', '-b1', '-c1'];

  test('every child stops taking work before any is awaited, and done resolves', async () => {
    const tree = supervise();
    await tree.start();
    await tree.stop(AbortSignal.timeout(300));
    expect(log).toEqual([...STARTED, ...STOPPED]);
    await tree.done();
  });

  test('the first phase reaches every leaf of a tree at once, and nothing is restarted after it', async () => {
    const inner = () => supervise({ name: 'inner', children: [child('b'), child('c')] });
    const tree = supervise({ children: [child('a'), { name: 'inner', create: inner }] });
    await tree.start();
    tree.stopClaiming?.();
    expect(log).toEqual([...STARTED, '.a1', '.b1', '.c1']);
    children.get('b')?.crash();
    await tree.stop(AbortSignal.timeout(300));
    expect(log).not.toContain('+b2');
  });

  test('children that hang share one deadline', async () => {
    const deadline = new AbortController();
    const seen: AbortSignal[] = [];
    const hanging = (name: string) =>
      child(name, (made) => {
        made.stopGate = new Promise(() => {});
        const stop = made.stop.bind(made);
        made.stop = (given) => {
          seen.push(given);
          return stop(given);
        };
      });
    const inner = () => supervise({ name: 'inner', children: [hanging('b'), hanging('c')] });
    const tree = supervise({ children: [hanging('a'), { name: 'inner', create: inner }] });
    await tree.start();
    const stopped = tree.stop(deadline.signal);
    await eventually(() => seen.length === 3, { what: 'three stops', intervalMs: 2 });
    deadline.abort();
    await stopped;
    expect(seen).toEqual([deadline.signal, deadline.signal, deadline.signal]);
  });

  test('a restart waits for a child that hangs, and no longer than its grace', async () => {
    const slow = child('b', (made) => {
      if (made.generation === 1) made.stopGate = new Promise(() => {});
    });
    const tree = supervise({ strategy: 'rest_for_one', children: [child('a'), slow] });
    await tree.start();
    children.get('a')?.crash();
    await happens('+a1', '+b1', '.a1', '.b1', '-a1', '-b1');
    expect(time.sleeping()).toEqual([RESTART_GRACE_MS]);
    time.advance(RESTART_GRACE_MS);
    await happens('+a1', '+b1', '.a1', '.b1', '-a1', '-b1', '+a2', '+b2');
    expect(time.sleeping()).toEqual([]);
    await tree.stop(AbortSignal.timeout(300));
  });

  test('stop twice is one stop', async () => {
    const tree = supervise();
    await tree.start();
    await Promise.all([tree.stop(AbortSignal.timeout(300)), tree.stop(AbortSignal.timeout(300))]);
    await tree.stop(AbortSignal.timeout(300));
    expect(log).toHaveLength(9);
  });

  test('a start that fails rejects, and stop still ends what had started', async () => {
    const broken = child('b', (made) => {
      made.startFailure = new Error('port taken');
    });
    const tree = supervise({ children: [child('a'), broken, child('c')] });
    await expect(tree.start()).rejects.toThrow('port taken');
    await tree.stop(AbortSignal.timeout(300));
    expect(log).toEqual(['+a1', '+b1', '.a1', '.b1', '-a1', '-b1']);
  });

  test('a child that fails to stop does not prevent the others, nor the supervisor, from stopping', async () => {
    const broken = child('c', (made) => {
      made.stopFailure = new Error('stuck');
    });
    const spec = { children: [child('a'), broken], intensity: { restarts: 0, withinMs: 1 } };
    const stopped = supervise(spec);
    await stopped.start();
    await stopped.stop(AbortSignal.timeout(300));
    await stopped.done();
    expect(log).toEqual(['+a1', '+c1', '.a1', '.c1', '-a1', '-c1']);
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
    const stopped = tree.stop(AbortSignal.timeout(300));
    children.get('a')?.crash();
    open();
    await stopped;
    expect(log).toEqual([...STARTED, ...STOPPED]);
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
    await happens('+a1', '+b1', '.a1', '.b1', '-a1', '-b1');
    const stopped = tree.stop(AbortSignal.timeout(300));
    open();
    await stopped;
    const running = new Set<string>();
    for (const entry of log) {
      const name = entry.slice(1);
      if (entry.startsWith('+')) running.add(name);
      if (entry.startsWith('-')) running.delete(name);
    }
    expect([...running]).toEqual([]);
    await tree.done();
  });
});
