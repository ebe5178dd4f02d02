import { DEEDS_OF_PEOPLE, DEEDS_OF_PLATFORM } from '../../clients/web/pages/inbox/story.ts';
import { HOME_TYPES } from '../../i18n/home-types.ts';
import { REQUIREMENT_STATES } from '../../machines/disclosure/evaluate.ts';
import { OTHER_SUBJECTS } from '../../machines/disclosure/photo-subject.ts';
import {
  CAVEATS,
  CONFIRMABLE,
  MARKETS,
  REQUIREMENTS,
  type Requirement,
} from '../../machines/disclosure/profile.ts';
import { ATTEMPT_FAILURES } from '../../machines/failure-classes.ts';
import { COLOURS, MATERIALS, PIECES } from '../../machines/furniture-catalogue.ts';
import { TOUR_ACTION_NAMES } from '../../machines/tour-actions.ts';
import {
  AI_JOB_PHASES,
  AI_JOB_STATUSES,
  AI_PROVIDER_ATTEMPT_STATUSES,
  CANONICAL_ROOM_TYPES,
  CANONICAL_STYLES,
  COMMUTE_MODES,
  DRIFT_FLAGS,
  MISMATCH_REPORT_STATUSES,
  OPEN_TOUR_STATUSES,
  PROVENANCE_EVENT_KINDS,
  REVIEW_STATUSES,
  TOUR_KINDS,
  TOUR_STATUSES,
} from '../../machines/vocabulary.ts';
import {
  ALERT_CADENCES,
  MAIL_KINDS,
  OFFER_KINDS,
  OFFER_STATUSES,
  PLACE_KINDS,
  PRICE_EVENTS,
  STANDARD_STATUSES,
} from '../../persistence/entities/values.ts';
import { FAVORITE_SORTS } from '../../persistence/listings/saved/favorite-queries.ts';
import { SEARCH_SORTS } from '../../persistence/search/search-index.ts';
import { SUGGESTION_KINDS } from '../../persistence/search/suggestion-words.ts';
import { TEST_EVENT } from '../../persistence/webhooks/deliveries.ts';
import { WEBHOOK_EVENTS, WEBHOOK_OFF_REASONS } from '../../persistence/webhooks/endpoints.ts';
import { AUTH_CODES } from '../../src/auth/auth-codes.ts';
import { PUBLIC_ERRORS } from '../../src/errors/public-errors.ts';
import { TOUR_NEWS } from '../../src/mail/tour-mail.ts';
import { SAME_HOMES } from '../../src/wire/listings/addresses.ts';
import { FEATURE_GROUPS, FEATURE_KEYS } from '../../src/wire/listings/feature-keys.ts';

import { STATS_METHODS } from '../../src/wire/listings/neighborhood.ts';
import { PICTURE_CHOICES } from '../../src/wire/listings/picture-choice.ts';
import { unsubscribeOutput } from '../../src/wire/listings/saved-searches.ts';
import { PROVENANCE_STATUSES } from '../../src/wire/provenance.ts';
import { DISPOSITIONS } from '../../src/wire/staging-jobs.ts';
import { WAIT_REASONS } from '../../src/wire/wait-reason.ts';

/** Keys that the catalogs must contain, because the platform can send the codes that they translate. */
export interface KeyFamily {
  readonly name: string;
  readonly keys: readonly string[];
  /** The agents' catalog has every key; the customers' catalog has those that customers can see. */
  readonly customersToo: boolean;
}

const prefixed = (prefix: string, values: readonly string[]): string[] =>
  values.map((value) => `${prefix}.${value}`);

/** `OUTPUT_TOO_LARGE` is `errors.outputTooLarge`. */
export const errorKey = (code: string): string =>
  `errors.${code.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())}`;

const messageKeys = (table: Readonly<Record<string, { messageKey: string }>>): string[] => [
  ...new Set(Object.values(table).map(({ messageKey }) => messageKey)),
];

/** Customers never see a listing in these. */
const UNSEEN_STATUSES: readonly string[] = ['Delete', 'Incomplete'];

/** Keys that only the apps use: no code of this repository mentions them. */
const APP_LABELS = [
  'disclosure.altText',
  'disclosure.label',
  'disclosure.text',
  'disclosure.viewOriginal',
  'description.draft',
  'description.request',
];

