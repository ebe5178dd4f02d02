import { OUTPUT_LIFE_MS } from './limits.ts';

/** Why a picture that was refused for its host must not be collected; read under the lock of its photo. */
export type CollectObstacle = 'PHOTO_GONE' | 'PHOTO_ALTERED' | 'SUBMITTED_AGAIN';

/** A person has the picture of a job collected that was refused for its host. */
export interface CollectAsked {
  type: 'COLLECT_ASKED';
  at: number;
  /** The host that was refused; null when the journal does not have it. */
  host: string | null;
  /** By the sender's setting. */
  hostAllowed: boolean;
  /** When the provider was seen to have completed the picture. Read in the deciding transaction, like what follows. */
  completedAt: number | null;
  obstacle: CollectObstacle | null;
  /** Where the picture goes. */
  objectKey: string;
}

/** Why COLLECT_ASKED changes nothing; null when the picture is collected. */
export function whyNotCollected(
  { errorCode }: { errorCode: string | null },
  { at, hostAllowed, completedAt, obstacle }: Omit<CollectAsked, 'objectKey'>,
): 'NOT_REFUSED' | 'TOO_LATE' | 'HOST_NOT_ALLOWED' | CollectObstacle | null {
  if (errorCode !== 'OUTPUT_HOST_REFUSED') return 'NOT_REFUSED';
  if (completedAt === null || at >= completedAt + OUTPUT_LIFE_MS) return 'TOO_LATE';
  return hostAllowed ? obstacle : 'HOST_NOT_ALLOWED';
}
