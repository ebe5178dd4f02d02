import { type ImageReviewEvent, imageReviewMachine } from '../../../machines/image-review.ts';
import { step } from '../../../machines/step.ts';
import type { CanonicalRoomType, CanonicalStyle } from '../../../machines/vocabulary.ts';
import {
  DATABASE_CLOCK,
  type GroupModel,
  type ImageModel,
  isOver,
  newJob,
  queueDeletion,
  type StagingModel,
  sendToJob,
  take,
} from './staging-model.ts';

/** People's actions on an original over HTTP, with the answers that the model expects. */
export interface Answered {
  status: number;
  errorCode?: string;
  data?: Record<string, unknown>;
}
const NOT_FOUND: Answered = { status: 404, errorCode: 'NOT_FOUND' };
const ROOM_DIFFERS: Answered = { status: 409, errorCode: 'ROOM_DIFFERS' };

/** `freshId`: the id of the new job, if this submission made one. */
export function submit(
  model: StagingModel,
  { style, grouped, freshId }: { style: CanonicalStyle; grouped: boolean; freshId: string },
): Answered {
  if (model.original === null) return NOT_FOUND;
  const variant = model.images.find((image) => image.style === style && image.state !== 'WITHDRAWN');
  if (variant)
    return ok({
      disposition: 'style_exists',
      aiJobId: null,
      stagedImageId: variant.id,
      canonicalStyle: style,
    });
  const active = model.jobs.find((job) => job.style === style && !isOver(job));
  if (active) return ok({ disposition: 'EXISTING', aiJobId: active.id, stagedImageId: null });
  model.jobs.push(newJob(freshId, style, grouped ? ofGroup(model.group) : {}));
  return ok({ disposition: 'ENQUEUED', aiJobId: freshId, stagedImageId: null });
}

function ofGroup(group: GroupModel | null) {
  const shown = group?.picture?.state === 'APPROVED' ? group.picture.objectKey : null;
  return { groupId: group?.id ?? null, secondInput: shown };
}

/** Of the other photo's picture: a second approval changes nothing. */
export function approveOther({ group }: StagingModel, act: { by: string; at: number }): Answered {
  const picture = group?.picture;
  if (!picture) return NOT_FOUND;
  const decided = step(imageReviewMachine, picture, {
    type: 'APPROVE',
    at: act.at,
    byUserId: act.by,
    roomDiffers: false,
  });
  if (decided.outcome === 'applied') take(picture, decided.next);
  const { reviewedByUserId } = picture.context;
  return ok({ imageId: picture.id, reviewStatus: 'APPROVED', reviewedByUserId });
}

export function deleteOther(model: StagingModel): Answered {
  const { group } = model;
  if (!group?.picture) return NOT_FOUND;
  for (const key of [...group.other.keys, group.picture.objectKey])
    queueDeletion(model, key, 'ORIGINAL_IMAGE_DELETED');
  group.picture = null;
  return { status: 200 };
}

export function cancel(model: StagingModel, { jobId, at }: { jobId: string; at: number }): Answered {
  const job = model.jobs.find(({ id }) => id === jobId);
  if (!job) return NOT_FOUND;
  sendToJob(model, job, { type: 'CANCEL_ASKED', at }, null);
  return ok({ aiJobId: jobId, status: job.state.split('.')[0] });
}

export function approve(model: StagingModel, act: { imageId: string; by: string; at: number }): Answered {
  const image = model.images.find(({ id }) => id === act.imageId);
  if (!image) return NOT_FOUND;
  const roomDiffers = showsOtherRoom(model, image);
  const decided = step(imageReviewMachine, image, {
    type: 'APPROVE',
    at: act.at,
    byUserId: act.by,
    roomDiffers,
  });
  if (image.state === 'PENDING_REVIEW' && roomDiffers) return ROOM_DIFFERS;
  if (decided.outcome === 'applied') {
    take(image, decided.next);
    model.reviews.push({ kind: 'APPROVED', imageId: image.id, by: act.by });
  }
  return ok({
    imageId: image.id,
    reviewStatus: 'APPROVED',
    reviewedByUserId: image.context.reviewedByUserId,
  });
}

export type WithdrawalEvent = Extract<ImageReviewEvent, { type: 'WITHDRAW' | 'LIFT' }>;

/** What operators alone decide about a picture. */
type OperatorEvent = Extract<ImageReviewEvent, { type: 'APPROVAL_CONSENTED' | 'REPORTS_DISMISSED' }>;

