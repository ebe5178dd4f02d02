import type { Pool } from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Logger } from '../../../src/telemetry/logger.ts';
import { openSpans } from '../../../src/telemetry/tracing/opentelemetry.ts';
import type { OpenSpan, SpanPlan, Spans } from '../../../src/telemetry/tracing/spans.ts';
import { createTracing } from '../../../src/telemetry/tracing/tracing.ts';
import { type Collector, openCollector } from './collector.ts';

let collector: Collector;
let opened: Spans[];
let lost: { error: unknown; spans: number }[];
let givenUp: PromiseWithResolvers<string>;

beforeEach(async () => {
  collector = await openCollector();
  opened = [];
  lost = [];
  givenUp = Promise.withResolvers();
});
afterEach(async () => {
  // What is left of a stop's time is seldom a whole number of milliseconds.
  await Promise.all(opened.map((spans) => spans.close(0.5)));
  await collector.close();
});

function open({ ratio = 1, endpoint = collector.endpoint } = {}): Spans {
  const spans = openSpans({
    endpoint,
    ratio,
    headers: { 'x-key': 'value' },
    serviceName: 'under-test',
    onLoss(error, count) {
      lost.push({ error, spans: count });
      givenUp.resolve('given up');
    },
  });
  opened.push(spans);
  return spans;
}

const ROOT: SpanPlan = { name: 'root', within: 'nothing' };
const PART: SpanPlan = { name: 'part', within: 'around' };
const SENT_MS = 10_000;
const nothing = async () => {};

test('spans arrive at the collector with their headers, with or without a slash after its address', async () => {
  const spans = open({ endpoint: `${collector.endpoint}/` });
  await spans.run({ ...ROOT, attributes: { count: 3, code: 'X', ok: true, absent: null } }, nothing);
  await spans.close(SENT_MS);
  expect(collector.received[0]).toMatchObject({ path: '/v1/traces', headers: { 'x-key': 'value' } });
  expect(collector.spans).toMatchObject([
    {
      service: 'under-test',
      name: 'root',
      parentSpanId: null,
      attributes: { count: 3, code: 'X', ok: true },
    },
  ]);
  expect(collector.spans[0]?.attributes).not.toHaveProperty('absent');
});

test('spans have the surrounding span as parent, across awaits and beside parallel ones', async () => {
  const spans = open();
  const request = (name: string) =>
    spans.run({ ...ROOT, name }, async () => {
      await new Promise((resolve) => setImmediate(resolve));
      await spans.run({ ...PART, name: `part of ${name}` }, nothing);
    });
  await Promise.all([request('a'), request('b')]);
  await spans.close(SENT_MS);
  for (const name of ['a', 'b']) {
    const whole = collector.spans.find((span) => span.name === name);
    const part = collector.spans.find((span) => span.name === `part of ${name}`);
    expect(part).toMatchObject({ traceId: whole?.traceId, parentSpanId: whole?.spanId });
  }
});

test('a part without a root creates no span, and its work runs as usual', async () => {
  const spans = open();
  const work = async (span: OpenSpan) => {
    span.note({ a: 1 });
    return spans.context();
  };
  expect(await spans.run(PART, work)).toBeNull();
  spans.event('nowhere', {});
  await spans.close(SENT_MS);
  expect(collector.spans).toEqual([]);
});

describe('a stored context', () => {
  test('is the parent of a later span, in another process too', async () => {
    const kept = await open().run(ROOT, async () => opened[0]?.context() ?? '');
    expect(kept).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    const other = open();
    await other.run({ ...PART, within: kept, links: [kept] }, nothing);
    other.past({ name: 'wait', within: kept }, Date.now() - 5_000);
    await Promise.all(opened.map((spans) => spans.close(SENT_MS)));
    const [, traceId, spanId] = kept.split('-');
    const part = collector.spans.find(({ name }) => name === 'part');
    expect(part).toMatchObject({ traceId, parentSpanId: spanId, links: [{ traceId, spanId }] });
    const wait = collector.spans.find(({ name }) => name === 'wait');
    expect(wait).toMatchObject({ traceId, parentSpanId: spanId });
    expect(wait?.lasted).toBeGreaterThanOrEqual(5_000);
  });

  test('holds the sampling decision for the whole trace', async () => {
    const never = open({ ratio: 0 });
    const dropped = await never.run(ROOT, async () => never.context() ?? '');
    expect(dropped).toMatch(/-00$/);
    const always = open();
    await always.run({ ...PART, within: dropped }, nothing);
    const taken = await always.run(ROOT, async () => always.context() ?? '');
    await never.run({ ...PART, within: taken }, nothing);
    await Promise.all(opened.map((spans) => spans.close(SENT_MS)));
    expect(collector.spans.map(({ name, traceId }) => [name, traceId])).toEqual(
      expect.arrayContaining([
        ['root', taken.split('-')[1]],
        ['part', taken.split('-')[1]],
      ]),
    );
    expect(collector.spans).toHaveLength(2);
  });

  test('that is invalid starts a new trace', async () => {
    const spans = open();
    await spans.run({ ...PART, within: 'not a context', links: ['nor this'] }, nothing);
    await spans.close(SENT_MS);
    expect(collector.spans).toMatchObject([{ parentSpanId: null, links: [] }]);
  });
});

