import fc from 'fast-check';
import { expect } from 'vitest';
import { MAX_THROTTLE_WAIT_MS } from '../../../../machines/limits.ts';
import type { PredictionLister } from '../../../../supervisors/ports.ts';
import { defineTarget } from '../target.ts';
import { hostileText, hostileValue } from '../values/hostile-values.ts';
import { httpAnswers } from '../values/http-answers.ts';
import { mutated, retexted } from '../values/mutated.ts';
import { predictions } from '../values/predictions.ts';
import { toJsonText } from '../values/raw-json.ts';
import { JOB, type ProviderWorld, TEXT_JOB } from '../worlds/provider-world.ts';

const CALLS = ['create', 'get', 'list', 'cancel', 'create text'] as const;
interface FuzzInput {
  readonly call: (typeof CALLS)[number];
  readonly answers: readonly Buffer[];
  /** The id of the requested prediction. */
  readonly id: string;
}
const ATTEMPT = '6cca65e8-a96c-496e-88d8-1fad11c9f07f';

const throttled = fc.record(
  {
    detail: fc.oneof(fc.constantFrom('wait ~7s', '~1e9s', `~${'9'.repeat(400)}s`), hostileText),
    retry_after: hostileValue,
    status: fc.constant(429),
  },
  { requiredKeys: [] },
);
const nextPages = ({ port, elsewhere }: ProviderWorld) =>
  fc.oneof(
    { arbitrary: fc.constant(null), weight: 3 },
    fc.constantFrom(
      null,
      `http://127.0.0.1:${port}/v1/predictions?cursor=a`,
      '/v1/predictions?cursor=b',
      'not a url',
      '',
      `http://127.0.0.1:${elsewhere.port}/v1`,
      `http://x//127.0.0.1:${elsewhere.port}/v1`,
      'http://x/\\\\127.0.0.1/v1',
      `http://x//127.0.0.1:${elsewhere.port}`,
      `file:////127.0.0.1:${elsewhere.port}/`,
      'javascript:alert(1)',
      'data:,x',
    ),
    hostileText,
  );

/** Wrong answers of the provider's API: each has a declared meaning, and the token goes to no other host. */
export const providerAnswers = defineTarget<ProviderWorld, FuzzInput>({
  name: 'provider-answers',
  about: 'answers of the provider to creates, polls and lists, over a socket',
  runs: 300,
  mustSee: ['created', 'refused', 'unknown', 'found', 'gone', 'whole list', 'unavailable'],
  input(world) {
    const odd = fc.oneof(
      { arbitrary: predictions, weight: 3 },
      { arbitrary: mutated(predictions), weight: 2 },
      { arbitrary: retexted(predictions), weight: 2 },
    );
    const page = fc.record({
      next: nextPages(world),
      results: fc.array(fc.oneof(odd, hostileValue), { maxLength: 3 }),
    });
    const bodies = (call: FuzzInput['call']) => {
      if (call === 'list')
        return fc.oneof({ arbitrary: page, weight: 5 }, { arbitrary: mutated(page), weight: 1 });
      return fc.oneof(
        { arbitrary: odd, weight: 4 },
        { arbitrary: throttled, weight: 1 },
        { arbitrary: hostileValue, weight: 1 },
      );
    };
    return fc.constantFrom(...CALLS).chain((call) =>
      fc.record({
        call: fc.constant(call),
        answers: fc.array(httpAnswers(bodies(call).map(toJsonText)), {
          minLength: 1,
          maxLength: call === 'list' ? 3 : 1,
        }),
        id: fc.oneof(
          fc.constantFrom('abc', '..', '.', '%2e', 'a/b', '?x'),
          fc.stringMatching(/^[\x21-\x7e]{1,20}$/),
        ),
      }),
    );
  },
  async feed({ call, answers, id }, world) {
    world.answerWith(answers);
    world.reporter.problems.length = 0;
    world.elsewhere.heard.length = 0;
    const answer = await answerOf(call, id, world);
    expect(world.elsewhere.heard, 'another host was asked').toEqual([]);
    const said = world.reporter.problems.map(
      ({ what, error, fields }) => `${what} ${String(error)} ${JSON.stringify(fields)}`,
    );
    expect(said.join()).not.toContain(world.token);
    if (answer === undefined) return 'done';
    checkMeaning(answer);
    return answer.kind;
  },
});

type Meaning = Exclude<Awaited<ReturnType<typeof answerOf>>, void>;

function answerOf(call: FuzzInput['call'], id: string, { provider, lister }: ProviderWorld) {
  const { signal } = new AbortController();
  const createdAfter = 1_700_000_000_000;
  switch (call) {
    case 'create':
      return provider.create({ attemptId: ATTEMPT, aggregate: JOB, mayBuy: () => true });
    case 'get':
      return provider.get(id, signal);
    case 'list':
      return listed(lister, { createdAfter, createdBefore: createdAfter, signal });
    case 'cancel':
      return provider.cancel(id, signal);
    case 'create text':
      return provider.create({ attemptId: ATTEMPT, aggregate: TEXT_JOB, mayBuy: () => true });
  }
}

async function listed(lister: PredictionLister, range: Parameters<PredictionLister['list']>[0]) {
  const { predictions, complete } = await lister.list(range);
  return { kind: complete ? ('whole list' as const) : ('unavailable' as const), predictions };
}

/** Values that machines and columns accept: valid ids, bounded waits. */
function checkMeaning(answer: Meaning): void {
  const waits = [
    'retryAfterMs' in answer ? answer.retryAfterMs : null,
    'throttledMs' in answer ? answer.throttledMs : null,
  ];
  for (const wait of waits) {
    if (wait !== null && !(wait >= 0 && wait <= MAX_THROTTLE_WAIT_MS))
      throw new Error(`a wait of ${wait} ms`);
  }
  const one = 'prediction' in answer ? [answer.prediction] : [];
  for (const { predictionId } of 'predictions' in answer ? answer.predictions : one) {
    expect(predictionId).toMatch(/^[\x21-\x7e]{1,200}$/);
    expect(encodeURIComponent(predictionId), 'an id that would lead to another address').not.toMatch(
      /^\.{1,2}$/,
    );
  }
}
