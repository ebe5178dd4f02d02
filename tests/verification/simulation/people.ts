import { type CanonicalStyle, WITHDRAWERS, type WithdrawnBy } from '../../../machines/vocabulary.ts';
import { birthOf } from '../../../persistence/actors/birth.ts';
import type { ImageReviewActor } from '../../../persistence/actors/rows/image-row.ts';
import { createActorSystem } from '../../../supervisors/actors/deliver.ts';
import { deleteOriginal } from '../../../supervisors/actors/original-deletion.ts';
import type { Decision } from './failover.ts';
import { activeJobsOf } from './memory/memory-transaction.ts';
import { referenceOfGroup } from './memory/second-inputs.ts';
import { newJob, newTextJob } from './memory/seeds.ts';
import { Session } from './memory/session.ts';
import { FINAL_JOBS, type StoredJob } from './memory/tables.ts';
import type { Purchase } from './provider.ts';
import type { SimulatedProcess } from './universe.ts';
import { START, short, type World } from './world.ts';

const MINUTE = 60_000;

/** What reaches the platform through its web processes: agents who submit, cancel, review, delete; the provider's callbacks. */
export interface Web {
  process: SimulatedProcess;
  submit(originalId: string, style: CanonicalStyle): Promise<void>;
  describe(propertyId: string): Promise<void>;
  cancel(jobId: string): Promise<void>;
  review(imageId: string, decision: 'APPROVE' | 'REJECT'): Promise<void>;
  withdraw(imageId: string, by: WithdrawnBy): Promise<void>;
  liftWithdrawal(imageId: string, by: 'AGENT' | 'OPERATOR'): Promise<void>;
  deleteOriginal(originalId: string): Promise<void>;
  callback(webhookId: string, purchase: Purchase): Promise<void>;
  releaseQuarantine(jobId: string): Promise<void>;
  /** An operator has a picture collected whose host was refused. */
  collectOutput(jobId: string): Promise<void>;
}

const AGENT = '00000000-0000-4000-8000-00000000a9e1';