describe('failures', () => {
  test('have the types and codes of the error and its causes, and never the message', async () => {
    const spans = open();
    const cause = Object.assign(new RangeError('secret of the cause'), { code: 'ECONNRESET' });
    const error = Object.assign(new TypeError('secret words about a@example.org', { cause }), {
      code: '23505',
    });
    await expect(spans.run(ROOT, () => Promise.reject(error))).rejects.toBe(error);
    await spans.close(SENT_MS);
    expect(collector.spans[0]?.isError).toBe(true);
    expect(collector.spans[0]?.events).toEqual([
      {
        name: 'exception',
        attributes: {
          'exception.type': 'TypeError',
          'error.code': '23505',
          'error.causes': 'RangeError ECONNRESET',
        },
      },
    ]);
    expect(collector.received.map(({ body }) => body).join()).not.toMatch(/secret|example\.org/);
  });

  test('do not include expected error answers', async () => {
    const spans = open();
    const plan = { ...ROOT, isFailure: () => false };
    await expect(spans.run(plan, () => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
    await spans.run({ ...ROOT, name: 'said' }, async (span) => span.fail());
    await spans.close(SENT_MS);
    expect(collector.spans.map(({ name, isError }) => [name, isError])).toEqual([
      ['root', false],
      ['said', true],
    ]);
    expect(collector.spans[0]?.events).toEqual([]);
  });
});

test('a long value is truncated', async () => {
  const spans = open();
  await spans.run({ ...ROOT, attributes: { long: 'x'.repeat(10_000) } }, nothing);
  await spans.close(SENT_MS);
  expect(String(collector.spans[0]?.attributes.long)).toHaveLength(256);
});

test('closing waits for a collector that hangs only until its timeout', async () => {
  collector.answer = 'hang';
  const spans = open();
  await spans.run(ROOT, nothing);
  const closed = spans.close(50).then(() => 'closed');
  expect(await Promise.race([closed, givenUp.promise])).toBe('closed');
});

test('spans beyond the buffer are dropped and not held in memory', async () => {
  collector.answer = 'with 500';
  const spans = open();
  for (let made = 0; made < 12_000; made += 1) spans.past({ name: 'one', within: 'nothing' }, Date.now());
  await spans.close(SENT_MS);
  const told = lost.reduce((sum, one) => sum + one.spans, 0);
  expect(told).toBeGreaterThan(0);
  expect(told).toBeLessThanOrEqual(5_000);
});

test('when the database is away the trace is split into parts, and the work is done', async () => {
  const spans = open();
  const away = { query: () => Promise.reject(new Error('away')) } as unknown as Pool;
  const noted: string[] = [];
  const logger = { debug: (_fields: object, message: string) => noted.push(message) } as unknown as Logger;
  const tracing = createTracing(spans, { pool: away, logger });
  const hold = { kind: 'stagingJob', jobId: 'a-job', owner: 'a-node', epoch: 3, queuedAt: Date.now() };
  expect(await tracing.run(hold, async () => 'done')).toBe('done');
  const isFailure = () => true;
  const part = { name: 'callback' };
  const callback = () => tracing.forAttempt('an-attempt', part, async () => 'recorded');
  expect(await tracing.request({ name: 'request', isFailure }, callback)).toBe('recorded');
  await spans.close(SENT_MS);
  expect(collector.spans.map(({ name }) => name)).toEqual(['run stagingJob', 'callback', 'request']);
  expect(noted).toEqual(Array(3).fill('a trace is in pieces'));
});
