import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addFault, changeSettings, clearFaults, ledgerOf } from '../../../ops/simulator/control-client.ts';
import type { FaultName } from '../../../ops/simulator/faults/fault-catalogue.ts';
import type { JobAggregate } from '../../../persistence/actors/rows/job-row.ts';
import { checkDescription } from '../../../src/prompts/description-check.ts';
import { renderDescriptionPrompt } from '../../../src/prompts/description-prompt.ts';
import { createProviderClient } from '../../../src/provider/client.ts';
import { createProviderHttp, type ProviderHttp } from '../../../src/provider/http.ts';
import { createPredictionLister } from '../../../src/provider/prediction-lister.ts';
import type { PredictionLister, PredictionView, Provider } from '../../../supervisors/ports.ts';
import { FACTS } from '../../support/database/seed-description.ts';
import { eventually } from '../../support/eventually.ts';
import { createRecordingReporter } from '../../support/worlds/recording-ports.ts';
import { openSimulator, type TestSimulator, TOKEN } from '../../support/worlds/simulator-harness.ts';

let simulator: TestSimulator;
let http: ProviderHttp;
let texts: Provider;
let lister: PredictionLister;
const { signal } = new AbortController();
beforeEach(async () => {
  simulator = await openSimulator();
  http = createProviderHttp({ baseUrl: simulator.url, apiToken: TOKEN });
  texts = createProviderClient({
    http,
    reporter: createRecordingReporter(),
    webhookBaseUrl: 'https://api.example.com',
    userHashSecret: '00'.repeat(32),
    presignInput: () => Promise.reject(new Error('a text has no input')),
  });
  lister = createPredictionLister({ http, reporter: createRecordingReporter() });
});
afterEach(async () => {
  await http.close();
  await simulator.close();
});

const detailsOf = (jobId: string, locale: 'en' | 'es' = 'en') => ({
  propertyId: randomUUID(),
  locale,
  facts: FACTS,
  providerModel: 'openai/gpt-5-mini',
  ...renderDescriptionPrompt({ jobId, facts: FACTS, locale }),
});
const create = (jobId: string = randomUUID(), locale: 'en' | 'es' = 'en') =>
  texts.create({
    attemptId: randomUUID(),
    aggregate: {
      job: { kind: 'descriptionJob', id: jobId, details: detailsOf(jobId, locale) },
    } as unknown as JobAggregate,
    mayBuy: () => true,
  });
const idOf = (answer: Awaited<ReturnType<typeof create>>): string => {
  if (answer.kind !== 'created') throw new Error(`not created: ${JSON.stringify(answer)}`);
  return answer.prediction.predictionId;
};
const ended = (id: string): Promise<PredictionView> =>
  eventually(
    async () => {
      const answer = await texts.get(id, signal);
      return answer.kind === 'found' && answer.prediction.kind !== 'unfinished' ? answer.prediction : null;
    },
    { what: 'the end of a prediction' },
  );
const creates = async () => (await ledgerOf(simulator.url)).filter((entry) => entry.kind === 'create');

