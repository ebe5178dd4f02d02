import type { z } from 'zod';
import { resolveStyle } from '../../../machines/staging-styles.ts';
import {
  CANONICAL_ROOM_TYPES,
  type CanonicalRoomType,
  type CanonicalStyle,
} from '../../../machines/vocabulary.ts';
import { imagesForAgent, type PropertyImageView } from '../../../persistence/images/image-queries.ts';
import { type RoomGroup, roomGroupForAgent } from '../../../persistence/jobs/room-groups.ts';
import {
  type SubmissionResult as SubmissionAnswer,
  type SubmissionCall,
  type Submitted,
  submissionDenial,
  submitStagingJobs,
} from '../../../persistence/jobs/staging-submissions.ts';
import { PublicError } from '../../errors/errors.ts';
import { PUBLIC_ERRORS, type PublicErrorCode } from '../../errors/public-errors.ts';
import { ensureProviderInput, inputKeyOf, stagingRefusal } from '../../images/uploads/provider-input.ts';
import { renderPrompt } from '../../prompts/staging-prompt.ts';
import type { Keep } from '../../repeats/repeats.ts';
import type { Assignment, submissionResult } from '../../wire/staging-jobs.ts';
import { iso } from '../../wire/text.ts';
import type { Services } from '../services.ts';

/**
 * `ai.submitRoomStaging`. All assignments, and their group, are checked before anything is written. One that cannot be
 * accepted rejects the whole call and is named in `fields`; so does a quota that is too small for all new jobs. Then all are
 * submitted in one transaction. Queue entries follow the commit and are hints.
 */
type SubmissionResult = z.output<typeof submissionResult>;

interface Accepted {
  assignment: Assignment;
  roomType: CanonicalRoomType;
  style: CanonicalStyle;
  modifier: string | null;
  isAlias: boolean;
}

interface SubmissionRequest {
  agentId: string;
  /** The group of all photos of the call. */
  groupId: string | null;
  assignments: readonly Assignment[];
  /** Stores the answer in the transaction that creates the jobs. */
  keepAnswer: Keep<Answer>;
}
interface Answer {
  results: SubmissionResult[];
}

export async function submitRoomStaging(
  services: Services,
  { agentId, groupId, assignments, keepAnswer }: SubmissionRequest,
): Promise<Answer> {
  if (!services.settings.stagingEnabled) throw new PublicError('STAGING_UNAVAILABLE');
  const accepted = readNames(services, assignments);
  const originals = await findOriginals(services, agentId, assignments);
  const group = groupId === null ? null : await findGroup(services, { groupId, agentId, accepted });
  const call = () => callOf(services, { agentId, accepted, group });
  const { framing } = services.settings.providerInputs;
  const unprepared = originals.filter((original) => inputKeyOf(original, framing) === null);
  if (unprepared.length > 0) {
    const early = await submissionDenial(services.pool, call());
    if (early !== null) throw refused(early, services.clock.now());
    for (const original of new Set(unprepared))
      await ensureProviderInput({ ...services, decoder: services.decoders.uploads }, original, framing);
  }
  const shown = (all: readonly Submitted[]): Answer => ({
    results: all.map((result, index) => resultOf(result, accepted[index])),
  });
  const answer = await services.submissionQueue.run(agentId, () =>
    submitStagingJobs(services.pool, {
      ...call(),
      keep: (client, all) => keepAnswer(client, shown(all)),
    }),
  );
  if (answer.outcome !== 'submitted') throw refused(answer, services.clock.now());
  const { results } = shown(answer.results);
  enqueue(services, results);
  return { results };
}

/** Resolves the names in the assignments. The first kind of fault that is found decides the error. */
function readNames({ settings, clock }: Services, assignments: readonly Assignment[]): Accepted[] {
  const aliasesOver = clock.now() >= settings.legacyAliasSunsetAt.getTime();
  const faults: Fault[] = [];
  const accepted: Accepted[] = [];
  for (const [index, assignment] of assignments.entries()) {
    const style = resolveStyle(assignment.style);
    const roomType = CANONICAL_ROOM_TYPES.find((known) => known === assignment.roomType);
    if (style === null) faults.push({ code: 'UNKNOWN_STYLE', index, field: 'style' });
    else if (style.isAlias && aliasesOver) faults.push({ code: 'STYLE_ALIAS_SUNSET', index, field: 'style' });
    if (roomType === undefined) faults.push({ code: 'UNKNOWN_ROOM_TYPE', index, field: 'roomType' });
    if (style === null || roomType === undefined) continue;
    const { canonical, modifier, isAlias } = style;
    accepted.push({ assignment, roomType, style: canonical, modifier, isAlias });
  }
  raise(faults);
  return accepted;
}

/** The image of each assignment, in order. One query; another agent's image counts as missing. */
async function findOriginals(
  { pool, settings }: Services,
  agentId: string,
  assignments: readonly Assignment[],
): Promise<PropertyImageView[]> {
  const imageIds = [...new Set(assignments.map(({ originalImageId }) => originalImageId))];
  const images = await imagesForAgent(pool, { imageIds, agentId });
  const byId = new Map(images.map((image) => [image.imageId, image]));
  const faults: Fault[] = [];
  const originals = assignments.flatMap(({ originalImageId }, index) => {
    const image = byId.get(originalImageId);
    if (image === undefined) faults.push({ code: 'NOT_FOUND', index, field: 'originalImageId' });
    else if (image.isStyled) faults.push({ code: 'IMAGE_NOT_ORIGINAL', index, field: 'originalImageId' });
    else {
      const code = stagingRefusal(image, settings.providerInputs.framing);
      if (code !== null) faults.push({ code, index, field: 'originalImageId' });
    }
    return image === undefined ? [] : [image];
  });
  raise(faults);
  return originals;
}

