import type { z } from 'zod';
import { resolveStyle } from '../../../machines/staging-styles.ts';
import {
  CANONICAL_ROOM_TYPES,
  type CanonicalRoomType,
  type CanonicalStyle,
} from '../../../machines/vocabulary.ts';
import { imagesForAgent, type PropertyImageView } from '../../../persistence/image-queries.ts';
import { submitStagingJob } from '../../../persistence/staging-submissions.ts';
import { PublicError, REFUSALS, type RefusalCode } from '../../errors.ts';
import { ensureProviderInput } from '../../property-images/provider-input.ts';
import { renderPrompt } from '../../staging/prompt.ts';
import type { Services } from '../../web/services.ts';
import type { Assignment, submissionResult } from '../../wire/staging-jobs.ts';

/**
 * `ai.submitRoomStaging`. All assignments are looked at before anything is written: one that cannot be accepted
 * refuses the whole call and is named in `fields`. Then each is submitted in a transaction of its own, in order;
 * queue entries follow the commits and are hints. A crash half-way leaves whole jobs; submitting again answers
 * EXISTING for those.
 */
type SubmissionResult = z.output<typeof submissionResult>;

interface Accepted {
  assignment: Assignment;
  roomType: CanonicalRoomType;
  style: CanonicalStyle;
  modifier: string | null;
  isAlias: boolean;
}

export async function submitRoomStaging(
  services: Services,
  { agentId, assignments }: { agentId: string; assignments: readonly Assignment[] },
): Promise<SubmissionResult[]> {
  if (!services.settings.stagingEnabled) throw new PublicError('STAGING_UNAVAILABLE');
  const accepted = readNames(services, assignments);
  const originals = await findOriginals(services, agentId, assignments);
  for (const original of new Set(originals))
    await ensureProviderInput({ ...services, decoder: services.decoders.uploads }, original);
  const results: SubmissionResult[] = [];
  try {
    for (const each of accepted) results.push(await submitOne(services, agentId, each));
  } finally {
    offer(services, results);
  }
  return results;
}

/** What the names mean. The first kind of fault found speaks for the call. */
function readNames({ settings, clock }: Services, assignments: readonly Assignment[]): Accepted[] {
  const aliasesOver = clock.now() >= settings.legacyAliasSunsetAt.getTime();
  const faults = new Faults('assignments');
  const accepted: Accepted[] = [];
  for (const [index, assignment] of assignments.entries()) {
    const style = resolveStyle(assignment.style);
    const roomType = CANONICAL_ROOM_TYPES.find((known) => known === assignment.roomType);
    if (style === null) faults.add('UNKNOWN_STYLE', index, 'style');
    else if (style.isAlias && aliasesOver) faults.add('STYLE_ALIAS_SUNSET', index, 'style');
    if (roomType === undefined) faults.add('UNKNOWN_ROOM_TYPE', index, 'roomType');
    if (style === null || roomType === undefined) continue;
    const { canonical, modifier, isAlias } = style;
    accepted.push({ assignment, roomType, style: canonical, modifier, isAlias });
  }
  faults.raise();
  return accepted;
}

/** The image of each assignment, in order. One query: an image of somebody else's is no image at all. */
async function findOriginals(
  { pool }: Services,
  agentId: string,
  assignments: readonly Assignment[],
): Promise<PropertyImageView[]> {
  const imageIds = [...new Set(assignments.map(({ originalImageId }) => originalImageId))];
  const images = await imagesForAgent(pool, { imageIds, agentId });
  const byId = new Map(images.map((image) => [image.imageId, image]));
  const faults = new Faults('assignments');
  const originals = assignments.flatMap(({ originalImageId }, index) => {
    const image = byId.get(originalImageId);
    if (image === undefined) faults.add('NOT_FOUND', index, 'originalImageId');
    else if (image.isStyled) faults.add('IMAGE_NOT_ORIGINAL', index, 'originalImageId');
    return image === undefined ? [] : [image];
  });
  faults.raise();
  return originals;
}

/** As a span of its own, which the job keeps: whoever works for the job later does so in this trace. */
function submitOne(services: Services, agentId: string, accepted: Accepted): Promise<SubmissionResult> {
  return services.tracer.span({ name: 'submit staging job' }, async (span) => {
    const result = await makeJob(services, agentId, accepted);
    span.note({ 'proscenium.job.id': result.aiJobId, 'proscenium.outcome': result.disposition });
    return result;
  });
}

async function makeJob(services: Services, agentId: string, accepted: Accepted): Promise<SubmissionResult> {
  const { pool, tracer, chance, clock, settings } = services;
  const { assignment, roomType, style, modifier, isAlias } = accepted;
  const { model, ...inputs } = settings.providerInputs;
  const answer = await submitStagingJob(pool, {
    aiJobId: chance.id(),
    originalImageId: assignment.originalImageId,
    requestedByUserId: agentId,
    canonicalRoomType: roomType,
    canonicalStyle: style,
    styleModifier: modifier,
    submittedStyle: assignment.style,
    legacyStyle: isAlias ? assignment.style : null,
    ...renderPrompt({ roomType, style, modifier }),
    providerModel: model,
    ...inputs,
    traceparent: tracer.context(),
    at: clock.now(),
  });
  if (answer.outcome === 'missing') throw new PublicError('NOT_FOUND');
  if (answer.outcome === 'not-original') throw new PublicError('IMAGE_NOT_ORIGINAL');
  const { disposition, aiJobId, stagedImageId, roomType: counted } = answer;
  return {
    originalImageId: assignment.originalImageId,
    canonicalStyle: style,
    roomType: counted,
    aiJobId,
    disposition,
    stagedImageId,
  };
}

/** Not awaited: the jobs are durable, and the dispatcher offers what the queue did not take. */
function offer({ queue, logger }: Services, results: readonly SubmissionResult[]): void {
  const jobIds = results.flatMap(({ disposition, aiJobId }) =>
    disposition === 'ENQUEUED' && aiJobId !== null ? [aiJobId] : [],
  );
  if (jobIds.length === 0) return;
  queue.enqueue(jobIds).catch((error: unknown) => {
    logger.warn({ err: error, jobIds }, 'queue entries could not be made; the dispatcher will');
  });
}

/** Collects what is wrong with a list and refuses it by the kind that was found first. */
class Faults {
  readonly #list: string;
  readonly #found: { code: RefusalCode; field: string }[] = [];

  constructor(list: string) {
    this.#list = list;
  }
  add(code: RefusalCode, index: number, field: string): void {
    this.#found.push({ code, field: `${this.#list}.${index}.${field}` });
  }
  raise(): void {
    const [first] = this.#found;
    if (first === undefined) return;
    const same = this.#found.filter(({ code }) => code === first.code);
    const fields = Object.fromEntries(same.map(({ code, field }) => [field, [REFUSALS[code].message]]));
    throw new PublicError(first.code, { fields });
  }
}
