import { failureOf } from '../../api/failures.ts';

/** Plain routes name the code of an error only; here are the messages of those that the studio calls. */
const MESSAGES: Readonly<Record<string, string>> = {
  CONFLICT: 'studio.photo.inUse',
  NOT_FOUND: 'errors.notFound',
  PHOTO_BROKEN: 'photo.broken',
  PHOTO_TOO_LARGE: 'photo.tooLarge',
  PHOTO_TYPE_UNSUPPORTED: 'photo.typeUnsupported',
  UNAUTHORIZED: 'errors.unauthorized',
  UPLOAD_EXPIRED: 'photo.uploadExpired',
};

/** The key of the message for a failed call. */
export function problemKey(error: unknown): string {
  const { messageKey, errorCode, httpStatus } = failureOf(error);
  if (messageKey !== null) return messageKey;
  if (httpStatus === null) return 'errors.notReached';
  return MESSAGES[errorCode ?? ''] ?? 'errors.internal';
}