describe('a text prediction', () => {
  test('is created with the stored prompt, no webhook and a deadline; its pieces are joined', async () => {
    const jobId = randomUUID();
    const view = await ended(idOf(await create(jobId)));
    const text = view.kind === 'succeeded' ? view.text : null;
    expect(text).toContain('1 Test Lane');
    expect(text).toContain('3 bedrooms and 2.5 bathrooms');
    expect(text).toContain('fireplace, garden');
    expect(checkDescription(text, { facts: FACTS, locale: 'en' }).kind).toBe('good');
    const [made] = await creates();
    expect(made).toMatchObject({ model: 'openai/gpt-5-mini', webhook: null, accepted: true });
    expect(made?.prediction?.input).toEqual({ prompt: detailsOf(jobId).prompt });
    expect(made?.prediction?.deadlineMs).not.toBeNull();
  });

  test('is in Spanish when Spanish is requested', async () => {
    const view = await ended(idOf(await create(undefined, 'es')));
    const text = view.kind === 'succeeded' ? view.text : null;
    expect(text).toContain('dormitorios');
    expect(text).toContain('chimenea');
    expect(checkDescription(text, { facts: FACTS, locale: 'es' }).kind).toBe('good');
  });

  test.each<[FaultName, Record<string, unknown>, string | null]>([
    ['output-string', {}, '1 Test Lane'],
    ['output-empty-array', {}, ''],
    ['output-gone', { removed: true }, null],
  ])('%s', async (fault, options, expected) => {
    await addFault(simulator.url, { fault, options });
    const view = await ended(idOf(await create()));
    if (view.kind !== 'succeeded') throw new Error(view.kind);
    if (expected === null || expected === '') expect(view.text).toBe(expected);
    else expect(view.text).toContain(expected);
  });

  test.each<[string, FaultName, Record<string, unknown>, object]>([
    ['moderation', 'failed', { error: 'flagged (E005)' }, { errorCode: 'PROVIDER_MODERATION' }],
    ['a breakdown', 'failed', {}, { errorCode: 'PROVIDER_FAILED' }],
    ['an end that was not asked for', 'aborted', {}, { kind: 'canceled' }],
  ])('%s', async (_what, fault, options, expected) => {
    await addFault(simulator.url, { fault, options });
    expect(await ended(idOf(await create()))).toMatchObject(expected);
  });
});

describe('an answer to the create', () => {
  test.each<[FaultName, object]>([
    ['throttle-body', { kind: 'refused', errorCode: 'PROVIDER_THROTTLED', retryAfterMs: 5_000 }],
    ['refuse-503', { kind: 'refused', errorCode: 'PROVIDER_THROTTLED' }],
    ['billing', { kind: 'refused', errorCode: 'PROVIDER_BILLING' }],
    ['invalid-input', { kind: 'refused', errorCode: 'PROVIDER_INVALID_INPUT' }],
    ['accept-then-reset', { kind: 'unknown', cause: 'transport' }],
    ['error-after-charging', { kind: 'unknown', cause: 'transport' }],
    ['body-not-json', { kind: 'unknown', cause: 'transport' }],
  ])('%s is sent once and classified', async (fault, expected) => {
    await addFault(simulator.url, { fault });
    expect(await create()).toMatchObject(expected);
    expect(await creates()).toHaveLength(1);
  });

  test('is PROVIDER_UNREACHABLE when no server listens: nothing was bought', async () => {
    await simulator.close();
    expect(await create()).toEqual({
      kind: 'refused',
      errorCode: 'PROVIDER_UNREACHABLE',
      retryAfterMs: null,
    });
  });
});

describe('a lost answer', () => {
  test('is found by the job’s name in the prompt, on any page of the list', async () => {
    await changeSettings(simulator.url, { pageSize: 2 });
    const jobId = randomUUID();
    await addFault(simulator.url, { fault: 'accept-then-reset' });
    expect((await create(jobId)).kind).toBe('unknown');
    for (let other = 0; other < 5; other += 1) await create();
    const range = { createdAfter: Date.now() - 60_000, createdBefore: Date.now(), signal };
    const { predictions, complete } = await lister.list(range);
    const [bought] = await creates();
    const ours = predictions.filter(({ textJobId }) => textJobId === jobId);
    expect({ complete, ours: ours.map(({ predictionId }) => predictionId) }).toEqual({
      complete: true,
      ours: [bought?.predictionId],
    });
    await addFault(simulator.url, { fault: 'body-not-json', options: { on: 'list' } });
    expect((await lister.list(range)).complete).toBe(false);
    await clearFaults(simulator.url);
  });
});

test('a text model rejects the input for pictures', async () => {
  const { status, body } = await simulator.call('POST', '/v1/models/openai/gpt-5-mini/predictions', {
    input: { prompt: 'x', aspect_ratio: '1:1' },
  });
  expect([status, body.detail]).toEqual([422, expect.stringContaining('aspect_ratio is not allowed')]);
});