export function startWeb(world: World, name: string): Web {
  const process = world.newProcess(name);
  const store = world.storeOf(process);
  const queue = world.queue.reachedFrom(process);
  const actorSystem = createActorSystem({
    store,
    queues: { stagingJob: queue, descriptionJob: queue },
    reporter: world.reporter(name),
    timers: process,
    nudges: { publish: (jobId: string) => world.nudge(jobId) },
    chance: { id: world.newId, jitter: () => world.random.next() },
  });
  const by = `user:${AGENT}`;
  const signers: Record<WithdrawnBy, string> = {
    AGENT: by,
    REPORTS: 'user:visitor',
    OPERATOR: 'operator:ada',
  };
  const confirmation = world.failover?.confirmation(process) ?? null;
  /** What makes something less public is answered only once it is not forgotten any more. */
  const decide = async (decision: Decision, work: () => Promise<boolean>): Promise<void> => {
    if (world.failover) await world.failover.decide({ process, confirmation }, decision, work);
    else await work();
  };
  const kindOf = (jobId: string) => world.server.database.tables.stagingJob.get(jobId)?.kind ?? 'stagingJob';
  return {
    process,
    async submit(originalId, style) {
      const jobId = await insertJob(world, process, { originalId, style });
      if (jobId !== null) await queue.enqueue([jobId]);
    },
    async describe(propertyId) {
      const jobId = await insertTextJob(world, process, propertyId);
      if (jobId !== null) await queue.enqueue([jobId]);
    },
    async cancel(jobId) {
      await actorSystem.deliver(
        { to: kindOf(jobId), id: jobId, event: { type: 'CANCEL_ASKED', at: process.now() } },
        { by },
      );
    },
    async review(imageId, decision) {
      const at = process.now();
      const event =
        decision === 'APPROVE'
          ? ({ type: 'APPROVE', at, byUserId: AGENT } as const)
          : ({ type: 'REJECT', at, byUserId: AGENT, reason: null } as const);
      const deliver = async () => {
        const told = await actorSystem.deliver({ to: 'imageReview', id: imageId, event }, { by });
        if (told.outcome === 'ignored' && told.state === 'PENDING_REVIEW')
          world.coverage.see('approval refused because another room is shown');
        return told.outcome === 'applied';
      };
      if (decision === 'APPROVE') await deliver();
      else await decide({ kind: 'REJECT', id: imageId, at }, deliver);
    },
    async withdraw(imageId, by) {
      const at = process.now();
      const event = { type: 'WITHDRAW', at, by } as const;
      await decide({ kind: 'WITHDRAW', id: imageId, at }, async () => {
        const told = await actorSystem.deliver(
          { to: 'imageReview', id: imageId, event },
          { by: signers[by] },
        );
        return told.outcome === 'applied';
      });
    },
    async liftWithdrawal(imageId, by) {
      const event = { type: 'LIFT', at: process.now(), by } as const;
      const answer = await actorSystem.deliver(
        { to: 'imageReview', id: imageId, event },
        { by: signers[by] },
      );
      if (answer.outcome !== 'ignored' || answer.state !== 'WITHDRAWN') return;
      const { imageReview } = world.server.database.tables;
      const { styledFromId, roomType, context } = imageReview.get(imageId) ?? {};
      const withdrawnBy = context?.withdrawnBy;
      const others = [...imageReview.values()].filter((one) => one.styledFromId === styledFromId);
      if (others.some((one) => one.state === 'APPROVED' && one.roomType !== roomType)) return;
      // Operators are refused for no other reason.
      if (by === 'OPERATOR') world.coverage.see('withdrawal that stands after a new submission');
      else if (withdrawnBy === 'REPORTS') world.coverage.see('withdrawal by reports that stands');
    },
    async deleteOriginal(originalId) {
      await decide({ kind: 'DELETE', id: originalId }, async () => {
        await deleteOriginal(actorSystem, { imageId: originalId, at: process.now(), by });
        return true;
      });
    },
    async callback(webhookId, { attemptId, predictionId, status }) {
      const outcome = await actorSystem.takeCallback({
        webhookId,
        providerAttemptId: attemptId,
        providerPredictionId: predictionId,
        providerStatus: status,
        at: process.now(),
      });
      if (outcome === 'REPEATED') world.coverage.see('duplicate webhook ignored');
    },
    async releaseQuarantine(jobId) {
      await actorSystem.deliver(
        { to: kindOf(jobId), id: jobId, event: { type: 'RELEASE_ASKED', at: process.now() } },
        { by: 'operator:ada', note: 'the poison is gone' },
      );
    },
    async collectOutput(jobId) {
      const asked = { type: 'COLLECT_ASKED', host: 'elsewhere.example', hostAllowed: true } as const;
      const told = await actorSystem.deliver(
        { to: 'stagingJob', id: jobId, event: { ...asked, at: process.now() } },
        { by: 'operator:ada', note: 'the host is allowed now' },
      );
      if (told.outcome === 'applied') world.coverage.see('refused picture collected for an operator');
      const { context } = world.server.database.tables.stagingJob.get(jobId) ?? {};
      if (
        told.outcome === 'ignored' &&
        told.state === 'FAILED' &&
        context?.errorCode === 'OUTPUT_HOST_REFUSED'
      )
        world.coverage.see('refused picture left because its photo was submitted again');
    },
  };
}

/**
 * An operator mends the setting and has the picture collected, perhaps twice at once, and perhaps after its agent has
 * submitted the photo again.
 */
export function planCollecting(
  { random, universe, server }: World,
  objectKey: string,
  {
    plan,
    attempt,
  }: {
    plan(atMs: number, act: () => void): void;
    attempt(what: string, act: (web: Web) => Promise<void>): void;
  },
): void {
  const chance = random.stream(`collecting ${objectKey}`);
  const tables = () => server.database.tables;
  const jobOf = () => {
    const maker = [...tables().providerAttempt.values()].find(
      ({ context }) => context.objectKey === objectKey,
    );
    const job = maker && tables().stagingJob.get(maker.jobId);
    return job?.kind === 'stagingJob' ? job : null;
  };
  const soon = (fromMs: number, toMs: number) => universe.now() - START + chance.between(fromMs, toMs);
  if (chance.chance(0.2))
    plan(soon(MINUTE / 4, MINUTE), () => {
      const job = jobOf();
      if (job !== null)
        attempt(`submit ${short(job.details.originalImageId)} again`, (web) =>
          web.submit(job.details.originalImageId, job.details.canonicalStyle),
        );
    });
  const collect = () => {
    const job = jobOf();
    if (job !== null) attempt(`collect for ${short(job.id)}`, (web) => web.collectOutput(job.id));
  };
  plan(soon(MINUTE / 4, 3 * MINUTE), () => {
    collect();
    if (chance.chance(0.3)) collect();
  });
}

