import type { StagingJobActor } from '../../../persistence/actors/job-row.ts';
import type { Coverage } from './coverage.ts';
import { seedOriginal } from './memory/seeds.ts';
import type { Database, JournalRow, Original } from './memory/tables.ts';
import type { Web } from './people.ts';
import type { Purchase } from './provider.ts';
import { short, type World } from './world.ts';

/**
 * Photos of one room that share a look (docs/contract.md#room-groups): what agents do with them, and what must hold for
 * the second input of each purchase. Some seeds have a group; the others are the same runs as without it.
 */
const SHARE_OF_SEEDS = 0.4;
const STYLE = 'MODERN';
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

interface Plans {
  plan(atMs: number, act: () => void): void;
  attempt(what: string, act: (web: Web) => Promise<void>): void;
}

/**
 * Two or three photos of one room are staged at different times, so that some jobs are submitted before the first
 * approval of the group and others after it. Photos are deleted, some right after a submission: then the picture that a
 * job was submitted with goes before the job is sent, or before the provider has read it.
 */
export function planGroup(world: World, { plan, attempt }: Plans): void {
  const random = world.random.stream('rooms');
  if (!random.chance(SHARE_OF_SEEDS)) return;
  const { universe } = world;
  const { tables } = world.server.database;
  const room = { propertyId: `property of group ${world.newId()}`, groupId: world.newId() };
  const photos = Array.from({ length: random.between(2, 3) }, (_, index) => {
    const photo = index === 1 ? { width: 1200, height: 1600 } : null;
    const original = seedOriginal(world.server, world.newId(), photo, room);
    world.objects.keys.add(original.objectKey).add(original.providerInputKey);
    return original;
  });
  const stage = (photo: Original) => {
    attempt(`stage ${short(photo.id)} ${STYLE} with its group`, (web) => web.submit(photo.id, STYLE));
    // In another style it is staged as if it had no group.
    if (random.chance(0.1))
      attempt(`stage ${short(photo.id)} LUXURY`, (web) => web.submit(photo.id, 'LUXURY'));
  };
  const pictures = () =>
    [...tables.imageReview.values()].filter(({ styledFromId }) =>
      photos.some((photo) => photo.id === styledFromId),
    );
  const approve = () => {
    const image = pictures().find(({ state }) => state === 'PENDING_REVIEW');
    if (image) attempt(`APPROVE ${short(image.id)}`, (web) => web.review(image.id, 'APPROVE'));
  };
  /** The photo whose picture the others follow, if there is one; else any. */
  const remove = () => {
    const shown = pictures().find(({ state }) => state === 'APPROVED');
    const id = shown?.styledFromId ?? random.pick(photos).id;
    attempt(`delete ${short(id)}`, (web) => web.deleteOriginal(id));
  };

  const removeOnceBought = (withinMs: number): void => {
    const isBought = world.purchases.ledger.some(
      ({ secondInput, status }) => secondInput !== null && status === 'processing',
    );
    if (isBought) remove();
    else if (withinMs > 0)
      universe.at(universe.now() + 5 * SECOND, () => removeOnceBought(withinMs - 5 * SECOND));
  };

  const [first, ...others] = photos;
  if (first) plan(random.between(0, MINUTE), () => stage(first));
  if (random.chance(0.5)) plan(random.between(0, 5 * MINUTE), () => stage(random.pick(others)));
  for (let minute = 1; minute <= 20; minute += 1) {
    const atMs = minute * MINUTE + random.between(0, MINUTE);
    if (random.chance(0.7)) plan(atMs, approve);
    // A photo staged for the second time is answered with its job or its picture.
    plan(atMs, () => {
      if (random.chance(0.5) || pictures().every(({ state }) => state !== 'APPROVED')) return;
      stage(random.pick(others));
      const fate = random.next();
      if (fate < 0.3) universe.at(universe.now() + random.between(0, 30 * SECOND), remove);
      else if (fate < 0.6) removeOnceBought(2 * MINUTE);
    });
  }
  if (random.chance(0.2)) plan(random.between(2 * MINUTE, 12 * MINUTE), remove);
}

/** What the provider was sent, beside what the journal says about it (I37). */
export function wrongSecondInput(
  { tables, journal }: Database,
  attemptId: string,
  job: StagingJobActor,
): string | null {
  const secondInput = job.details.referenceImageKey;
  if (secondInput === null) return null;
  const told = (why: string) => `I37 attempt ${attemptId} was sent with ${secondInput}, which ${why}`;
  const made = [...tables.providerAttempt.values()].find(({ context }) => context.objectKey === secondInput);
  const maker = made && tables.stagingJob.get(made.jobId);
  if (maker?.kind !== 'stagingJob' || maker.details.groupId !== job.details.groupId)
    return told('is no picture of its group');
  const of = (id: string | null) => journal.filter((row) => row.id === id);
  const picture = of(maker.context.resultImageId);
  const at = (row: JournalRow | undefined) => row?.position ?? Number.POSITIVE_INFINITY;
  const approved = at(picture.find(({ event }) => event.type === 'APPROVE'));
  if (approved > at(of(job.id)[0])) return told('was not approved when its job was submitted');
  if (at(picture.find(({ to }) => to === 'REMOVED')) < at(of(attemptId)[0]))
    return told('was gone before the attempt was reserved');
  return null;
}

/** A job names the second input of the purchase that it has its picture from; its result records that name (I37). */
export function wrongRecords({ tables }: Database, ledger: readonly Purchase[]): string[] {
  return ledger.flatMap(({ attemptId, textJobId, secondInput }) => {
    const attempt = tables.providerAttempt.get(attemptId);
    const job = tables.stagingJob.get(attempt?.jobId ?? '');
    if (textJobId !== null || attempt?.state !== 'SUCCEEDED' || job?.kind !== 'stagingJob') return [];
    const named = job.details.referenceImageKey;
    return named === secondInput
      ? []
      : [`I37 attempt ${attemptId} was sent with ${secondInput}, and its job names ${named}`];
  });
}

/** Counts how the purchases of groups ended. */
export function seeGroups(
  coverage: Pick<Coverage, 'see'>,
  { tables }: Database,
  ledger: readonly Purchase[],
): void {
  for (const { attemptId, secondInput } of ledger) {
    const attempt = tables.providerAttempt.get(attemptId);
    const job = tables.stagingJob.get(attempt?.jobId ?? '');
    if (attempt?.state !== 'SUCCEEDED' || job?.kind !== 'stagingJob' || job.details.groupId === null)
      continue;
    coverage.see(secondInput === null ? 'picture of a group alone' : 'picture with a second input');
  }
}
