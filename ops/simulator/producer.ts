import { type Agent, fetch } from 'undici';
import type { Outcome } from './lifecycle.ts';
import { PredictionFailure } from './models/model-handler.ts';
import { findModel } from './models/model-table.ts';
import type { OutputFiles } from './output-files.ts';
import type { Prediction } from './prediction.ts';
import type { Settings } from './settings.ts';

/** Pictures made at the same time; more would only compete for processor and memory. */
const PARALLEL_RUNS = 2;

interface ProducerParts {
  files: OutputFiles;
  settings: Settings;
  fetchInput(address: string): Promise<Buffer>;
  log(line: string): void;
}

/** Runs a prediction's model and stores its files. Never throws: an error becomes a `failed` outcome. */
export function createProducer(parts: ProducerParts): (prediction: Prediction) => Promise<Outcome> {
  let running = 0;
  const queue: (() => void)[] = [];
  return async (prediction) => {
    if (running >= PARALLEL_RUNS) await new Promise<void>((resolve) => queue.push(resolve));
    else running += 1;
    try {
      return await runModel(prediction, parts);
    } catch (error) {
      if (error instanceof PredictionFailure) return { status: 'failed', error: error.message };
      parts.log(`prediction ${prediction.id}: ${error instanceof Error ? error.stack : error}`);
      return { status: 'failed', error: 'An error occurred while processing your request' };
    } finally {
      const next = queue.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

async function runModel(
  prediction: Prediction,
  { files, settings, fetchInput }: ProducerParts,
): Promise<Outcome> {
  const handler = findModel(prediction.model);
  if (!handler) throw new PredictionFailure(`Unknown model ${prediction.model}`);
  const { id: predictionId, input, faults } = prediction;
  const result = await handler.run({ predictionId, input, faults, pictures: settings.pictures, fetchInput });
  if (result.kind === 'value') return { status: 'succeeded', output: result };
  await files.save(predictionId, result.files);
  return { status: 'succeeded', output: { kind: 'files', names: result.files.map((file) => file.name) } };
}

const DOWNLOAD_TIMEOUT_MS = 20_000;
const DOWNLOAD_LIMIT_BYTES = 64 * 1024 * 1024;

/**
 * Fetches an input photo as the provider does: follows redirects and accepts `data:`.
 * @throws PredictionFailure with the address without its query, which may contain a signature.
 */
export async function downloadInput(agent: Agent, address: string): Promise<Buffer> {
  const shown = describe(address);
  try {
    const answer = await fetch(address, {
      dispatcher: agent,
      signal: AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS),
    });
    if (!answer.ok) {
      await answer.body?.cancel();
      throw new PredictionFailure(`${answer.status} ${answer.statusText} for url: ${shown}`);
    }
    const bytes = Buffer.from(await answer.arrayBuffer());
    if (bytes.length > DOWNLOAD_LIMIT_BYTES) throw new PredictionFailure(`File too large for url: ${shown}`);
    return bytes;
  } catch (error) {
    if (error instanceof PredictionFailure) throw error;
    throw new PredictionFailure(`Failed to download input image: connection error for url: ${shown}`);
  }
}

function describe(address: string): string {
  const url = new URL(address);
  return url.protocol === 'data:' ? 'data:' : `${url.origin}${url.pathname}`;
}