/** A picture is withdrawn, and what may follow, in any order: it is shown again, or its photo is submitted again. */
export function planWithdrawal(
  { random, universe }: World,
  { id, styledFromId, canonicalStyle }: ImageReviewActor,
  {
    plan,
    attempt,
  }: {
    plan(atMs: number, act: () => void): void;
    attempt(what: string, act: (web: Web) => Promise<void>): void;
  },
): void {
  const soon = (withinMs: number) => universe.now() - START + random.between(1000, withinMs);
  const by = random.pick(WITHDRAWERS);
  attempt(`withdraw ${short(id)}`, (web) => web.withdraw(id, by));
  if (by === 'AGENT' && random.chance(0.3))
    plan(soon(2 * MINUTE), () =>
      attempt(`reports withdraw ${short(id)}`, (web) => web.withdraw(id, 'REPORTS')),
    );
  if (canonicalStyle !== null && random.chance(0.6))
    plan(soon(2 * MINUTE), () =>
      attempt(`submit ${short(id)} again`, (web) => web.submit(styledFromId, canonicalStyle)),
    );
  for (const lifter of ['AGENT', 'OPERATOR'] as const)
    plan(soon(3 * MINUTE), () => attempt(`lift ${short(id)}`, (web) => web.liftWithdrawal(id, lifter)));
}

/** As persistence/jobs/staging-submissions.ts: submissions of one original run one after the other. */
async function insertJob(
  world: World,
  process: SimulatedProcess,
  { originalId, style }: { originalId: string; style: CanonicalStyle },
): Promise<string | null> {
  await process.hop('db: begin');
  const session = new Session(world.server, process.name);
  try {
    await session.lock(`original ${originalId}`);
    await process.hop('db: find earlier');
    const original = session.read('original', originalId);
    if (original === null) return null;
    const variants = session.all('imageReview').filter((image) => image.styledFromId === originalId);
    if (variants.some((image) => image.canonicalStyle === style && image.state !== 'WITHDRAWN')) return null;
    const active = activeJobsOf(session, originalId).filter(
      ({ kind, details }) => kind === 'stagingJob' && details.canonicalStyle === style,
    );
    if (active.length > 0) return null;
    const id = world.newId();
    const at = process.now();
    const born = birthOf({ kind: 'stagingJob', id, event: { type: 'CREATED', at } }, { by: `user:${AGENT}` });
    // A group takes its own style only; the photo is staged in others as if it had none.
    const groupId = style === 'MODERN' ? original.groupId : null;
    const referenceImageKey = groupId === null ? null : await referenceOfGroup(session, groupId);
    const job = newJob({ id, original, canonicalStyle: style, createdAt: at, groupId, referenceImageKey });
    session.write('stagingJob', id, { ...job, ...born.actor });
    session.append(born.entry);
    await process.hop('db: commit');
    session.commit();
    if (variants.some((image) => image.canonicalStyle === style))
      world.coverage.see('photo submitted again beside its withdrawn picture');
    await process.hop('db: committed');
    return id;
  } finally {
    session.rollback();
  }
}

/** As persistence/jobs/description-requests.ts: the unique index lets one of several requests make the job. */
async function insertTextJob(
  world: World,
  process: SimulatedProcess,
  propertyId: string,
): Promise<string | null> {
  await process.hop('db: begin');
  const session = new Session(world.server, process.name);
  try {
    await session.lock(`descriptions of ${propertyId}`);
    await process.hop('db: insert description job');
    const [id, at] = [world.newId(), process.now()];
    const born = birthOf(
      { kind: 'descriptionJob', id, event: { type: 'CREATED', at } },
      { by: `user:${AGENT}` },
    );
    const job = { ...newTextJob({ id, propertyId, createdAt: at }), ...born.actor };
    const { dedupeKey } = job;
    const isOpen = (one: StoredJob) => one.dedupeKey === dedupeKey && !FINAL_JOBS.has(one.state);
    if (session.all('stagingJob').some(isOpen)) return null;
    session.write('stagingJob', id, job);
    session.append(born.entry);
    await process.hop('db: commit');
    session.commit();
    await process.hop('db: committed');
    return job.id;
  } finally {
    session.rollback();
  }
}
