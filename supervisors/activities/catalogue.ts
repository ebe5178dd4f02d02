import type { Activity } from './activity.ts';
import { cancelPrediction } from './cancel-prediction.ts';
import { collectOutput } from './collect-output.ts';
import { pollPrediction } from './poll-prediction.ts';
import { reconcilePrediction } from './reconcile-prediction.ts';
import { sendPrediction } from './send-prediction.ts';

/** Every activity of a provider attempt's states, by the name in their `meta.activity`. */
export const ATTEMPT_ACTIVITIES: Readonly<Record<string, Activity>> = {
  sendPrediction,
  reconcilePrediction,
  pollPrediction,
  collectOutput,
  cancelPrediction,
};
