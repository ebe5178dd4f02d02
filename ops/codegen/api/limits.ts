import { MAX_FRAMED_RATIO } from '../../../machines/framing.ts';
import {
  MAX_APPROVALS,
  MAX_ASSIGNMENTS,
  MAX_GROUPS_PER_LISTING,
  MAX_PHOTO_BYTES,
  MAX_TOUR_ROUNDS,
  MAX_TOUR_SLOTS,
  MESSAGES_PER_DAY,
  THREADS_PER_DAY,
} from '../../../machines/limits.ts';
import { MIN_STAGED_SIDE } from '../../../machines/vocabulary.ts';
import { MAX_ANSWER_BYTES, MAX_CALLS_PER_PERSON } from '../../../persistence/accounts/idempotency-keys.ts';
import { MAX_SESSIONS_PER_PERSON } from '../../../persistence/accounts/sessions.ts';
import { MAX_CODE_TRIES, MAX_CODES_PER_ADDRESS } from '../../../persistence/accounts/sign-in-codes.ts';
import { INVITATIONS_PER_DAY } from '../../../persistence/growth/growth-counts.ts';
import { DESCRIPTIONS_PER_DAY } from '../../../persistence/jobs/description-requests.ts';
import { MAX_ASSIGNED_AGENTS } from '../../../persistence/listings/listing-agents.ts';
import { MAX_SUBSCRIPTIONS_PER_PERSON } from '../../../persistence/push/push-subscriptions.ts';
import { REQUESTED_PER_HOUR } from '../../../persistence/webhooks/deliveries.ts';
import { MAX_ENDPOINTS } from '../../../persistence/webhooks/endpoints.ts';
import { MOST_WAITING } from '../../../persistence/webhooks/sending.ts';
import {
  MAX_INPUT_BYTES,
  MAX_INPUT_DEPTH,
  MAX_INPUT_NOTES,
  MAX_INPUT_VALUES,
} from '../../../src/api/input-envelope.ts';
import { SIGN_IN_RULES } from '../../../src/auth/sign-in-limits.ts';
import { webSettings } from '../../../src/config/settings.ts';
import { EXPORT_RULES } from '../../../src/disclosure/export-limits.ts';
import { MAX_EXPORTED_PICTURES } from '../../../src/disclosure/whole-export.ts';
import { MAX_HEAD_BYTES, MAX_HEADERS } from '../../../src/http/request-guard.ts';
import {
  MAX_AVATAR_BYTES,
  MAX_HEIC_PIXELS,
  MAX_PICTURE_PIXELS,
  MAX_PICTURE_RATIO,
  MAX_PICTURE_SIDE,
} from '../../../src/images/decoding/picture-bounds.ts';
import { MAX_ASKED_SIDE } from '../../../src/images/decoding/rendition-request.ts';
import type { RateRule } from '../../../src/limits/rate-limiter.ts';
import { NOTICES_PER_HOUR } from '../../../src/push/push-sender.ts';
import { PUBLIC_STATEMENT_MS } from '../../../src/web/public-work.ts';
import { MOST_COMMUTES } from '../../../src/wire/commute.ts';
import { MAX_ADDRESSES } from '../../../src/wire/listings/addresses.ts';
import { MAX_SUGGESTIONS } from '../../../src/wire/listings/location-suggestions.ts';

const KIBIBYTE = 1024;
const MEBIBYTE = 1024 * KIBIBYTE;

const count = (value: number): string => value.toLocaleString('en');
const size = (bytes: number): string =>
  bytes % MEBIBYTE === 0 ? `${bytes / MEBIBYTE} MiB` : `${bytes / KIBIBYTE} KiB`;

const WINDOWS: Record<number, string> = {
  60: 'a minute',
  600: 'in 10 minutes',
  1800: 'in 30 minutes',
  3600: 'an hour',
};
const rate = ({ max, windowSeconds }: RateRule): string =>
  `${count(max)} ${WINDOWS[windowSeconds] ?? `in ${windowSeconds} s`}`;

/** A limit that operators can set: the default, and the variable. */
const setting = ({ variable, schema }: typeof webSettings.requestLimits.perAddress): string =>
  `${count(schema.parse(undefined))} (\`${variable}\`)`;

export type LimitRow = readonly [what: string, limit: string, beyond: string];

