import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { onWeb } from '../../support/platform/agent.ts';
import { submit } from '../../support/platform/listing.ts';
import { finishBoughtOnce } from '../../support/platform/outcomes.ts';
import { openStagingWorld, type StagingWorld } from '../../support/platform/staging-world.ts';
import { type Collector, openCollector } from './collector.ts';

/** Tracing that is off, sampled out or broken: rooms are staged as usual and processes exit normally. */
let collector: Collector;
let world: StagingWorld;
const SPY = { NODE_OPTIONS: `--import=${new URL('./module-spy.ts', import.meta.url)}` };
const NOBODY_THERE = 'http://127.0.0.1:9';

beforeAll(async () => {
  collector = await openCollector();
  world = await openStagingWorld({ workers: 0, settings: SPY });
}, 60_000);
afterEach(async () => {
  await world.calm();
  await Promise.all(world.platform.roles.slice(1).map((role) => role.stop()));
  collector.answer = 'well';
});
afterAll(async () => {
  await world.close();
  await collector.close();
});

/** Stages a room by roles with these settings, stops them, and returns their output. */
async function stage(variables: Record<string, string>): Promise<string[]> {
  const { platform, agent } = world;
  const from = platform.lines.length;
  const roles = [await platform.startWeb(variables), await platform.startWorker(variables)];
  await Promise.all(roles.map((role) => role.ready));
  const person = onWeb(platform, agent, platform.urls.length - 1);
  const { aiJobId } = await submit(person, await world.newOriginal());
  await finishBoughtOnce(platform, [aiJobId]);
  for (const role of roles) {
    await role.stop();
    expect(await role.exited).toEqual({ code: 0, signal: null });
  }
  return platform.lines.slice(from);
}

const traces = async () => (await world.platform.rows('select * from ai_job_traces')).length;
const loaded = (lines: readonly string[]) => lines.filter((line) => line.startsWith('loaded '));
const losses = (lines: readonly string[]) =>
  lines.filter((line) => line.includes('did not reach the collector'));

test('off: no module is loaded, no trace stored, nothing sent', async () => {
  const lines = await stage({});
  expect(loaded(lines)).toEqual([]);
  expect(await traces()).toBe(0);
  expect(collector.received).toEqual([]);
});

test('on: the SDK is loaded, and the job has a trace', async () => {
  const lines = await stage({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint });
  expect(loaded(lines)).toContain('loaded sdk-trace');
  expect(await traces()).toBe(2);
  expect(collector.spans.length).toBeGreaterThan(5);
  expect(losses(lines)).toEqual([]);
});

test('a sampling ratio of 0 sends nothing', async () => {
  const before = collector.received.length;
  await stage({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, OTEL_TRACES_SAMPLER_ARG: '0' });
  expect(collector.received.length).toBe(before);
});

describe('a broken collector affects no process, and each process logs it once', () => {
  test('unreachable', async () => {
    expect(losses(await stage({ OTEL_EXPORTER_OTLP_ENDPOINT: NOBODY_THERE })).length).toBeLessThanOrEqual(2);
  });

  test('answers with 500', async () => {
    collector.answer = 'with 500';
    expect(losses(await stage({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint }))).toHaveLength(2);
  });

  test('never answers', async () => {
    collector.answer = 'hang';
    const before = collector.received.length;
    await stage({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint });
    expect(collector.received.length).toBeGreaterThan(before);
  });
});
