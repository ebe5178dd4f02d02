import { readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { type Finding, isMet, measured } from './benchmark.ts';

/** What is kept of benchmarks: the last findings of each, with the machine they were measured on. */
export interface Results {
  readonly benches: Record<string, BenchResult>;
}

export interface BenchResult {
  /** ISO day. */
  readonly measuredOn: string;
  readonly machine: string;
  readonly rounds: number;
  readonly findings: readonly Finding[];
}

const DIGITS = 4;

/** @returns what the file holds; nothing when there is none */
export async function readResults(file: string): Promise<Results> {
  const text = await readFile(file, 'utf8').catch(() => '{"benches":{}}');
  return JSON.parse(text) as Results;
}

/** Puts the findings in place of the bench's earlier ones and leaves the other benches as they are. */
export async function keepResult(file: string, name: string, result: BenchResult): Promise<Results> {
  const before = await readResults(file);
  const results = { benches: { ...before.benches, [name]: result } };
  const rounded = (_: string, value: unknown) =>
    typeof value === 'number' ? Number(value.toPrecision(DIGITS)) : value;
  await writeFile(file, `${JSON.stringify(results, rounded, 2)}\n`);
  return results;
}

/** `2 × some processor, 24 GiB, Node.js v22.23.3` */
export function describeMachine(): string {
  const [first] = cpus();
  const gibibytes = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} × ${first?.model ?? 'unknown processor'}, ${gibibytes} GiB, Node.js ${process.version}`;
}

/** One line a finding, for a terminal. */
export function toText(finding: Finding): string {
  const goal = finding.goal === undefined ? '' : `, goal ${formatGoal(finding)}`;
  const note = finding.note === undefined ? '' : `\n    ${finding.note}`;
  if (finding.kind === 'figure')
    return `  ${finding.title}: ${figure(finding.value)} ${finding.unit}${goal}${note}`;
  const { ours, peer, unit } = finding;
  const sides = `${ours.name} ${figure(ours.median)}${spread(ours.samples)} against ${peer.name} ${figure(peer.median)}${spread(peer.samples)} ${unit}`;
  return `  ${finding.title}: ${figure(finding.ratio)} times (${sides})${goal}${note}`;
}

function formatGoal(finding: Finding): string {
  if (finding.goal === undefined) return '';
  const bound =
    'atLeast' in finding.goal ? `at least ${finding.goal.atLeast}` : `at most ${finding.goal.atMost}`;
  return `${bound}: ${isMet(finding.goal, measured(finding)) ? 'met' : 'NOT MET'}`;
}

function spread(samples: readonly number[]): string {
  return ` [${figure(Math.min(...samples))} to ${figure(Math.max(...samples))}]`;
}

function figure(value: number): string {
  if (Math.abs(value) >= 1_000) return Math.round(value).toLocaleString('en-US');
  return String(Number(value.toPrecision(3)));
}