const REQUESTS: readonly LimitRow[] = [
  [
    'request line and headers together',
    `${size(MAX_HEAD_BYTES)}, ${MAX_HEADERS} headers`,
    "431 `REQUEST_HEAD_TOO_LARGE`; the parser's page above 64 KiB or 98 headers",
  ],
  [
    '`Transfer-Encoding`',
    '`chunked`, for callbacks and uploads; elsewhere none',
    '411 `LENGTH_REQUIRED`, or 400, closed',
  ],
  ['body with `Content-Encoding`, on any route', 'none', '415 `UNSUPPORTED_MEDIA_TYPE`'],
  [
    'requests of one client network a minute',
    setting(webSettings.requestLimits.perAddress),
    '429 `RATE_LIMITED`',
  ],
  ['requests of one session a minute', setting(webSettings.requestLimits.perSession), '429 `RATE_LIMITED`'],
  [
    'milliseconds of work a minute for the public questions of one network or person',
    setting(webSettings.publicWorkMs),
    '429 `RATE_LIMITED`',
  ],
  ['questions about travel times of one network or person', '60 a minute', '429 `RATE_LIMITED`'],
  ['calls of each of `addresses.*` of one agent', '60 a minute', '429 `RATE_LIMITED`'],
  ['one statement of a public question', `${PUBLIC_STATEMENT_MS / 1_000} s`, '503 `SERVICE_UNAVAILABLE`'],
  ['body of a procedure', `${size(MAX_INPUT_BYTES)}, whole within 30 s`, '413 `PAYLOAD_TOO_LARGE`; 408'],
  ['body of sign-in', '64 KiB, whole within 30 s', '413 `PAYLOAD_TOO_LARGE`; 408'],
  ['body of a callback of the provider', '1 MiB, whole within 10 s', '413 `PAYLOAD_TOO_LARGE`; 408'],
];

const INPUTS: readonly LimitRow[] = [
  ['levels of an input, the envelope included', count(MAX_INPUT_DEPTH), '400 `INVALID_INPUT`'],
  ['keys and elements of an input', count(MAX_INPUT_VALUES), '400 `INVALID_INPUT`'],
  ['notes in `meta`', count(MAX_INPUT_NOTES), '400 `INVALID_INPUT`'],
  ['fields that an error names', '100', 'the first ones are named'],
  ['bytes in a query or a text body that are no UTF-8', 'none', '400 `BAD_REQUEST`, `INVALID_INPUT`'],
  ['suggestions (`search.suggestLocations`)', count(MAX_SUGGESTIONS), 'the best ones are given'],
  ['suggestions (`addresses.suggest`)', count(MAX_ADDRESSES), 'the best ones are given'],
  ['listings in one call of `commute.times`', count(MOST_COMMUTES), '400 `INVALID_INPUT`'],
  ['browsers of a person that get push notices', count(MAX_SUBSCRIPTIONS_PER_PERSON), 'the oldest goes'],
  ['push notices to a browser in an hour', count(NOTICES_PER_HOUR), 'the rest is dropped'],
  ['webhooks of an agent', count(MAX_ENDPOINTS.agent), '409 `TOO_MANY_WEBHOOKS`'],
  [
    'tests and repeats of a webhook in an hour, on request',
    count(REQUESTED_PER_HOUR),
    '429 `RATE_LIMITED`',
  ],
  ['deliveries of a webhook that wait', count(MOST_WAITING.agent), 'the webhook is turned off'],
  ['photos in one call of `ai.submitRoomStaging`', count(MAX_ASSIGNMENTS), '400 `INVALID_INPUT`'],
  ['pictures in one call of `ai.approveStagedVariants`', count(MAX_APPROVALS), '400 `INVALID_INPUT`'],
  ['room groups of a listing', count(MAX_GROUPS_PER_LISTING), '409 `ROOM_GROUPS_FULL`'],
  ['agents of a listing, beside its owner', count(MAX_ASSIGNED_AGENTS), 'refused, with the number'],
  [
    'times in one proposal for a tour; proposals',
    `${MAX_TOUR_SLOTS}; ${MAX_TOUR_ROUNDS}`,
    '400; 409 `TOUR_WRONG_STATE`',
  ],
  [
    'answers kept for repeats, of one person',
    `${count(MAX_CALLS_PER_PERSON)}, for 24 hours`,
    'the oldest goes',
  ],
  ['an answer that is kept', size(MAX_ANSWER_BYTES), '409 `IDEMPOTENT_ANSWER_NOT_KEPT` at the repeat'],
];

const PICTURES: readonly LimitRow[] = [
  [
    'photo of a listing',
    `${size(MAX_PHOTO_BYTES)}, and 64 KiB of form; whole within 180 s`,
    '413 `PHOTO_TOO_LARGE`; 408',
  ],
  [
    'avatar',
    `${size(MAX_AVATAR_BYTES)}, and 64 KiB of form; whole within 120 s`,
    '413 `PHOTO_TOO_LARGE`; 408',
  ],
  ['a side of a picture', `${count(MAX_PICTURE_SIDE)} px`, '413 `PHOTO_TOO_LARGE`'],
  ['pixels of a picture', `${count(MAX_PICTURE_PIXELS / 1_000_000)} megapixels`, '413 `PHOTO_TOO_LARGE`'],
  ['pixels of a HEIC picture', `${count(MAX_HEIC_PIXELS / 1_000_000)} megapixels`, '413 `PHOTO_TOO_LARGE`'],
  ['the longer side by the shorter one', `${MAX_PICTURE_RATIO}:1`, '413 `PHOTO_TOO_LARGE`'],
  ['`w` and `h` of a rendition', `${count(MAX_ASKED_SIDE)} px`, '400 `INVALID_INPUT`'],
  ['files of pictures in an export', count(MAX_EXPORTED_PICTURES), '422 `EXPORT_TOO_LARGE`'],
  [
    'exports of a person',
    `${rate(EXPORT_RULES.perPerson)}, one at a time in each process`,
    '429 `RATE_LIMITED`; 409 `EXPORT_RUNNING`',
  ],
  ['short side of a photo that is staged', `${MIN_STAGED_SIDE} px at least`, '422 `PHOTO_TOO_SMALL`'],
  [
    'longer side of a photo that is staged in its own shape, by the shorter one',
    `${MAX_FRAMED_RATIO}:1`,
    '422 `PHOTO_SHAPE`',
  ],
];

