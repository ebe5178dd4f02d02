import { PHOTO_SUBJECTS } from '../../../machines/disclosure/photo-subject.ts';
import { MARKETS, REQUIREMENTS } from '../../../machines/disclosure/profile.ts';
import { COLOURS, MATERIALS, PIECES } from '../../../machines/furniture-catalogue.ts';
import { TOUR_ACTION_NAMES } from '../../../machines/tour-actions.ts';
import {
  AI_JOB_PHASES,
  AI_JOB_STATUSES,
  AI_PROVIDER_ATTEMPT_STATUSES,
  CANONICAL_ROOM_TYPES,
  CANONICAL_STYLES,
  REVIEW_STATUSES,
  TOUR_STATUSES,
} from '../../../machines/vocabulary.ts';
import { PRICE_EVENTS, STANDARD_STATUSES, USER_ROLES } from '../../../persistence/entities/values.ts';
import { SEARCH_SORTS, SEARCH_STATUSES } from '../../../persistence/search/search-index.ts';
import { FEATURE_KEYS } from '../../../src/wire/listings/feature-keys.ts';
import { DISPOSITIONS } from '../../../src/wire/staging-jobs.ts';
import { WAIT_REASONS } from '../../../src/wire/wait-reason.ts';

/**
 * Enumerations that docs/api.md lists once and refers to by name. Any other enumeration is written out where it is
 * used.
 */
export const ENUMERATIONS: Readonly<Record<string, readonly string[]>> = {
  AttemptStatus: AI_PROVIDER_ATTEMPT_STATUSES,
  Disposition: DISPOSITIONS,
  FeatureKey: FEATURE_KEYS,
  FurnitureColour: COLOURS,
  FurnitureMaterial: MATERIALS,
  FurniturePiece: PIECES,
  ImageOf: PHOTO_SUBJECTS,
  JobPhase: AI_JOB_PHASES,
  JobStatus: AI_JOB_STATUSES,
  Market: MARKETS,
  PriceEventKind: PRICE_EVENTS,
  Requirement: REQUIREMENTS,
  ReviewStatus: REVIEW_STATUSES,
  RoomType: CANONICAL_ROOM_TYPES,
  SearchSort: SEARCH_SORTS,
  SearchStatus: SEARCH_STATUSES,
  StandardStatus: STANDARD_STATUSES,
  Style: CANONICAL_STYLES,
  TourAction: TOUR_ACTION_NAMES,
  TourStatus: TOUR_STATUSES,
  UserRole: USER_ROLES,
  WaitReason: WAIT_REASONS,
};

/** The name of an enumeration, or null. */
export function enumerationName(words: readonly unknown[]): string | null {
  const found = Object.entries(ENUMERATIONS).find(
    ([, known]) => known.length === words.length && known.every((word, at) => word === words[at]),
  );
  return found?.[0] ?? null;
}