/** Withdraws a picture of either photo or shows it again, as reports and operators do, past HTTP. */
export function changeWithdrawal(
  model: StagingModel,
  { imageId, event }: { imageId: string; event: WithdrawalEvent | OperatorEvent },
): 'applied' | 'ignored' | 'missing' {
  const image = pictureOf(model, imageId);
  if (!image) return 'missing';
  const decided = step(
    imageReviewMachine,
    image,
    event.type === 'LIFT'
      ? {
          ...event,
          superseded: isSubmittedAgain(model, image),
          roomDiffers: showsOtherRoom(model, image),
        }
      : event,
  );
  if (decided.outcome === 'applied') take(image, decided.next);
  return decided.outcome;
}

/** The same over HTTP, by an agent. */
export function askWithdrawal(
  model: StagingModel,
  change: { imageId: string; event: WithdrawalEvent },
): Answered {
  const { imageId, event } = change;
  const image = pictureOf(model, imageId);
  if (!image || image.state === 'PENDING_REVIEW') return NOT_FOUND;
  changeWithdrawal(model, change);
  if (event.type === 'LIFT' && image.state === 'WITHDRAWN')
    return image.context.withdrawnBy === 'AGENT' && showsOtherRoom(model, image)
      ? ROOM_DIFFERS
      : { status: 409, errorCode: 'WITHDRAWAL_STANDS' };
  return ok({ imageId, withdrawnBy: image.context.withdrawnBy });
}

const pictureOf = ({ images, group }: StagingModel, imageId: string): ImageModel | undefined =>
  [...images, ...(group?.picture ? [group.picture] : [])].find(({ id }) => id === imageId);

/** The kind of room that the agents name with a style: they disagree about the photo. */
export const roomIn = (style: CanonicalStyle): CanonicalRoomType =>
  style === 'LUXURY' ? 'DINING_ROOM' : 'LIVING_ROOM';

const showsOtherRoom = ({ images, group }: StagingModel, image: ImageModel): boolean =>
  image !== group?.picture &&
  images.some((other) => other.state === 'APPROVED' && roomIn(other.style) !== roomIn(image.style));

/** A later job of its photo and style, or another picture of them that is not withdrawn; the other photo has neither. */
function isSubmittedAgain({ images, jobs, group }: StagingModel, image: ImageModel): boolean {
  if (image === group?.picture) return false;
  const hasOther = images.some(
    (other) => other !== image && other.style === image.style && other.state !== 'WITHDRAWN',
  );
  const own = jobs.findIndex(({ id }) => id === image.jobId);
  return hasOther || jobs.slice(own + 1).some(({ style }) => style === image.style);
}

export function reject(model: StagingModel, act: { imageId: string; by: string; at: number }): Answered {
  const image = model.images.find(({ id }) => id === act.imageId);
  if (!image) return NOT_FOUND;
  if (image.state !== 'PENDING_REVIEW') return { status: 409, errorCode: 'NOT_PENDING_REVIEW' };
  model.reviews.push({ kind: 'REJECTED', imageId: image.id, by: act.by });
  removeImage(model, image, 'STAGED_IMAGE_DELETED');
  return ok({ imageId: image.id, rejected: true });
}

/**
 * Over HTTP the machines get the event first. `past` means a plain DELETE of the row: the trigger cancels the
 * jobs, and the next runner or delivery passes the cancellation on to their attempts.
 */
export function deleteOriginal(
  model: StagingModel,
  { at, past = false }: { at: number; past?: boolean },
): Answered {
  if (model.original === null) return NOT_FOUND;
  const { objectKey, providerInputKey } = model.original;
  for (const job of model.jobs) {
    if (isOver(job)) continue;
    if (past) cancelByTrigger(job);
    else sendToJob(model, job, { type: 'ORIGINAL_DELETED', at }, null);
  }
  for (const image of [...model.images]) removeImage(model, image, 'ORIGINAL_IMAGE_DELETED');
  for (const key of [objectKey, providerInputKey]) queueDeletion(model, key, 'ORIGINAL_IMAGE_DELETED');
  model.original = null;
  return { status: 200 };
}

function cancelByTrigger(job: StagingModel['jobs'][number]): void {
  if (job.state === 'CANCEL_REQUESTED') return;
  const waits = job.state.startsWith('PENDING');
  const instant = DATABASE_CLOCK;
  const ended = waits ? { canceledAt: instant, finishedAt: instant } : {};
  const context = { ...job.context, cancelRequestedAt: instant, retryAt: null, ...ended };
  take(job, { state: waits ? 'CANCELED' : 'CANCEL_REQUESTED', context });
  if (waits) job.lease = null;
}

function removeImage(
  model: StagingModel,
  image: ImageModel,
  reason: 'STAGED_IMAGE_DELETED' | 'ORIGINAL_IMAGE_DELETED',
): void {
  model.images = model.images.filter(({ id }) => id !== image.id);
  queueDeletion(model, image.objectKey, reason);
}

const ok = (data: Record<string, unknown>): Answered => ({ status: 200, data });
