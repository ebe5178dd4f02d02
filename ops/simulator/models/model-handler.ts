import type { AppliedFault } from '../faults/fault-catalogue.ts';
import type { InvalidField } from './input-schema.ts';

export interface ModelJob {
  predictionId: string;
  input: Record<string, unknown>;
  faults: readonly AppliedFault[];
  /** `plain`: a flat picture, no input fetched. */
  pictures: 'staged' | 'plain';
  /** @throws PredictionFailure with a text in the provider's style. */
  fetchInput(address: string): Promise<Buffer>;
}

/** Files become URLs on the simulator's own origin; a value is the output itself. */
export type ModelResult =
  | { kind: 'files'; files: { name: string; bytes: Buffer }[] }
  | { kind: 'value'; value: unknown };

export interface ModelHandler {
  findInvalid(input: unknown): InvalidField[];
  /** @throws PredictionFailure when the prediction must end `failed` with that text. */
  run(job: ModelJob): Promise<ModelResult>;
}

/** The model failed: the prediction ends `failed`, and its `error` is this message. */
export class PredictionFailure extends Error {
  override readonly name = 'PredictionFailure';
}
