import { addFault } from '../../simulator/control-client.ts';
import type { AgentClient } from './agent.ts';
import { type DemoJob, planOf, type Refused } from './job.ts';
import type { DemoPhoto } from './photos.ts';

/** The maximum number of assignments per call (`ai.submitRoomStaging`). */
const BATCH = 20;

/** The fields of the listing; the address does not exist. */
const LISTING = {
  listPrice: 685_000,
  bedroomsTotal: 3,
  bathroomsTotal: 2,
  livingArea: 1840,
  yearBuilt: 1987,
  propertyType: 'Residential',
  address: '12 Footlight Lane',
  city: 'Springfield',
  stateOrProvince: 'IL',
  postalCode: '62701',
  latitude: 39.7817,
  longitude: -89.6501,
  publicRemarks: 'Bright rooms, empty and ready. Staged pictures are marked.',
};

export interface UploadedPhoto {
  photo: DemoPhoto;
  imageId: string;
}

/** Creates a listing of the agent; returns its id. */
export async function createListing({ api }: AgentClient): Promise<string> {
  const { propertyId } = await api.properties.create.mutate({
    ...LISTING,
    features: ['HARDWOOD_FLOORS', 'GARDEN', 'GARAGE'],
  });
  return propertyId;
}

/** One at a time, so that the first is the cover; a photo that the API host rejects is reported and left out. */
export async function uploadPhotos(
  agent: AgentClient,
  propertyId: string,
  photos: readonly DemoPhoto[],
): Promise<{ uploaded: UploadedPhoto[]; refused: Refused[] }> {
  const uploaded: UploadedPhoto[] = [];
  const refused: Refused[] = [];
  for (const photo of photos) {
    const answer = await agent.upload(propertyId, photo);
    if ('imageId' in answer) uploaded.push({ photo, imageId: answer.imageId });
    else refused.push({ photo, why: answer.refused });
  }
  return { uploaded, refused };
}

/** Submits every photo. @throws Error when the API host creates no job for one */
export async function submitAll(
  { api }: AgentClient,
  uploaded: readonly UploadedPhoto[],
): Promise<DemoJob[]> {
  const jobs: DemoJob[] = [];
  for (let from = 0; from < uploaded.length; from += BATCH) {
    const batch = uploaded.slice(from, from + BATCH);
    const submittedAt = Date.now();
    const { results } = await api.ai.submitRoomStaging.mutate({
      assignments: batch.map(({ imageId, photo }) => ({
        originalImageId: imageId,
        roomType: photo.room,
        style: photo.style,
      })),
    });
    for (const [index, { photo, imageId }] of batch.entries()) {
      const { aiJobId = null, disposition } = results[index] ?? {};
      if (aiJobId === null) throw new Error(`No job was made for ${photo.fileName} (${disposition}).`);
      jobs.push({
        number: jobs.length + 1,
        photo,
        imageId,
        aiJobId,
        submittedAt,
        endedAt: null,
        seen: { status: 'PENDING', attempts: [], errorCode: null, resultImageId: null },
        plan: planOf(jobs.length),
        review: null,
        before: null,
        after: null,
      });
    }
  }
  return jobs;
}

/** Sets how long the provider takes for each picture: long enough to watch, and each different. */
export async function paceProvider(providerUrl: string, pictures: number): Promise<void> {
  for (let index = 0; index < pictures; index += 1) {
    const options = { startMs: 400 + ((index * 370) % 900), runMs: 3_500 + ((index * 2_300) % 5_000) };
    await addFault(providerUrl, { fault: 'timing', match: { nth: index + 1 }, options });
  }
}

/** Approves, rejects or leaves each finished picture as planned; sets `review`. */
export async function reviewAll({ api }: AgentClient, jobs: readonly DemoJob[]): Promise<void> {
  for (const job of jobs) {
    const imageId = job.seen.resultImageId;
    if (imageId === null || job.seen.status !== 'SUCCESS') continue;
    if (job.plan === 'reject') {
      await api.ai.rejectStagedVariant.mutate({ imageId, reason: 'The demo rejects one.' });
      job.review = 'REJECTED';
    } else if (job.plan === 'approve') {
      job.review = (await api.ai.approveStagedVariant.mutate({ imageId })).reviewStatus;
    } else {
      job.review = 'PENDING_REVIEW';
    }
  }
}
