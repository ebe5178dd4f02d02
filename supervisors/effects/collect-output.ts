import type { AttemptErrorCode } from '../../machines/failure-classes.ts';
import { PREDICTION_FORGOTTEN_MS } from '../../machines/limits.ts';
import { type EffectResult, type EffectScope, LOOK_AGAIN, tell } from './effect.ts';

/**
 * Brings the picture home: a fresh output URL from the provider (none is ever stored), download and check
 * within bounds, put under the attempt's fixed key, then one transaction records it. A crash anywhere repeats
 * the same put under the same key.
 */
const RETRY_WAIT_MS = 2_000;

export async function collectOutput(scope: EffectScope): Promise<EffectResult> {
  const { attempt, aggregate, ports, signal } = scope;
  const { providerPredictionId, objectKey } = attempt.context;
  if (providerPredictionId === null || objectKey === null)
    throw new Error(`attempt ${attempt.id} has nothing to collect`);
  const found = await ports.provider.get(providerPredictionId, signal);
  if (signal.aborted) return LOOK_AGAIN;
  if (found.kind === 'unavailable') return waitForProvider(scope, found.throttledMs);
  if (found.kind === 'gone' || found.prediction.kind !== 'succeeded' || found.prediction.outputUrl === null)
    return refuse(scope, 'OUTPUT_UNAVAILABLE');
  await ports.checkpoint('before-download', attempt.id);
  const { outputFormat, aspectRatio } = aggregate.job.details;
  const collected = await ports.collector.collect({
    outputUrl: found.prediction.outputUrl,
    objectKey,
    expected: { format: outputFormat, aspectRatio },
    signal,
  });
  if (signal.aborted) return LOOK_AGAIN;
  const event = { at: ports.clock.now(), jitter: ports.chance.jitter() };
  switch (collected.kind) {
    case 'stored':
      await ports.checkpoint('after-put', attempt.id);
      await tell(scope, {
        type: 'OUTPUT_STORED',
        ...event,
        imageId: ports.chance.id(),
        output: collected.output,
      });
      await ports.checkpoint('after-result-recorded', attempt.id);
      return LOOK_AGAIN;
    case 'refused':
      return refuse(scope, collected.errorCode);
    case 'download-failed':
      await tell(scope, { type: 'DOWNLOAD_FAILED', ...event });
      return { waitMs: RETRY_WAIT_MS };
    case 'storage-failed':
      await tell(scope, { type: 'STORAGE_FAILED', ...event });
      return { waitMs: ports.pollIntervalMs };
  }
}

async function refuse(scope: EffectScope, errorCode: AttemptErrorCode): Promise<EffectResult> {
  const { clock, chance } = scope.ports;
  await tell(scope, { type: 'OUTPUT_REFUSED', at: clock.now(), errorCode, jitter: chance.jitter() });
  return LOOK_AGAIN;
}

/** A provider that does not answer costs no try; past its memory there is nothing left to wait for. */
async function waitForProvider(scope: EffectScope, throttledMs: number | null): Promise<EffectResult> {
  const { attempt, ports } = scope;
  const age = ports.clock.now() - (attempt.context.sentAt ?? ports.clock.now());
  if (age >= PREDICTION_FORGOTTEN_MS) return refuse(scope, 'OUTPUT_UNAVAILABLE');
  return { waitMs: Math.max(ports.pollIntervalMs, throttledMs ?? 0) };
}
