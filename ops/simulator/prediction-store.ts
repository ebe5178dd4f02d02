import type { LedgerEntry } from './ledger-entries.ts';
import { isTerminal, type Prediction } from './prediction.ts';

/** All predictions in memory, in order of acceptance, computed from the ledger. */
export interface PredictionStore {
  get(id: string): Prediction | undefined;
  /** Predictions are added in the order of their numbers, each after it is in the ledger. */
  add(prediction: Prediction): void;
  /** Returns a number that no other prediction gets. */
  takeSeq(): number;
  /** Oldest first. */
  all(): readonly Prediction[];
}

export function createPredictionStore(entries: readonly LedgerEntry[]): PredictionStore {
  const byId = new Map<string, Prediction>();
  const inOrder: Prediction[] = [];
  const add = (prediction: Prediction) => {
    byId.set(prediction.id, prediction);
    inOrder.push(prediction);
  };
  for (const entry of entries) {
    if (entry.kind === 'create' && entry.prediction) add(structuredClone(entry.prediction));
    else replay(entry, byId);
  }
  let lastSeq = inOrder.at(-1)?.seq ?? 0;
  return {
    get: (id) => byId.get(id),
    add,
    takeSeq: () => {
      lastSeq += 1;
      return lastSeq;
    },
    all: () => inOrder,
  };
}

function replay(entry: LedgerEntry, byId: Map<string, Prediction>): void {
  if (entry.kind === 'released') for (const prediction of byId.values()) prediction.held = false;
  if (entry.kind !== 'status') return;
  const prediction = byId.get(entry.predictionId);
  if (!prediction) return;
  prediction.status = entry.status;
  prediction.output = entry.output;
  prediction.error = entry.error;
  prediction.logs = entry.logs;
  if (entry.status === 'processing') prediction.startedAtMs = entry.at;
  if (isTerminal(entry.status)) prediction.completedAtMs = entry.at;
}
