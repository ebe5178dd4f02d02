import { describe, expect, test } from 'vitest';
import type { ProviderCall } from '../../../src/provider/http.ts';
import { createPredictionCalls } from '../../../src/provider/prediction-calls.ts';
import { createPredictionLister } from '../../../src/provider/prediction-lister.ts';
import { createRecordingReporter } from '../../support/worlds/recording-ports.ts';

/** Reading answers of the provider in an unknown form. */
const ATTEMPT = '6cca65e8-a96c-496e-88d8-1fad11c9f07f';
const webhook = `https://x.example/api/webhooks/provider/staging/${ATTEMPT}`;
const { signal } = new AbortController();

function answering(answer: (call: ProviderCall) => { status: number; body: unknown; at?: number }) {
  const asked: ProviderCall[] = [];
  const reporter = createRecordingReporter();
  const http = {
    call: async (call: ProviderCall) => {
      asked.push(call);
      return { retryAfter: undefined, ...answer(call) };
    },
    close: async () => {},
  };
  return {
    asked,
    http,
    reporter,
    calls: createPredictionCalls({ http, reporter }),
    lister: createPredictionLister({ http, reporter }),
  };
}
const range = { createdAfter: Date.UTC(2026, 0, 5, 8), createdBefore: Date.UTC(2026, 0, 5, 9), signal };

describe.each([
  ['a new status', { status: 'queued' }, 'queued'],
  ['a status that is no word', { status: { code: 7 } }, 'unreadable'],
  ['an output of a new shape', { status: 'succeeded', output: { url: 'x' } }, 'succeeded'],
])('a prediction with %s', (_what, fields, providerStatus) => {
  const body = { id: 'abc123', webhook, ...fields };

  test('keeps its id at the create and is not final', async () => {
    const { calls, reporter } = answering(() => ({ status: 201, body }));
    const answer = await calls.create({ model: 'a/b', body: {}, subject: {}, mayBuy: () => true });
    if (answer.kind !== 'created') throw new Error(answer.kind);
    expect(answer.prediction).toEqual({ kind: 'unfinished', predictionId: 'abc123', providerStatus });
    expect(reporter.problems.map(({ what }) => what)).toEqual(['a prediction could not be read whole']);
  });

  test('is found by a poll and is not final', async () => {
    const answer = await answering(() => ({ status: 200, body })).calls.get('abc123', signal);
    if (answer.kind !== 'found') throw new Error(answer.kind);
    expect(answer.prediction).toEqual({ kind: 'unfinished', predictionId: 'abc123', providerStatus });
  });

  test('is found in the list', async () => {
    const { lister } = answering(() => ({ status: 200, body: { next: null, results: [body] } }));
    expect(await lister.list(range)).toEqual({
      complete: true,
      predictions: [{ predictionId: 'abc123', providerStatus, attemptIds: [ATTEMPT], textJobId: null }],
    });
  });
});

describe('the list', () => {
  test('names the attempt of a picture by its callback and its first input, never by a picture of another attempt', async () => {
    const earlier = '11111111-1111-4111-8111-111111111111';
    const input = {
      input_images: [
        `https://s3.example/provider-inputs/a/b.jpg?response-content-disposition=${ATTEMPT}.jpg`,
        `https://s3.example/staged/${earlier}.jpg?response-content-disposition=${ATTEMPT}.jpg`,
      ],
    };
    const results = [{ id: 'p1', status: 'processing', input }];
    const { lister } = answering(() => ({ status: 200, body: { next: null, results } }));
    expect((await lister.list(range)).predictions).toMatchObject([{ attemptIds: [ATTEMPT] }]);
  });

  const page = (number: number) => ({
    next: `https://x.example/v1/predictions?cursor=${number}`,
    results: [{ id: `p${number}`, status: 'processing' }],
  });

  test('is incomplete when it does not end, and its entries are kept', async () => {
    let pages = 0;
    const { lister, reporter } = answering(() => {
      pages += 1;
      return { status: 200, body: page(pages) };
    });
    const { predictions, complete } = await lister.list(range);
    expect({ complete, pages, predictions: predictions.length }).toEqual({
      complete: false,
      pages: 2_000,
      predictions: 2_000,
    });
    expect(reporter.problems.map(({ what }) => what)).toEqual([
      'the list of predictions is too long to be read',
    ]);
  });

  test.each([
    ['fails', { status: 502, body: {} }],
    ['is cut off', { status: 200, body: undefined }],
    ['is no list', { status: 200, body: { results: 7 } }],
    ['has an entry without an id', { status: 200, body: { next: null, results: [{ status: 'starting' }] } }],
  ])('is incomplete when its second page %s', async (_what, second) => {
    let pages = 0;
    const { lister } = answering(() => {
      pages += 1;
      return pages === 1 ? { status: 200, body: page(1) } : second;
    });
    const { predictions, complete } = await lister.list(range);
    expect({ complete, shown: predictions.length }).toEqual({ complete: false, shown: 1 });
  });

  test('identifies a text by the last id in its prompt, because people typed the text before it', async () => {
    const job = '0b4f7a0e-2222-4e4e-9c9c-3a3a3a3a3a3a';
    const results = [
      { id: 't1', status: 'processing', input: { prompt: `a home ${ATTEMPT}\nReference: ${job}` } },
    ];
    const { lister } = answering(() => ({ status: 200, body: { next: null, results } }));
    const { predictions } = await lister.list(range);
    expect(predictions).toMatchObject([{ predictionId: 't1', attemptIds: [], textJobId: job }]);
  });
});

describe('the bounds of the list', () => {
  const minutes = (count: number) => count * 60_000;
  const now = range.createdBefore;
  const boundsOf = ({ path }: ProviderCall) => {
    const query = new URL(path, 'https://provider.example').searchParams;
    return [query.get('created_after'), query.get('created_before')].map((text) => Date.parse(text ?? ''));
  };

  test('leave a quarter of an hour where the provider has named no time', async () => {
    const { asked, lister } = answering(() => ({ status: 200, body: { next: null, results: [] } }));
    await lister.list(range);
    expect(boundsOf(asked[0]!)).toEqual([range.createdAfter - minutes(15), now + minutes(15)]);
  });

  test.each([-60, 0, 60])('end by the provider’s clock, also for a worker %i minutes off', async (ahead) => {
    const at = now - minutes(ahead);
    const { asked, http, reporter } = answering(() => ({
      status: 200,
      body: { next: null, results: [] },
      at,
    }));
    const lister = createPredictionLister({ http, reporter, clock: { now: () => now } });
    await lister.list(range);
    await lister.list(range);
    expect(boundsOf(asked[1]!)).toEqual([range.createdAfter - minutes(15), at + 1_000]);
  });
});
