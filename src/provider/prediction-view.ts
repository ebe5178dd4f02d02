import type { AttemptErrorCode } from '../../machines/failure-classes.ts';
import type { PredictionView } from '../../supervisors/ports.ts';
import type { PredictionBody, ReadPrediction } from '../wire/prediction-body.ts';

/** Reduces the provider's answer to what the machines need (docs/contract.md#failures). */
export function viewOf(body: ReadPrediction): PredictionView {
  const { id: predictionId } = body;
  if (body.status === null) return { kind: 'unfinished', predictionId, providerStatus: body.statusText };
  const { status: providerStatus } = body;
  switch (providerStatus) {
    case 'starting':
    case 'processing':
      return { kind: 'unfinished', predictionId, providerStatus };
    case 'succeeded':
      return {
        kind: 'succeeded',
        predictionId,
        providerStatus,
        outputUrl: firstOutput(body),
        text: textOf(body),
      };
    case 'canceled':
    case 'aborted':
      return { kind: 'canceled', predictionId, providerStatus };
    case 'failed':
      return { kind: 'failed', predictionId, providerStatus, errorCode: classifyError(body.error) };
  }
}

/** One URI, or the first of a list; null when there is none or the provider has removed it. */
function firstOutput({ output, data_removed }: PredictionBody): string | null {
  if (data_removed || output === null || output === undefined) return null;
  return typeof output === 'string' ? output : (output[0] ?? null);
}

/** Text models answer with one string, or with a list of pieces that are joined without separators. */
function textOf({ output, data_removed }: PredictionBody): string | null {
  if (data_removed || output === null || output === undefined) return null;
  return typeof output === 'string' ? output : output.join('');
}

/** Matches the code in brackets, never the sentence, because that changes (docs/provider.md#errors). */
function classifyError(error: unknown): AttemptErrorCode {
  const text = typeof error === 'string' ? error : JSON.stringify(error ?? '');
  if (text.includes('(E005)')) return 'PROVIDER_MODERATION';
  if (text.includes('(E001)')) return 'PROVIDER_BILLING';
  if (text.includes('(E002)')) return 'PROVIDER_UNAUTHORIZED';
  return 'PROVIDER_FAILED';
}
