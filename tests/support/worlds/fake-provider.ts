import type { PurchaseKind } from '../../../machines/purchase-kinds.ts';
import type {
  CollectAnswer,
  CreateAnswer,
  GetAnswer,
  ListedPrediction,
  OutputCollector,
  PredictionLister,
  PredictionView,
  Provider,
} from '../../../supervisors/ports.ts';
import { OUTPUT } from './job-driver.ts';

/** A provider in this process: answers are replaced by the test, calls are kept. */
export interface FakeProvider extends Provider {
  /** Attempt ids in the order of their create calls. */
  creates: string[];
  gets: string[];
  cancels: string[];
  answerCreate(attemptId: string): CreateAnswer | Promise<CreateAnswer>;
  answerGet(predictionId: string, signal: AbortSignal): GetAnswer | Promise<GetAnswer>;
}

export const unfinished = (predictionId: string): PredictionView => ({
  kind: 'unfinished',
  predictionId,
  providerStatus: 'processing',
});
export const finished = (predictionId: string): PredictionView => ({
  kind: 'succeeded',
  predictionId,
  providerStatus: 'succeeded',
  outputUrl: `https://replicate.delivery/${predictionId}.jpg`,
  text: null,
});
/** A finished prediction of a text. */
export const written = (predictionId: string, text: string | null = 'A home.'): PredictionView => ({
  kind: 'succeeded',
  predictionId,
  providerStatus: 'succeeded',
  outputUrl: null,
  text,
});
export const foundAs = (prediction: PredictionView): { kind: 'found'; prediction: PredictionView } => ({
  kind: 'found',
  prediction,
});
export const predictionOf = (attemptId: string): string => `p-${attemptId}`;

/** Accepts every create, and has finished at the first poll. */
export function createFakeProvider(kind: PurchaseKind = 'stagingJob'): FakeProvider {
  const provider: FakeProvider = {
    creates: [],
    gets: [],
    cancels: [],
    answerCreate: (attemptId) => ({ kind: 'created', prediction: unfinished(predictionOf(attemptId)) }),
    answerGet: (predictionId) =>
      foundAs(kind === 'stagingJob' ? finished(predictionId) : written(predictionId)),
    async create({ attemptId, mayBuy }) {
      if (!mayBuy()) return { kind: 'withheld' };
      provider.creates.push(attemptId);
      return provider.answerCreate(attemptId);
    },
    async get(predictionId, signal) {
      provider.gets.push(predictionId);
      return provider.answerGet(predictionId, signal);
    },
    async cancel(predictionId) {
      provider.cancels.push(predictionId);
    },
  };
  return provider;
}

/** The provider's list: shows what the test has put there, whole unless the test says otherwise. */
export interface FakeLister extends PredictionLister {
  /** The ranges that were asked for. */
  lists: { createdAfter: number; createdBefore: number }[];
  predictions: ListedPrediction[];
  complete: boolean;
}

export function createFakeLister(): FakeLister {
  const lister: FakeLister = {
    lists: [],
    predictions: [],
    complete: true,
    async list({ createdAfter, createdBefore }) {
      lister.lists.push({ createdAfter, createdBefore });
      return { predictions: lister.predictions, complete: lister.complete };
    },
  };
  return lister;
}
/** How the list shows an attempt's prediction: a picture's names the attempt, a text's its job. */
export const listedFor = (attemptId: string, textJobId: string | null = null): ListedPrediction => ({
  predictionId: predictionOf(attemptId),
  providerStatus: 'processing',
  attemptIds: textJobId === null ? [attemptId] : [],
  textJobId,
});

/** A collector that reports success without storing, unless the test replaces it. */
export interface FakeCollector extends OutputCollector {
  collected: string[];
  answer(objectKey: string, signal: AbortSignal): CollectAnswer | Promise<CollectAnswer>;
}

export function createFakeCollector(): FakeCollector {
  const collector: FakeCollector = {
    collected: [],
    answer: () => ({ kind: 'stored', output: OUTPUT }),
    async collect({ objectKey, signal }) {
      collector.collected.push(objectKey);
      return collector.answer(objectKey, signal);
    },
  };
  return collector;
}

/** Settles when the signal aborts: a call that would never answer by itself. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