/**
 * The group of all photos, which must have each of them, and their room type and style. A nuance of a style would
 * contradict the brief.
 */
async function findGroup(
  { pool }: Services,
  { groupId, agentId, accepted }: { groupId: string; agentId: string; accepted: readonly Accepted[] },
): Promise<RoomGroup> {
  const group = await roomGroupForAgent(pool, { groupId, agentId });
  if (group === null)
    throw new PublicError('NOT_FOUND', { fields: { groupId: [PUBLIC_ERRORS.NOT_FOUND.message] } });
  const code = 'ROOM_GROUP_MISMATCH';
  const photos = new Set(group.originalImageIds);
  raise(
    accepted.flatMap(({ assignment, roomType, style, modifier }, index): Fault[] => [
      ...(photos.has(assignment.originalImageId) ? [] : [{ code, index, field: 'originalImageId' } as const]),
      ...(roomType === group.roomType ? [] : [{ code, index, field: 'roomType' } as const]),
      ...(style === group.style && modifier === null ? [] : [{ code, index, field: 'style' } as const]),
    ]),
  );
  return group;
}

function callOf(
  services: Services,
  { agentId, accepted, group }: { agentId: string; accepted: readonly Accepted[]; group: RoomGroup | null },
): SubmissionCall {
  const { tracer, chance, clock, settings } = services;
  const { model, ...inputs } = settings.providerInputs;
  const at = clock.now();
  const submissions = accepted.map(({ assignment, roomType, style, modifier, isAlias }, index) => ({
    aiJobId: chance.id(),
    originalImageId: assignment.originalImageId,
    requestedByUserId: agentId,
    canonicalRoomType: roomType,
    canonicalStyle: style,
    styleModifier: modifier,
    submittedStyle: assignment.style,
    legacyStyle: isAlias ? assignment.style : null,
    groupId: group?.groupId ?? null,
    ...renderPrompt({ roomType, style, modifier, brief: group?.brief ?? null }),
    providerModel: model,
    ...inputs,
    // One millisecond apart, so that lists keep the order of the call.
    at: at + index,
  }));
  return {
    agentId,
    submissions,
    limits: settings.stagingLimits,
    approvedOnly: settings.agentApproval === 'manual',
    at,
    // A separate span, which the job stores: workers continue its trace later.
    around: (make) =>
      tracer.span({ name: 'submit staging job' }, async (span) => {
        const result = await make(tracer.context());
        span.note({ 'proscenium.job.id': result.aiJobId, 'proscenium.outcome': result.disposition });
        return result;
      }),
  };
}

function resultOf(result: Submitted, accepted: Accepted | undefined): SubmissionResult {
  if (accepted === undefined) throw new Error('more results than assignments');
  const { disposition, aiJobId, stagedImageId, roomType } = result;
  return {
    originalImageId: accepted.assignment.originalImageId,
    canonicalStyle: accepted.style,
    roomType,
    aiJobId,
    disposition,
    stagedImageId,
  };
}

function refused(answer: Exclude<SubmissionAnswer, { outcome: 'submitted' }>, now: number): PublicError {
  switch (answer.outcome) {
    case 'no-agent':
      return new PublicError('UNAUTHORIZED');
    case 'suspended':
      return new PublicError('ACCOUNT_SUSPENDED');
    case 'missing':
      return new PublicError('NOT_FOUND');
    case 'not-original':
      return new PublicError('IMAGE_NOT_ORIGINAL');
    case 'not-approved':
      return new PublicError('AGENT_NOT_APPROVED');
    case 'quota-reached': {
      const { quota, remaining, resetsAt } = answer.shortage;
      return new PublicError('STAGING_QUOTA_REACHED', {
        quota: { quota, remaining, resetsAt: iso(resetsAt) },
        ...(resetsAt === null ? {} : { retryAfterSeconds: (resetsAt - now) / 1000 }),
      });
    }
  }
}

/** Not awaited: the jobs are durable, and the dispatcher enqueues jobs that are missing in the queue. */
function enqueue({ queue, logger }: Services, results: readonly SubmissionResult[]): void {
  const jobIds = results.flatMap(({ disposition, aiJobId }) =>
    disposition === 'ENQUEUED' && aiJobId !== null ? [aiJobId] : [],
  );
  if (jobIds.length === 0) return;
  queue.enqueue(jobIds).catch((error: unknown) => {
    logger.warn({ err: error, jobIds }, 'queue entries could not be made; the dispatcher will');
  });
}

interface Fault {
  code: PublicErrorCode;
  index: number;
  field: keyof Assignment;
}

/** @throws PublicError of the first kind of fault that is found, with every assignment that has it. */
function raise(faults: readonly Fault[]): void {
  const [first] = faults;
  if (first === undefined) return;
  const { code } = first;
  const same = faults.filter((fault) => fault.code === code);
  const fields = same.map(({ index, field }) => [
    `assignments.${index}.${field}`,
    [PUBLIC_ERRORS[code].message],
  ]);
  throw new PublicError(code, { fields: Object.fromEntries(fields) });
}