const SIGN_IN: readonly LimitRow[] = [
  ['codes from one network', rate(SIGN_IN_RULES.sendsPerNetwork), '429 with `Retry-After`'],
  ['codes from one device', rate(SIGN_IN_RULES.sendsFromDevice), '429'],
  [
    'codes from a /24 or /64, and from a /16 or /48',
    `${rate(SIGN_IN_RULES.sendsPerNear)}, ${rate(SIGN_IN_RULES.sendsPerWide)}; half of each for known devices`,
    '429',
  ],
  [
    'codes to one address from all devices that are not known for it',
    `${rate(SIGN_IN_RULES.sendsToAddress)}, then ${rate(SIGN_IN_RULES.sendsToAddressBeyond)} for a /16 or /48 that had none`,
    '429',
  ],
  [
    'codes of all people in an hour',
    `${setting(webSettings.codesPerHour)}; half for known devices and accounts`,
    '429; beyond the half of others no mail',
  ],
  ['mails about changes to one person in an hour', setting(webSettings.mailsPerRecipientHour), 'one digest'],
  ['mails about changes in an hour', setting(webSettings.mailsPerHour), 'alerts wait for the next hour'],
  [
    'wrong tries with the cookie that the code belongs to',
    `${MAX_CODE_TRIES} a code`,
    '403 `TOO_MANY_ATTEMPTS`',
  ],
  [
    'tries without it',
    `${rate(SIGN_IN_RULES.triesPerNetwork)} from one network, ${MAX_CODE_TRIES} a code`,
    '429; 403 `TOO_MANY_ATTEMPTS`',
  ],
  ['codes kept for an address', count(MAX_CODES_PER_ADDRESS), 'the oldest goes'],
  ['sessions of one person', count(MAX_SESSIONS_PER_PERSON), 'the one that was used longest ago ends'],
  ['tries with an identity provider from one network', rate(SIGN_IN_RULES.socialPerNetwork), '429'],
];

const { growthLimits } = webSettings;
const QUOTA = '429 `QUOTA_REACHED`';
const GROWTH: readonly LimitRow[] = [
  ['listings of an agent in a day', setting(growthLimits.listingsDay), QUOTA],
  ['listings of an agent in the first 24 hours as one', setting(growthLimits.listingsFirstDay), QUOTA],
  ['minutes from becoming an agent to the first listing', setting(growthLimits.newAgentDelayMinutes), QUOTA],
  ['photos of a listing', setting(growthLimits.photosOfListing), QUOTA],
  ['photos of an agent in a day', setting(growthLimits.photosDay), QUOTA],
  ['megabytes of these files', setting(growthLimits.photoMegabytesDay), QUOTA],
  ['invitations of colleagues by an agent in a day', count(INVITATIONS_PER_DAY), QUOTA],
  ['threads of messages that a customer begins in a day', count(THREADS_PER_DAY), QUOTA],
  ['messages of a person in a day', count(MESSAGES_PER_DAY), QUOTA],
  ['tour requests of a customer in a day', setting(growthLimits.toursDay), QUOTA],
  ['tour requests of a customer for a listing in a day', setting(growthLimits.toursOfListingDay), QUOTA],
];

const STAGING: readonly LimitRow[] = [
  ['jobs of an agent in an hour', setting(webSettings.stagingLimits.hour), '`STAGING_QUOTA_REACHED`'],
  ['jobs of an agent in a day', setting(webSettings.stagingLimits.day), '`STAGING_QUOTA_REACHED`'],
  [
    'jobs of an agent in the first 24 hours as one',
    setting(webSettings.stagingLimits.firstDay),
    '`STAGING_QUOTA_REACHED`',
  ],
  ['jobs of all agents in a day', setting(webSettings.stagingLimits.platformDay), '`STAGING_QUOTA_REACHED`'],
  ['open jobs of an agent', setting(webSettings.stagingLimits.openJobs), '`STAGING_QUOTA_REACHED`'],
  ['descriptions of an agent in 24 hours', count(DESCRIPTIONS_PER_DAY), '429 `RATE_LIMITED`'],
];

/**
 * Every row of the table of limits in docs/api.md; the limits of all bodies together are in the section about
 * bodies.
 */
export const LIMITS: readonly LimitRow[] = [
  ...REQUESTS,
  ...INPUTS,
  ...PICTURES,
  ...SIGN_IN,
  ...GROWTH,
  ...STAGING,
];
