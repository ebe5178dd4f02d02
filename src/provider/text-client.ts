import type {
  TextCreateAnswer,
  TextGetAnswer,
  TextProvider,
  TextView,
} from '../../supervisors/runner/description-ports.ts';
import type { ReadPrediction } from '../wire/prediction-body.ts';
import { createPredictionCalls, type PredictionCallOptions } from './prediction-calls.ts';
import { viewOf } from './prediction-view.ts';

/**
 * Texts from the provider's predictions API. The body holds the stored prompt and nothing else, which is all that
 * every text model understands; there is no webhook, because the callback route is for staging attempts. A lost
 * answer is found by the job's id, which the prompt names and the provider's list repeats.
 */
export function createTextClient(options: PredictionCallOptions): TextProvider {
  const calls = createPredictionCalls(options);
  return {
    async create({ jobId, details, mayBuy }): Promise<TextCreateAnswer> {
      const answer = await calls.create({
        model: details.providerModel,
        body: { input: { prompt: details.prompt } },
        subject: { jobId },
        mayBuy,
      });
      return answer.kind === 'created' ? { kind: 'created', prediction: textViewOf(answer.body) } : answer;
    },
    async get(predictionId, signal): Promise<TextGetAnswer> {
      const answer = await calls.get(predictionId, signal);
      return answer.kind === 'found' ? { kind: 'found', prediction: textViewOf(answer.body) } : answer;
    },
    cancel: (predictionId, signal) => calls.cancel(predictionId, signal),
  };
}

function textViewOf(body: ReadPrediction): TextView {
  const view = viewOf(body);
  if (view.kind !== 'succeeded') return view;
  const { predictionId, providerStatus } = view;
  return { kind: 'succeeded', predictionId, providerStatus, text: textOf(body) };
}

/** Text models answer with a list of pieces to be joined as they are, or with one string. */
function textOf(body: ReadPrediction): string | null {
  if (body.status === null) return null;
  const { output, data_removed } = body;
  if (data_removed || output === null || output === undefined) return null;
  return typeof output === 'string' ? output : output.join('');
}