const forAll: Readonly<Record<string, readonly string[]>> = {
  errors: messageKeys(PUBLIC_ERRORS),
  'sign-in errors': messageKeys(AUTH_CODES),
  rooms: prefixed('room', CANONICAL_ROOM_TYPES),
  'what photos show': prefixed('imageOf', OTHER_SUBJECTS),
  // No longer offered, but old pictures have it.
  styles: prefixed('style', [...CANONICAL_STYLES, 'no-furniture']),
  'furniture of briefs': [
    ...prefixed('furniture.piece', PIECES),
    ...prefixed('furniture.material', MATERIALS),
    ...prefixed('furniture.colour', COLOURS),
  ],
  'ways of travel': [
    ...prefixed('commute.mode', COMMUTE_MODES),
    ...prefixed(
      'commute.time',
      COMMUTE_MODES.flatMap((mode) => [`${mode}_one`, `${mode}_other`]),
    ),
  ],
  'drift of staged pictures': prefixed('drift', DRIFT_FLAGS),
  'provenance of staged pictures': [
    ...prefixed('provenance.event', ['APPROVED', ...PROVENANCE_EVENT_KINDS]),
    ...prefixed('provenance.framing', ['fixed', 'photo']),
    ...prefixed('provenance.finding', ['success', 'warning', 'danger', 'neutral']),
    ...prefixed(
      'provenance.status',
      PROVENANCE_STATUSES.filter((status) => status !== 'PUBLIC'),
    ),
  ],
  features: prefixed('feature', FEATURE_KEYS),
  'feature groups': prefixed(
    'featureGroup',
    FEATURE_GROUPS.map(({ group }) => group),
  ),
  'types of homes': prefixed('homeType', HOME_TYPES),
  sorts: prefixed('sort', SEARCH_SORTS),
  'sorts of saved homes': prefixed('favorites.sort', FAVORITE_SORTS),
  'choices of pictures': prefixed('pictures', PICTURE_CHOICES),
  'kinds of places': prefixed('place', PLACE_KINDS),
  'groups of suggestions': prefixed('suggestion', SUGGESTION_KINDS),
  'mails about tours': prefixed(
    'mail.tour',
    TOUR_NEWS.flatMap((news) => [news, `${news}Subject`]),
  ),
  'mails about offers': prefixed('mail.offer', [
    ...prefixed('subject', OFFER_STATUSES),
    ...OFFER_KINDS.flatMap((kind) => prefixed(kind, [...OFFER_STATUSES, 'answer'])),
  ]),
  'mails about webhooks': prefixed('mail.webhook.reason', WEBHOOK_OFF_REASONS),
  'reports of pictures': prefixed('tours.mismatch.status', MISMATCH_REPORT_STATUSES),
  'switches of mails': prefixed('menu.mail', MAIL_KINDS),
  'cadences of alerts': prefixed('searches.cadence', ALERT_CADENCES),
  'meanings of cadences': prefixed('searches.cadenceText', ALERT_CADENCES),
  // `THESE`: a form without scripts does not know more.
  'ends of alerts': prefixed('unsubscribe.done', [...unsubscribeOutput.shape.about.options, 'THESE']),
  'listing statuses': prefixed(
    'listing.status',
    STANDARD_STATUSES.filter((status) => !UNSEEN_STATUSES.includes(status)),
  ),
  'price events': prefixed('priceEvent', PRICE_EVENTS),
  'methods of statistics': prefixed('neighborhood.method', STATS_METHODS),
  'tour statuses': prefixed('tour.status', TOUR_STATUSES),
  'tour kinds': prefixed('tour.kind', TOUR_KINDS),
  'steps of tours': prefixed('inbox.story', [
    ...DEEDS_OF_PLATFORM,
    ...DEEDS_OF_PEOPLE.flatMap((deed) => [deed, `${deed}.you`]),
  ]),
  'sides of tours': prefixed('inbox.nameless', ['agent', 'customer']),
  'open tours': prefixed('tour.open', OPEN_TOUR_STATUSES),
  'tour actions': prefixed('tour.action', TOUR_ACTION_NAMES),
  disclosure: APP_LABELS.filter((key) => key.startsWith('disclosure.')),
};

/** The orders that a market may ask for have words of their own. */
const REQUIREMENT_NAMES = REQUIREMENTS.flatMap((requirement) =>
  requirement === 'ORDER' ? ['ORDER.ORIGINAL_BESIDE', 'ORDER.ALTERED_FIRST'] : [requirement],
);
/** Only a person can decide these. */
const NEVER_UNMET: readonly Requirement[] = [
  'FIXED_STRUCTURE_UNCHANGED',
  'REMARKS_BEGIN',
  'STAGED_FIELD',
  'NOT_MISLEADING',
];
const but = (left: readonly Requirement[]): Requirement[] =>
  REQUIREMENTS.filter((requirement) => !left.includes(requirement));

const forAgents: Readonly<Record<string, readonly string[]>> = {
  'failures of jobs': Object.keys(ATTEMPT_FAILURES).map(errorKey),
  'job statuses': prefixed('job.status', AI_JOB_STATUSES),
  'job phases': prefixed('job.phase', AI_JOB_PHASES),
  'reasons to wait': prefixed('job.wait', WAIT_REASONS),
  dispositions: prefixed('job.disposition', DISPOSITIONS),
  'attempt statuses': prefixed('attempt.status', AI_PROVIDER_ATTEMPT_STATUSES),
  'review statuses': prefixed('review.status', REVIEW_STATUSES),
  markets: prefixed('market', MARKETS),
  'what markets ask': prefixed('disclosure.requirement', REQUIREMENT_NAMES),
  'how a requirement is met': prefixed('disclosure.unmet', but(NEVER_UNMET)),
  'what agents do themselves': prefixed('disclosure.outside', CONFIRMABLE),
  'states of requirements': prefixed('studio.disclosure.state', REQUIREMENT_STATES),
  'listings of the same home': prefixed('studio.same', SAME_HOMES),
  'events of webhooks': prefixed('studio.webhooks.event', [...WEBHOOK_EVENTS, TEST_EVENT]),
  'caveats of markets': prefixed('disclosure.caveat', CAVEATS),
  'kinds of sources': prefixed('disclosure.source', ['PRIMARY', 'SECONDARY']),
  'listing statuses unseen by customers': prefixed('listing.status', UNSEEN_STATUSES),
  'labels of the agents’ apps': [...APP_LABELS, 'review.pending_one', 'review.pending_other'],
};

const familiesOf = (given: typeof forAll, customersToo: boolean): KeyFamily[] =>
  Object.entries(given).map(([name, keys]) => ({ name, keys, customersToo }));

export const KEY_FAMILIES: readonly KeyFamily[] = [
  ...familiesOf(forAll, true),
  ...familiesOf(forAgents, false),
];
