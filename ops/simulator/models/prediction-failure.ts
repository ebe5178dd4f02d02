/** The model gives up: the prediction ends `failed` and its `error` is this message. */
export class PredictionFailure extends Error {
  override readonly name = 'PredictionFailure';
}
