import sharp from 'sharp';
import { eventually } from '../eventually.ts';
import type { Person } from './agent.ts';
import type { TestPlatform } from './platform.ts';

/** A plausible photo of a room, big enough for every check; `seed` makes it another picture. */
export function roomPhoto(seed = 0): Promise<Buffer> {
  return sharp({
    create: { width: 900, height: 700, channels: 3, background: { r: 200, g: 190 - (seed % 90), b: 170 } },
  })
    .jpeg()
    .toBuffer();
}

export async function createListing(agent: Person): Promise<string> {
  const created = await agent.mutate('properties.create', {
    listPrice: 750_000,
    currency: 'USD',
    bedroomsTotal: 3,
    bathroomsTotal: 2,
    livingArea: 1800,
    address: '1 Test Street',
    city: 'Seattle',
    stateOrProvince: 'WA',
    postalCode: '98101',
    latitude: 47.6,
    longitude: -122.3,
    propertyType: 'Residential',
    features: ['FIREPLACE'],
  });
  if (created.status !== 200) throw new Error(`no listing: ${JSON.stringify(created.body)}`);
  return created.data.propertyId;
}

/** Uploads one photo of a room and returns the image's id. */
export async function uploadRoom(agent: Person, propertyId: string, seed = 0): Promise<string> {
  const uploaded = await agent.upload(propertyId, await roomPhoto(seed));
  if (uploaded.status !== 201) throw new Error(`no upload: ${JSON.stringify(uploaded.body)}`);
  return uploaded.body.imageId ?? uploaded.body.id;
}

/** Waits until every photo has its verdict, and is shown if it may be. */
export function photosChecked(platform: Pick<TestPlatform, 'rows'>): Promise<unknown> {
  return eventually(
    async () => {
      const open = await platform.rows(`select "imageId" from photo_checks where verdict is null`);
      if (open.length === 0) return true;
      throw new Error(`${open.length} wait`);
    },
    { what: 'the verdicts of all photos', timeoutMs: 180_000 },
  );
}

export async function submit(
  agent: Person,
  originalImageId: string,
  style = 'MODERN',
): Promise<{ aiJobId: string; disposition: string; stagedImageId: string | null }> {
  const submitted = await agent.mutate('ai.submitRoomStaging', {
    assignments: [{ originalImageId, roomType: 'LIVING_ROOM', style }],
  });
  if (submitted.status !== 200) throw new Error(`not submitted: ${JSON.stringify(submitted.body)}`);
  return submitted.data.results[0];
}

export interface JobRow {
  status: string;
  phase: string | null;
  errorCode: string | null;
  cancelRequestedAt: Date | null;
  canceledAt: Date | null;
  version: number;
}

export async function jobRow(platform: TestPlatform, jobId: string): Promise<JobRow> {
  const [row] = await platform.rows<JobRow>('select * from ai_jobs where id = $1', [jobId]);
  if (!row) throw new Error(`no job ${jobId}`);
  return row;
}

/** Waits until the job is in one of the states, written as `STATUS` or `STATUS.PHASE`. */
export function jobReaches(
  platform: TestPlatform,
  jobId: string,
  states: string | string[],
  timeoutMs = 40_000,
): Promise<JobRow> {
  const wanted = [states].flat();
  return eventually(
    async () => {
      const row = await jobRow(platform, jobId);
      const name = row.phase === null ? row.status : `${row.status}.${row.phase}`;
      if (wanted.includes(row.status) || wanted.includes(name)) return row;
      throw new Error(`job is ${name} ${row.errorCode ?? ''}`);
    },
    { what: `job to reach ${wanted.join(' or ')}`, timeoutMs },
  );
}

export function attemptReaches(
  platform: TestPlatform,
  jobId: string,
  state: string,
  attemptNumber = 1,
): Promise<{ id: string; status: string; providerPredictionId: string | null; objectKey: string | null }> {
  return eventually(
    async () => {
      const [row] = await platform.rows<{
        id: string;
        status: string;
        providerPredictionId: string | null;
        objectKey: string | null;
      }>('select * from ai_provider_attempts where "aiJobId" = $1 and "attemptNumber" = $2', [
        jobId,
        attemptNumber,
      ]);
      if (row?.status === state) return row;
      throw new Error(`attempt is ${row?.status}`);
    },
    { what: `attempt ${attemptNumber} to reach ${state}`, timeoutMs: 40_000 },
  );
}
