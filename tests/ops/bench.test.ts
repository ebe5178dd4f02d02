import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alternate, candidate, quantile, ratioOf } from '../../ops/bench/alternate.ts';
import type { Finding } from '../../ops/bench/benchmark.ts';
import { BENCH, missingPeers } from '../../ops/bench/peers.ts';
import { keepResult, readResults, toText } from '../../ops/bench/results.ts';
import { startProgram } from '../support/platform/started-program.ts';

const PEERS = join(BENCH, 'peers');
let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'bench-test-'));
});
afterAll(() => rm(directory, { recursive: true }));

describe('alternate', () => {
  test('gives each candidate one warm-up turn, then rounds that begin with each candidate alternately', async () => {
    const turns: string[] = [];
    const side = (name: string, values: Record<number, number>) => ({
      name,
      async turn(round: number) {
        turns.push(`${name}${round}`);
        return values[round] ?? Number.NaN;
      },
    });
    const ours = side('a', { [-1]: 1e9, 0: 30, 1: 10, 2: 20 });
    const peer = side('b', { [-1]: 1e9, 0: 5, 1: 1_000, 2: 10 });
    const finding = await alternate({ title: 'x', unit: '/s', goal: { atLeast: 2 }, ours, peer }, 3);
    expect(turns).toEqual(['a-1', 'b-1', 'a0', 'b0', 'b1', 'a1', 'a2', 'b2']);
    expect(finding.ours).toEqual({ name: 'a', samples: [30, 10, 20], median: 20 });
    expect(finding.peer.median).toBe(10);
    expect(finding.ratio).toBe(2);
  });
});

describe('quantile', () => {
  test('interpolates between neighbors by distance and sorts by number', () => {
    expect(quantile([100, 9, 20], 0.5)).toBe(20);
    expect(quantile([1, 2, 3, 4], 0.5)).toBe(2.5);
    expect(quantile([0, 10], 0.99)).toBeCloseTo(9.9);
    expect(quantile([7], 1)).toBe(7);
    expect(() => quantile([], 0.5)).toThrow(RangeError);
  });
});

test('the programs that run beside the peers import files that exist', async () => {
  // The compiler does not check these files: their packages are not installed with the product.
  const programs = (await readdir(PEERS)).filter((name) => name.endsWith('.ts'));
  const missing: string[] = [];
  for (const name of programs) {
    const text = await readFile(join(PEERS, name), 'utf8');
    for (const [, path = ''] of text.matchAll(/from '(\.[^']+)'/g))
      if (!existsSync(join(PEERS, path))) missing.push(`${name}: ${path}`);
  }
  expect(programs).toContain('dbos-staging.ts');
  expect(missing).toEqual([]);
});

test('one line says what to install as long as the package of the benches is not installed', async () => {
  expect(missingPeers(directory)).toBe(
    'Install what the benches need first: npm ci --ignore-scripts --prefix ops/bench',
  );
  await mkdir(join(directory, 'node_modules/vega-lite'), { recursive: true });
  expect(missingPeers(directory)).toBeNull();
});

describe('results', () => {
  const finding: Finding = { kind: 'figure', title: 'memory', unit: 'MB', value: 123.456 };
  const result = { measuredOn: '2026-01-02', machine: 'one', rounds: 5, findings: [finding] };

  test('a bench replaces its own earlier results and no others', async () => {
    const file = join(directory, 'results.json');
    await keepResult(file, 'first', result);
    await keepResult(file, 'second', { ...result, machine: 'two' });
    await keepResult(file, 'first', { ...result, machine: 'three' });
    const { benches } = await readResults(file);
    expect(Object.entries(benches).map(([name, { machine }]) => [name, machine])).toEqual([
      ['first', 'three'],
      ['second', 'two'],
    ]);
    expect(JSON.parse(await readFile(file, 'utf8')).benches.first.findings[0].value).toBe(123.5);
  });

  test('a missed goal is printed, in both directions', () => {
    const about = { title: 'speed', unit: '/s' } as const;
    const [ours, peer] = [candidate('we', [10]), candidate('they', [20])];
    expect(toText(ratioOf({ ...about, goal: { atLeast: 0.5 } }, ours, peer))).toContain('at least 0.5: met');
    expect(toText(ratioOf({ ...about, goal: { atLeast: 0.51 } }, ours, peer))).toContain('NOT MET');
    expect(toText(ratioOf({ ...about, goal: { atMost: 0.5 } }, ours, peer))).toContain('at most 0.5: met');
    expect(toText(ratioOf({ ...about, goal: { atMost: 0.49 } }, ours, peer))).toContain('NOT MET');
  });
});

describe('npm run bench', () => {
  const bench = async (...args: string[]) => {
    const program = startProgram(['ops/cli/bench.ts', ...args]);
    return { code: await program.ended(), text: program.said() };
  };

  test('prints its help', async () => {
    const { code, text } = await bench('--help');
    expect(code).toBe(0);
    expect(text).toContain('Usage: npm run bench');
  });

  test.each([
    [['nonsense'], 'no benchmark named nonsense'],
    [['--rounds', '4'], 'from 5 to 99'],
    [['--rounds', 'many'], 'from 5 to 99'],
    [['--listings', 'many'], '--listings takes a whole number'],
    [['--listings', '0'], '--listings takes a whole number'],
    [['--faster'], "Unknown option '--faster'"],
  ])('rejects %j before it measures anything', async (args, reason) => {
    const { code, text } = await bench(...args);
    expect(code).toBe(2);
    expect(text).toContain(reason);
  });
});
