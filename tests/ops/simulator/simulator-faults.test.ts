import { request as rawRequest } from 'node:http';
import { describe, expect, test } from 'vitest';
import { addFault, ledgerOf, purchases, releaseHeld } from '../../../ops/simulator/control-client.ts';
import { FAULT_NAMES, FAULTS } from '../../../ops/simulator/faults/fault-catalogue.ts';
import type { FaultRuleInput } from '../../../ops/simulator/faults/fault-rules.ts';
import { helpText } from '../../../ops/simulator/options.ts';
import { eventually } from '../../support/eventually.ts';
import { MODEL, openSimulator, type TestSimulator, TOKEN } from '../../support/worlds/simulator-harness.ts';

const WEBHOOK = 'https://127.0.0.1:1/hooks/attempt-1';

async function simulatorWith(rule: FaultRuleInput): Promise<TestSimulator> {
  const simulator = await openSimulator();
  await addFault(simulator.url, rule);
  return simulator;
}

async function boughtBy(simulator: TestSimulator): Promise<number> {
  return [...purchases(await ledgerOf(simulator.url)).values()].flat().length;
}

/**
 * Posts a create and returns how the connection behaved: the answer or the error that ended it, or 'open' while it
 * has not ended.
 */
function rawCreate(simulator: TestSimulator): { outcome: () => string; abandon: () => void } {
  let outcome = 'open';
  const req = rawRequest(`${simulator.url}/v1/models/${MODEL}/predictions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    agent: false,
  });
  req.on('response', (res) => {
    outcome = `status ${res.statusCode}`;
    res.on('error', () => {
      outcome = `status ${res.statusCode}, cut`;
    });
    res.resume();
  });
  req.on('error', (error: NodeJS.ErrnoException) => {
    if (outcome === 'open') outcome = error.code ?? error.message;
  });
  req.end(JSON.stringify({ input: { prompt: 'x' }, webhook: WEBHOOK }));
  return { outcome: () => outcome, abandon: () => req.destroy() };
}

test('every fault is in the help with its description', () => {
  for (const name of FAULT_NAMES) expect(helpText()).toContain(`${FAULTS[name].meaning}`);
});

describe('the answer to a create', () => {
  test.each<[FaultRuleInput, number, Record<string, unknown>, string | null]>([
    [{ fault: 'refuse-503' }, 503, { detail: 'Service unavailable' }, null],
    [{ fault: 'refuse-503', options: { retryAfter: 3 } }, 503, {}, '3'],
    [{ fault: 'throttle-header', options: { seconds: 7 } }, 429, { detail: 'Request was throttled.' }, '7'],
    [{ fault: 'throttle-body', options: { seconds: 7 } }, 429, { retry_after: 7, status: 429 }, null],
    [
      { fault: 'throttle-text', options: { seconds: 30 } },
      429,
      { detail: 'Request was throttled. Your rate limit resets in ~30s.' },
      null,
    ],
    [{ fault: 'unauthorized' }, 401, { title: 'Unauthenticated' }, null],
    [{ fault: 'unauthorized', options: { status: 403 } }, 403, { title: 'Forbidden' }, null],
    [{ fault: 'billing' }, 402, { title: 'Insufficient credit' }, null],
    [
      { fault: 'invalid-input' },
      422,
      { invalid_fields: [expect.objectContaining({ field: 'input' })] },
      null,
    ],
    [{ fault: 'invalid-input', options: { status: 413 } }, 413, { status: 413 }, null],
  ])('%j rejects the create without buying', async (rule, status, body, retryAfter) => {
    const simulator = await simulatorWith(rule);
    const refused = await simulator.create({}, { webhook: WEBHOOK });
    expect(refused).toMatchObject({ status, body });
    expect(refused.headers.get('retry-after')).toBe(retryAfter);
    expect(await ledgerOf(simulator.url)).toMatchObject([
      { accepted: false, httpStatus: status, reason: rule.fault },
    ]);
    expect((await simulator.create()).status).toBe(201);
  });

  test.each([
    ['timeout-before-acceptance', 0],
    ['timeout-after-acceptance', 1],
  ] as const)('%s leaves the caller waiting, with %i purchases', async (fault, bought) => {
    const simulator = await simulatorWith({ fault });
    const call = rawCreate(simulator);
    const creates = await eventually(
      async () => {
        const entries = (await ledgerOf(simulator.url)).filter((entry) => entry.kind === 'create');
        return entries.length > 0 ? entries : null;
      },
      { what: 'the POST in the ledger' },
    );
    expect(creates).toMatchObject([{ httpStatus: null, reason: fault, accepted: bought === 1 }]);
    expect(await boughtBy(simulator)).toBe(bought);
    if (bought) await simulator.ended(creates[0]!.predictionId ?? '');
    expect(call.outcome()).toBe('open');
    call.abandon();
  });

  test('accept-then-reset buys and resets the connection', async () => {
    const simulator = await simulatorWith({ fault: 'accept-then-reset' });
    const call = rawCreate(simulator);
    await eventually(() => call.outcome() !== 'open', { what: 'the reset' });
    expect(call.outcome()).toBe('ECONNRESET');
    expect(await boughtBy(simulator)).toBe(1);
  });

  test('accept-then-reset can cut the answer off in the middle', async () => {
    const simulator = await simulatorWith({ fault: 'accept-then-reset', options: { partial: true } });
    const call = rawCreate(simulator);
    await eventually(() => call.outcome() === 'status 201, cut', { what: 'half an answer' });
    expect(await boughtBy(simulator)).toBe(1);
  });

  test.each([500, 502, 504])('error-after-charging buys and answers %i', async (status) => {
    const simulator = await simulatorWith({ fault: 'error-after-charging', options: { status } });
    expect((await simulator.create({}, { webhook: WEBHOOK })).status).toBe(status);
    const [purchase] = purchases(await ledgerOf(simulator.url)).get('attempt-1')!;
    expect((await simulator.ended(purchase!.predictionId)).status).toBe('succeeded');
    const { results } = (await simulator.call('GET', '/v1/predictions')).body;
    expect(results).toMatchObject([{ id: purchase!.predictionId, webhook: WEBHOOK }]);
  });
});

describe('the course of a prediction', () => {
  test('never-finishes stays processing until it is canceled', async () => {
    const simulator = await simulatorWith({ fault: 'never-finishes' });
    const { id } = (await simulator.create()).body;
    const other = (await simulator.create()).body.id;
    await simulator.ended(other);
    expect((await simulator.get(id)).status).toBe('processing');
    await simulator.call('POST', `/v1/predictions/${id}/cancel`);
    expect((await simulator.get(id)).status).toBe('canceled');
  });

  test('finishes-after-cancel accepts the cancel and succeeds anyway', async () => {
    const simulator = await simulatorWith({ fault: 'finishes-after-cancel' });
    await simulator.call('POST', '/__control/settings', { hold: true });
    const { id } = (await simulator.create()).body;
    const cancel = await simulator.call('POST', `/v1/predictions/${id}/cancel`);
    expect(cancel.status).toBe(200);
    expect(['starting', 'processing']).toContain(cancel.body.status);
    await releaseHeld(simulator.url);
    expect((await simulator.ended(id)).status).toBe('succeeded');
  });

  test.each<[FaultRuleInput, Record<string, unknown>]>([
    [{ fault: 'aborted' }, { status: 'aborted', output: null }],
    [{ fault: 'canceled-unasked' }, { status: 'canceled', output: null }],
    [{ fault: 'failed' }, { status: 'failed', error: 'Prediction interrupted; please retry (code: PA)' }],
    [
      { fault: 'failed', options: { error: 'The input or output was flagged as sensitive. (E005)' } },
      { status: 'failed', error: 'The input or output was flagged as sensitive. (E005)', output: null },
    ],
  ])('%j ends the prediction in this state', async (rule, end) => {
    const simulator = await simulatorWith(rule);
    const ended = await simulator.ended((await simulator.create()).body.id);
    expect(ended).toMatchObject(end);
    expect('started_at' in ended).toBe(rule.fault !== 'aborted');
  });

  test('unknown-status is shown until the prediction ends', async () => {
    const simulator = await simulatorWith({ fault: 'unknown-status', options: { status: 'paused' } });
    await simulator.call('POST', '/__control/settings', { hold: true });
    const { id } = (await simulator.create()).body;
    expect((await simulator.get(id)).status).toBe('paused');
    expect((await simulator.call('GET', '/v1/predictions')).body.results[0].status).toBe('paused');
    await releaseHeld(simulator.url);
    expect((await simulator.ended(id)).status).toBe('succeeded');
  });

  test('timing is per request', async () => {
    const simulator = await simulatorWith({
      match: { promptIncludes: 'slow' },
      fault: 'timing',
      options: { runMs: 3_600_000 },
    });
    const slow = (await simulator.create({ prompt: 'slow' })).body.id;
    const quick = (await simulator.create({ prompt: 'quick' })).body.id;
    await simulator.ended(quick);
    expect((await simulator.get(slow)).status).toBe('processing');
  });

  test('several faults apply to one prediction', async () => {
    const simulator = await simulatorWith({ fault: 'error-after-charging' });
    await addFault(simulator.url, { fault: 'failed', options: { error: 'E004' } });
    await simulator.create({}, { webhook: WEBHOOK });
    const [purchase] = purchases(await ledgerOf(simulator.url)).get('attempt-1')!;
    expect(purchase!.faults).toEqual(['error-after-charging', 'failed']);
    expect(await simulator.ended(purchase!.predictionId)).toMatchObject({ error: 'E004' });
  });

  test('a rejected create keeps the later faults for the next one', async () => {
    const simulator = await simulatorWith({ fault: 'refuse-503' });
    await addFault(simulator.url, { fault: 'canceled-unasked' });
    await simulator.create();
    expect((await simulator.ended((await simulator.create()).body.id)).status).toBe('canceled');
  });
});

describe('polls, cancels and bodies', () => {
  test('poll-5xx fails the given number of polls', async () => {
    const simulator = await simulatorWith({ fault: 'poll-5xx', times: 2, match: { attemptId: 'attempt-1' } });
    const { id } = (await simulator.create({}, { webhook: WEBHOOK })).body;
    const poll = async () => (await simulator.call('GET', `/v1/predictions/${id}`)).status;
    expect([await poll(), await poll(), await poll()]).toEqual([502, 502, 200]);
  });

  test.each([
    [{ status: 404 }, 404, 'processing'],
    [{}, 500, 'processing'],
    [{ status: 500, applied: true }, 500, 'canceled'],
  ])('cancel-error %j answers %i and leaves it %s', async (options, status, after) => {
    const simulator = await simulatorWith({ fault: 'cancel-error', options });
    await simulator.call('POST', '/__control/settings', { hold: true });
    const { id } = (await simulator.create()).body;
    await eventually(async () => (await simulator.get(id)).status === 'processing', { what: 'it to run' });
    expect((await simulator.call('POST', `/v1/predictions/${id}/cancel`)).status).toBe(status);
    expect((await simulator.get(id)).status).toBe(after);
  });

  test('body-nul puts NUL characters into the strings, or NUL bytes into the text', async () => {
    const simulator = await simulatorWith({ fault: 'body-nul' });
    const escaped = await simulator.create();
    expect(escaped).toMatchObject({ status: 201, body: { status: 'starting' } });
    expect(escaped.body.logs).toContain('\u0000');
    await addFault(simulator.url, { fault: 'body-nul', options: { raw: true } });
    const raw = await simulator.create();
    expect(raw.status).toBe(201);
    expect(raw.body).toContain('\u0000');
    expect(await boughtBy(simulator)).toBe(2);
  });

  test.each(['create', 'poll', 'cancel', 'list'])('body-10mb and body-not-json apply to %s', async (on) => {
    const simulator = await openSimulator();
    const { id } = (await simulator.create()).body;
    const act = {
      create: () => simulator.create(),
      poll: () => simulator.call('GET', `/v1/predictions/${id}`),
      cancel: () => simulator.call('POST', `/v1/predictions/${id}/cancel`),
      list: () => simulator.call('GET', '/v1/predictions'),
    }[on]!;
    await addFault(simulator.url, { fault: 'body-10mb', options: { on: on as 'poll' } });
    const big = await act();
    expect(big.status).toBe(on === 'create' ? 201 : 200);
    expect(big.body.logs).toHaveLength(10 * 1024 * 1024);
    await addFault(simulator.url, { fault: 'body-not-json', options: { on: on as 'poll' } });
    const page = await act();
    expect(page.status).toBeLessThan(300);
    expect(page.body).toContain('<html>');
    expect(page.headers.get('content-type')).toContain('text/html');
    expect((await act()).body).toBeTypeOf('object');
  });
});
