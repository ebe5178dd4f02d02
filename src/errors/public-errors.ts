/**
 * The table of public errors: the only errors that clients get. Each has its transport status, its tRPC code, the
 * key of its message in the i18n catalogs, and an English sentence that says what to do. A public error is thrown
 * as a `PublicError`. Any other thrown value is a fault: its message and stack never leave the process
 * (docs/contract.md#calling).
 */
import type { TRPC_ERROR_CODE_KEY } from '@trpc/server';
import { MAX_FRAMED_RATIO } from '../../machines/framing.ts';
import { MAX_GROUPS_PER_LISTING } from '../../machines/limits.ts';
import { CANONICAL_ROOM_TYPES, CANONICAL_STYLES, MIN_STAGED_SIDE } from '../../machines/vocabulary.ts';

/**
 * One public error as clients see it.
 * @param key in the i18n catalogs, for clients that show their own text
 * @param say English, one or two sentences; ends with what the caller should do
 */
const entry = (
  httpStatus: number,
  trpcCode: TRPC_ERROR_CODE_KEY,
  { key, say }: { key: string; say: string },
) => ({ httpStatus, trpcCode, messageKey: key, message: say });

/** Every public error that a client can meet, by its `errorCode`. */
export const PUBLIC_ERRORS = {
  BAD_REQUEST: entry(400, 'BAD_REQUEST', {
    key: 'errors.badRequest',
    say: 'The request is not valid HTTP for this server. Correct it and send it again.',
  }),
  INVALID_INPUT: entry(400, 'BAD_REQUEST', {
    key: 'errors.invalidInput',
    say: 'Some of the input is missing or not valid. Correct it and send it again.',
  }),
  UNAUTHORIZED: entry(401, 'UNAUTHORIZED', {
    key: 'errors.unauthorized',
    say: 'You are not signed in, or your session has ended. Sign in and try again.',
  }),
  FORBIDDEN: entry(403, 'FORBIDDEN', {
    key: 'errors.forbidden',
    say: 'Your account may not do this. Ask the owner of the listing, or use another account.',
  }),
  AGENT_REQUIRED: entry(403, 'FORBIDDEN', {
    key: 'errors.agentRequired',
    say: 'Only agents can do this. Become an agent first.',
  }),
  INVITATION_REQUIRED: entry(403, 'FORBIDDEN', {
    key: 'errors.invitationRequired',
    say: 'This needs an invitation that is open: it may have ended or been accepted. Ask for a new one.',
  }),
  PUSH_UNAVAILABLE: entry(412, 'PRECONDITION_FAILED', {
    key: 'errors.pushUnavailable',
    say: 'This installation sends no push notices. Mails tell the same.',
  }),
  PUSH_ADDRESS_REFUSED: entry(400, 'BAD_REQUEST', {
    key: 'errors.pushAddressRefused',
    say: 'The address of the push service is not a public https address. Use another browser.',
  }),
  WEBHOOK_ADDRESS_REFUSED: entry(400, 'BAD_REQUEST', {
    key: 'errors.webhookAddressRefused',
    say: 'A webhook needs a public https address. Use one that can be reached from the internet.',
  }),
  WEBHOOK_EXISTS: entry(409, 'CONFLICT', {
    key: 'errors.webhookExists',
    say: 'You have a webhook with this address. Change that one, or use another address.',
  }),
  TOO_MANY_WEBHOOKS: entry(409, 'CONFLICT', {
    key: 'errors.tooManyWebhooks',
    say: 'You have as many webhooks as an account may have. Remove one first.',
  }),
  WEBHOOK_OFF: entry(409, 'CONFLICT', {
    key: 'errors.webhookOff',
    say: 'This webhook is off, so nothing is sent to it. Turn it on first.',
  }),
  NAME_REQUIRED: entry(403, 'FORBIDDEN', {
    key: 'errors.nameRequired',
    say: 'Others would see this account without a name. Set one with users.updateProfile, then try again.',
  }),
  VERIFICATION_REQUIRED: entry(403, 'FORBIDDEN', {
    key: 'errors.verificationRequired',
    say: 'A mailed code must confirm this session first. Call users.requestVerification, then users.verifySession.',
  }),
  INVALID_ORIGIN: entry(403, 'FORBIDDEN', {
    key: 'errors.invalidOrigin',
    say: 'A page of another origin may not change anything here. Use the app.',
  }),
  MISSING_OR_NULL_ORIGIN: entry(403, 'FORBIDDEN', {
    key: 'errors.missingOrNullOrigin',
    say: 'The browser does not say for which page it asks, so nothing was changed. Use the app.',
  }),
  NOT_FOUND: entry(404, 'NOT_FOUND', {
    key: 'errors.notFound',
    say: 'There is nothing here, or it is not yours to see. Check the address.',
  }),
  METHOD_NOT_ALLOWED: entry(405, 'METHOD_NOT_SUPPORTED', {
    key: 'errors.methodNotAllowed',
    say: 'This method is not allowed here. Use one that the Allow header lists.',
  }),
  REQUEST_TIMEOUT: entry(408, 'TIMEOUT', {
    key: 'errors.requestTimeout',
    say: 'The request took too long to arrive. Send it again on a better connection.',
  }),
  CONFLICT: entry(409, 'CONFLICT', {
    key: 'errors.conflict',
    say: 'This has changed in the meantime. Load it again, then repeat what you did.',
  }),
  PERSON_CHANGED: entry(409, 'CONFLICT', {
    key: 'errors.personChanged',
    say: 'Another person is signed in here now, so nothing was changed. Load the page again.',
  }),
  LENGTH_REQUIRED: entry(411, 'BAD_REQUEST', {
    key: 'errors.lengthRequired',
    say: 'A body in chunks is not accepted here. Send it again with a Content-Length header.',
  }),
  IDEMPOTENCY_KEY_IN_FLIGHT: entry(409, 'CONFLICT', {
    key: 'errors.idempotencyKeyInFlight',
    say: 'A call with this Idempotency-Key is still under way. Wait a moment, then send the same again.',
  }),
  ACCOUNT_SUSPENDED: entry(403, 'FORBIDDEN', {
    key: 'errors.accountSuspended',
    say: 'This account is suspended. You can still read, export your data and delete the account. Ask support for the reason.',
  }),
  IDEMPOTENCY_KEY_REUSED: entry(422, 'UNPROCESSABLE_CONTENT', {
    key: 'errors.idempotencyKeyReused',
    say: 'This Idempotency-Key came with another input before. Use a new one for each call.',
  }),
  IDEMPOTENT_ANSWER_NOT_KEPT: entry(409, 'CONFLICT', {
    key: 'errors.idempotentAnswerNotKept',
    say: 'This was done before, but its answer was too large to keep. Load what it has changed.',
  }),
  PAYLOAD_TOO_LARGE: entry(413, 'PAYLOAD_TOO_LARGE', {
    key: 'errors.payloadTooLarge',
    say: 'The request is larger than this server accepts. Send less at once.',
  }),
  REQUEST_HEAD_TOO_LARGE: entry(431, 'PAYLOAD_TOO_LARGE', {
    key: 'errors.requestHeadTooLarge',
    say: 'The address and headers of the request are too long. Send a long query by POST, and fewer headers.',
  }),
  UNSUPPORTED_MEDIA_TYPE: entry(415, 'UNSUPPORTED_MEDIA_TYPE', {
    key: 'errors.unsupportedMediaType',
    say: 'This content type is not accepted here. Send the one that the documentation names.',
  }),
  RATE_LIMITED: entry(429, 'TOO_MANY_REQUESTS', {
    key: 'errors.rateLimited',
    say: 'That was too often in a short time. Wait a moment, then try again.',
  }),
  CLIENT_CLOSED_REQUEST: entry(499, 'CLIENT_CLOSED_REQUEST', {
    key: 'errors.clientClosedRequest',
    say: 'The connection was closed before the answer was ready. Send the request again.',
  }),
  INTERNAL_ERROR: entry(500, 'INTERNAL_SERVER_ERROR', {
    key: 'errors.internal',
    say: 'Something went wrong on our side. Try again; if it happens again, tell support the request id.',
  }),
  SERVICE_UNAVAILABLE: entry(503, 'SERVICE_UNAVAILABLE', {
    key: 'errors.serviceUnavailable',
    say: 'The service is not available for the moment. Nothing was lost; try again shortly.',
  }),
  MAINTENANCE: entry(503, 'SERVICE_UNAVAILABLE', {
    key: 'errors.maintenance',
    say: 'The site is down for maintenance. Try again after the time in Retry-After.',
  }),
  NOT_YET_DURABLE: entry(503, 'SERVICE_UNAVAILABLE', {
    key: 'errors.notYetDurable',
    say: 'This is done, but a failure right now could still undo it. Send the same again in a moment.',
  }),

  // Staging and descriptions.
  STAGING_UNAVAILABLE: entry(412, 'PRECONDITION_FAILED', {
    key: 'staging.unavailable',
    say: 'Room staging is switched off at present. Nothing was submitted; try again later.',
  }),
  DESCRIPTION_UNAVAILABLE: entry(412, 'PRECONDITION_FAILED', {
    key: 'description.unavailable',
    say: 'Writing descriptions is switched off at present. Nothing was requested; try again later.',
  }),
  UNKNOWN_STYLE: entry(400, 'BAD_REQUEST', {
    key: 'staging.unknownStyle',
    say: `This style does not exist. Choose one of ${CANONICAL_STYLES.join(', ')}.`,
  }),
  STYLE_ALIAS_SUNSET: entry(400, 'BAD_REQUEST', {
    key: 'staging.styleAliasSunset',
    say: `Old style names are no longer accepted. Choose one of ${CANONICAL_STYLES.join(', ')}, or update the app.`,
  }),
  UNKNOWN_ROOM_TYPE: entry(400, 'BAD_REQUEST', {
    key: 'staging.unknownRoomType',
    say: `This kind of room cannot be staged. Choose one of ${CANONICAL_ROOM_TYPES.join(', ')}.`,
  }),
  IMAGE_NOT_ORIGINAL: entry(400, 'BAD_REQUEST', {
    key: 'staging.imageNotOriginal',
    say: 'A staged or altered picture cannot be staged. Choose the original photo.',
  }),
  PHOTO_TOO_SMALL: entry(422, 'UNPROCESSABLE_CONTENT', {
    key: 'staging.photoTooSmall',
    say: `This photo is too small to be staged. Upload one with at least ${MIN_STAGED_SIDE} pixels on its short side.`,
  }),
  ROOM_GROUP_MISMATCH: entry(400, 'BAD_REQUEST', {
    key: 'staging.roomGroupMismatch',
    say: 'This is not a photo, room type or style of the group, so nothing was submitted. Send those of the group, or no groupId.',
  }),
  ROOM_GROUPS_FULL: entry(409, 'CONFLICT', {
    key: 'staging.roomGroupsFull',
    say: `A listing has at most ${MAX_GROUPS_PER_LISTING} room groups. Use one that it has: ai.listRoomGroups.`,
  }),
  PHOTO_SHAPE: entry(422, 'UNPROCESSABLE_CONTENT', {
    key: 'staging.photoShape',
    say: `This photo is too long or too tall to be staged. Upload one whose longer side is at most ${MAX_FRAMED_RATIO} times the shorter one.`,
  }),
  STAGING_QUOTA_REACHED: entry(429, 'TOO_MANY_REQUESTS', {
    key: 'staging.quotaReached',
    say: 'These are more staging jobs than are left at present, so none was made. Ask for fewer, or wait until resetsAt.',
  }),
  QUOTA_REACHED: entry(429, 'TOO_MANY_REQUESTS', {
    key: 'quota.reached',
    say: 'This is more than a person may add, so nothing was added. Wait until resetsAt; where that is null, remove something first.',
  }),
  AGENT_NOT_APPROVED: entry(403, 'FORBIDDEN', {
    key: 'staging.agentNotApproved',
    say: 'Your account is not approved for staging yet. You can list homes and upload photos; ask support for the approval.',
  }),
  GEOMETRY_MOVED: entry(409, 'CONFLICT', {
    key: 'staging.geometryMoved',
    say: 'The room seems to have moved in this picture. Look at it, and approve it by itself.',
  }),
  NOT_COMPARED: entry(409, 'CONFLICT', {
    key: 'staging.notCompared',
    say: 'This picture is not compared with its photo yet. Look at it, and approve it by itself.',
  }),
  ROOM_DIFFERS: entry(409, 'CONFLICT', {
    key: 'staging.roomDiffers',
    say: 'The public already sees this photo staged as another kind of room. Withdraw that picture, or reject this one.',
  }),
  SECOND_PERSON_REQUIRED: entry(409, 'CONFLICT', {
    key: 'staging.secondPersonRequired',
    say: 'Visitors reported the last picture of this photo and style that you approved. Ask a colleague to review this one.',
  }),
  WITHDRAWAL_STANDS: entry(409, 'CONFLICT', {
    key: 'staging.withdrawalStands',
    say: 'This withdrawal cannot be lifted: reports or an operator decided it, the photo was staged again in this style, or it was lifted too often. Ask an operator, or use the newer picture.',
  }),
  PHOTO_ALTERED: entry(409, 'CONFLICT', {
    key: 'staging.photoAltered',
    say: 'The photo of this picture was altered, so the picture is not shown. Take back that the photo was altered, or stage an unaltered photo.',
  }),
  ALTERATION_STANDS: entry(409, 'CONFLICT', {
    key: 'staging.alterationStands',
    say: 'The file of this photo, or its feed, says how it was altered. Only an operator can change that.',
  }),
  NOT_PENDING_REVIEW: entry(409, 'CONFLICT', {
    key: 'staging.notPendingReview',
    say: 'This image is no longer waiting for review. Load the list again.',
  }),
  STAGED_CANNOT_BE_MAIN: entry(400, 'BAD_REQUEST', {
    key: 'staging.stagedCannotBeMain',
    say: 'A staged or altered picture can never be the cover. Choose an original photo.',
  }),
  STAGED_DELETE_REFUSED: entry(400, 'BAD_REQUEST', {
    key: 'staging.stagedDeleteRefused',
    say: 'A staged image is not deleted here. Use ai.rejectStagedVariant.',
  }),

  // Tours.
  TOUR_SLOT_TAKEN: entry(409, 'CONFLICT', {
    key: 'errors.tourSlotTaken',
    say: 'This time is no longer free in the calendar of the agent. Choose another one.',
  }),
  THREAD_CLOSED: entry(409, 'CONFLICT', {
    key: 'errors.threadClosed',
    say: 'Nothing can be sent here: the other side has deleted its account, or yours has blocked it. End the block first.',
  }),
  OPEN_HOUSE_OVERLAPS: entry(409, 'CONFLICT', {
    key: 'errors.openHouseOverlaps',
    say: 'The listing has an open house at that time already. Choose another time, or change that one.',
  }),
  TOO_MANY_OPEN_HOUSES: entry(409, 'CONFLICT', {
    key: 'errors.tooManyOpenHouses',
    say: 'The listing has 20 open houses ahead, the most allowed. Cancel one, or wait until one is over.',
  }),
  TOUR_ALREADY_OPEN: entry(409, 'CONFLICT', {
    key: 'errors.tourAlreadyOpen',
    say: 'There is an open tour of this home already. Change that one, or cancel it first.',
  }),
  TOUR_WRONG_STATE: entry(409, 'CONFLICT', {
    key: 'errors.tourWrongState',
    say: 'This cannot be done with the tour as it is now. Load it again; availableActions lists what can.',
  }),
  TOUR_NOT_COMPLETED: entry(409, 'CONFLICT', {
    key: 'errors.tourNotCompleted',
    say: 'Pictures can be reported after the visit took place. Try again when the agent has said so.',
  }),
  MISMATCH_TOO_LATE: entry(409, 'CONFLICT', {
    key: 'errors.mismatchTooLate',
    say: 'Pictures can be reported within 30 days after the visit. Write to the agent instead.',
  }),
  MISMATCH_ENDED: entry(409, 'CONFLICT', {
    key: 'errors.mismatchEnded',
    say: 'This report has ended in another way. Load the list again.',
  }),
  NO_AGENT_HERE: entry(409, 'CONFLICT', {
    key: 'errors.noAgentHere',
    say: 'No agent of this site answers for this home. Contact the firm that lists it.',
  }),
  TOUR_NOT_OFFERED: entry(409, 'CONFLICT', {
    key: 'errors.tourNotOffered',
    say: 'This home is off the market and not shown at present. Choose another one.',
  }),

  // Listings.
  LISTING_STATUS_REFUSED: entry(409, 'CONFLICT', {
    key: 'listing.statusRefused',
    say: 'The listing cannot take this status from the one it has. Choose one of those that are named.',
  }),
  LISTING_SETTLED: entry(409, 'CONFLICT', {
    key: 'listing.settled',
    say: 'The listing is closed. Its price changes only as a correction: say why with priceCorrection.',
  }),

  OFFER_ENDED: entry(409, 'CONFLICT', {
    key: 'errors.offerEnded',
    say: 'This offer has ended: it was answered, withdrawn or has expired. Load the list again.',
  }),

  // Accounts.
  CODE_INVALID: entry(400, 'BAD_REQUEST', {
    key: 'errors.codeInvalid',
    say: 'This code is not correct, has expired or was used already. Check it, or ask for a new one.',
  }),

  // Photos, and the provider's callbacks.
  PHOTO_TYPE_UNSUPPORTED: entry(415, 'UNSUPPORTED_MEDIA_TYPE', {
    key: 'photo.typeUnsupported',
    say: 'This kind of file is not accepted. Send a JPEG, PNG, WebP, AVIF or HEIC picture.',
  }),
  PHOTO_TOO_LARGE: entry(413, 'PAYLOAD_TOO_LARGE', {
    key: 'photo.tooLarge',
    say: 'The picture is too large. Send one of at most 25 MiB, 60 megapixels and 16,384 pixels a side, no more than 20 times as long as it is wide.',
  }),
  PHOTO_BROKEN: entry(422, 'UNPROCESSABLE_CONTENT', {
    key: 'photo.broken',
    say: 'The picture cannot be read. Save it again, or send another one.',
  }),
  STAGED_PICTURE: entry(422, 'UNPROCESSABLE_CONTENT', {
    key: 'photo.stagedPicture',
    say: 'This is a picture that was staged here, so it is no photo. Upload the photo as it was taken. If you think that this is a mistake, ask support.',
  }),
  UPLOAD_EXPIRED: entry(409, 'CONFLICT', {
    key: 'photo.uploadExpired',
    say: 'This upload took too long and was given up. Start it again.',
  }),
  PICTURE_LOST: entry(409, 'CONFLICT', {
    key: 'photo.lost',
    say: 'A picture of this listing is missing in the store, so the export would not be whole. Delete the photo and upload it again.',
  }),
  EXPORT_TOO_LARGE: entry(422, 'UNPROCESSABLE_CONTENT', {
    key: 'disclosure.exportTooLarge',
    say: 'These pictures are too many or too large for one export: 500 files and 4,000 megapixels at most.',
  }),
  EXPORT_RUNNING: entry(409, 'CONFLICT', {
    key: 'disclosure.exportRunning',
    say: 'An export of yours is still under way. Wait until it is over, then start the next one.',
  }),
  WEBHOOK_SIGNATURE_INVALID: entry(401, 'UNAUTHORIZED', {
    key: 'webhook.signatureInvalid',
    say: 'The signature, its timestamp or its id is missing or not valid. Sign the raw body and send it again.',
  }),
  WEBHOOK_BODY_INVALID: entry(400, 'BAD_REQUEST', {
    key: 'webhook.bodyInvalid',
    say: 'The body is not a prediction object. Send the one that the provider documents.',
  }),
  UNKNOWN_ATTEMPT: entry(404, 'NOT_FOUND', {
    key: 'webhook.unknownAttempt',
    say: 'No provider attempt has this id. Use the callback URL that was given with the prediction.',
  }),
};

export type PublicErrorCode = keyof typeof PUBLIC_ERRORS;
