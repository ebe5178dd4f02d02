import { randomUUID } from 'node:crypto';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { addFault } from '../../../ops/simulator/control-client.ts';
import { ENTRY_OPTIONS } from '../../../src/queues/names.ts';
import { eventually } from '../../support/eventually.ts';
import { roomPhoto } from '../../support/platform/listing.ts';
import { quietActorSystem } from '../model/staging-scene.ts';
import { heal, poison } from './run-faults.ts';
import type { JobFault } from './run-plan.ts';
import { beside, type CrashWorld, insist } from './run-world.ts';

/** Faults of one job while its worker waits at a named point. */
export interface JobAtPoint {
  jobId: string;
  attemptId: string | null;
  originalImageId: string;
  style: string;
}

interface Enactment {
  jobFault: JobFault;
  job: JobAtPoint;
  /** Plans another fault for the job at a later point. */
  promise(job: JobAtPoint, jobFault: JobFault): void;
}

export async function enact(world: CrashWorld, { jobFault, job, promise }: Enactment): Promise<void> {
  const { staging, witnessed } = world;
  const { platform, queue } = staging;
  switch (jobFault.do) {
    case 'cancel': {
      const ask = () =>
        insist(world, (person) => person.mutate('ai.cancelStagingJob', { aiJobId: job.jobId }));
      await Promise.all([ask(), ask()]);
      if (jobFault.at === 'before-put' && (await calledOffWhileCollecting(world, job)))
        witnessed['cancel during the put'] += 1;
      return;
    }
    case 'delete the original':
      await insist(world, (person) =>
        person.request('DELETE', `/api/property-images/${job.originalImageId}`),
      );
      return;
    case 'deliver again':
      await queue.add(
        'stage-room',
        { aiJobId: job.jobId },
        { ...ENTRY_OPTIONS, jobId: `again-${job.jobId}` },
      );
      return;
    case 'provider fault':
      for (const { match = {}, ...fault } of jobFault.faults)
        await addFault(platform.provider.baseUrl, {
          ...fault,
          match: fault.options?.on === 'list' ? match : { ...match, attemptId: job.attemptId ?? '' },
        });
      if (jobFault.cancel) promise(job, { do: 'cancel', at: 'after-id-stored' });
      return;
    case 'add another variant':
      return addVariant(world, job);
    case 'poison':
      await poison(platform, job.jobId);
      beside(world, `quarantine of ${job.jobId}`, releaseFromQuarantine(world, job.jobId));
  }
}

async function calledOffWhileCollecting(
  { staging }: CrashWorld,
  { attemptId }: JobAtPoint,
): Promise<boolean> {
  const rows = await staging.platform.rows(
    `select from actor_transitions where "actorId" = $1 and "fromState" = 'COLLECTING' and "eventType" = 'CANCEL'`,
    [attemptId],
  );
  return rows.length > 0;
}

/** A picture of that style without one of our jobs, as the legacy platform made it. */
async function addVariant({ staging }: CrashWorld, { originalImageId, style }: JobAtPoint): Promise<void> {
  const { bucket, rows } = staging.platform;
  const objectKey = `legacy/${randomUUID()}.jpg`;
  // An agent may approve it, and then the public asks for it.
  const Body = await roomPhoto();
  await bucket.client.send(new PutObjectCommand({ Bucket: bucket.bucket, Key: objectKey, Body }));
  await rows(
    `insert into property_images ("propertyId", "objectKey", "isStyled", "styledFromId", "canonicalStyle",
                                  "roomType", "reviewStatus")
     select "propertyId", $2, true, id, $3::canonical_style, 'LIVING_ROOM', 'PENDING_REVIEW'
       from property_images where id = $1`,
    [originalImageId, objectKey, style],
  );
}

async function releaseFromQuarantine(world: CrashWorld, jobId: string): Promise<void> {
  const { platform } = world.staging;
  await eventually(
    async () => {
      const [row] = await platform.rows<{ aside: boolean }>(
        'select "quarantinedAt" is not null as aside from ai_jobs where id = $1',
        [jobId],
      );
      return row?.aside;
    },
    { what: `job ${jobId} to be quarantined`, timeoutMs: 180_000, intervalMs: 200 },
  );
  world.witnessed['quarantine entered'] += 1;
  await heal(platform, jobId);
  const event = { type: 'RELEASE_ASKED', at: Date.now() } as const;
  const origin = { by: 'operator:ada', note: 'the row was fixed' };
  const { outcome } = await quietActorSystem(platform.pool).deliver(
    { to: 'stagingJob', id: jobId, event },
    origin,
  );
  if (outcome === 'applied') world.witnessed['quarantine left'] += 1;
}
