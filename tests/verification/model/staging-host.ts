import { expect } from 'vitest';
import type { ApiHost } from '../../support/http/api-host.ts';
import type { Person } from '../../support/http/person.ts';
import { signedPrediction } from '../../support/worlds/signed-prediction.ts';
import type { JobModel, StagingModel } from './staging-model.ts';

/** The agents' HTTP view of a modelled job and its staged images, and the provider's callback. */
export async function expectSeen(
  agent: Person,
  model: StagingModel,
  { job, at }: { job: JobModel; at: number },
): Promise<void> {
  const { status, data } = await agent.query('ai.getStagingJob', { aiJobId: job.id });
  expect([status, data]).toMatchObject([200, jobView(model, job, at)]);
}

export async function expectVariantsSeen(
  agent: Person,
  model: StagingModel,
  propertyId: string,
): Promise<void> {
  const { data } = await agent.query('ai.listStagedVariants', { propertyId });
  const seen = data.items.map(({ imageId, reviewStatus, withdrawnAt }: Record<string, string>) => [
    imageId,
    withdrawnAt ? 'WITHDRAWN' : reviewStatus,
  ]);
  const pictures = [...model.images, ...(model.group?.picture ? [model.group.picture] : [])];
  expect(seen.toSorted()).toEqual(pictures.map(({ id, state }) => [id, state]).toSorted());
}

/** Sent twice, because providers repeat callbacks: the second is accepted and changes nothing. */
export async function callBack(
  host: ApiHost,
  event: { attemptId: string; predictionId: string; providerStatus: string | null; at: number },
): Promise<void> {
  const { attemptId, predictionId, providerStatus, at } = event;
  const signed = signedPrediction({ id: predictionId, status: providerStatus ?? 'processing' }, at);
  for (let times = 0; times < 2; times += 1) {
    const path = `/api/webhooks/provider/staging/${attemptId}`;
    const { status } = await host.anonymous().send('POST', path, signed);
    expect(status).toBe(200);
  }
}

function jobView(model: StagingModel, job: JobModel, at: number) {
  const [status, phase = null] = job.state.split('.');
  const { errorCode, resultImageId } = job.context;
  const attempts = job.attempts.map(({ state, context }) => ({
    attemptNumber: context.attemptNumber,
    status: state,
    providerStatus: context.providerStatus,
  }));
  const waitReason = waitReasonOf(model, job, at);
  const canonicalStyle = job.style;
  return { aiJobId: job.id, status, phase, errorCode, resultImageId, canonicalStyle, attempts, waitReason };
}

const WAITS: Readonly<Record<string, string>> = {
  'PENDING.QUEUED': 'queue',
  'PENDING.PROVIDER_DISABLED': 'flag-off',
  CANCEL_REQUESTED: 'cancellation',
};
function waitReasonOf({ images }: StagingModel, { id, state, context, attempts }: JobModel, at: number) {
  if (state === 'RETRYING.BACKOFF') return (context.retryAt ?? 0) > at ? 'back-off' : 'queue';
  if (state === 'SUCCESS')
    return images.some((image) => image.jobId === id && image.state === 'PENDING_REVIEW') ? 'review' : null;
  if (state !== 'PROCESSING.ATTEMPT') return WAITS[state] ?? null;
  const latest = attempts.at(-1);
  if (latest?.state === 'COLLECTING') return 'output';
  return latest?.state === 'RESERVED' && (latest.context.nextSendAt ?? 0) > at ? 'back-off' : 'provider';
}
