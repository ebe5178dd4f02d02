import { AccountEntity } from './account.ts';
import { AccountCodeEntity } from './account-code.ts';
import { ActorTransitionEntity } from './actor-transition.ts';
import { AgentJobCountEntity } from './agent-job-count.ts';
import { AgentStandingEntity } from './agent-standing.ts';
import { AiDescriptionJobEntity } from './ai-description-job.ts';
import { AiJobEntity } from './ai-job.ts';
import { AiJobTraceEntity } from './ai-job-trace.ts';
import { AiProviderAttemptEntity } from './ai-provider-attempt.ts';
import { AiProviderWebhookReceiptEntity } from './ai-provider-webhook-receipt.ts';
import { AiRoomStagingJobEntity } from './ai-room-staging-job.ts';
import { AvatarEntity } from './avatar.ts';
import { ConsoleSignOutEntity } from './console-sign-out.ts';
import { FavoriteEntity } from './favorite.ts';
import { IdempotencyKeyEntity } from './idempotency-key.ts';
import { ImageRenditionEntity } from './image-rendition.ts';
import { LegacyMessageEntity } from './legacy-message.ts';
import { ListingAddressEntity } from './listing-address.ts';
import { PlaceEntity } from './place.ts';
import { PlatformJobCountEntity } from './platform-job-count.ts';
import { PropertyEntity } from './property.ts';
import { PropertyAgentEntity } from './property-agent.ts';
import { PropertyImageEntity } from './property-image.ts';
import { PropertyImageReviewEventEntity } from './property-image-review-event.ts';
import { PropertyPriceEventEntity } from './property-price-event.ts';
import { RetentionCutEntity } from './retention-cut.ts';
import { RoleFingerprintEntity } from './role-fingerprint.ts';
import { SearchEpochEntity } from './search-epoch.ts';
import { SearchListingEntity } from './search-listing.ts';
import { SearchTombstoneEntity } from './search-tombstone.ts';
import { SessionEntity } from './session.ts';
import { SignInCodeEntity } from './sign-in-code.ts';
import { StartGateEntity } from './start-gate.ts';
import { StartPlaceEntity } from './start-place.ts';
import { StorageDeletionItemEntity } from './storage-deletion-item.ts';
import { SweepTurnEntity } from './sweep-turn.ts';
import { TourEntity } from './tour.ts';
import { UserEntity } from './user.ts';
import { VerificationEntity } from './verification.ts';

/**
 * Every mapped table, by hand: a file that is not listed here is not part of the ORM.
 * The migrations own the schema, the entities only read it: foreign keys are plain uuid properties, bigints are
 * numbers (all stay far below 2^53), and the auth tables are read, never written, through here.
 */
export const entities = [
  AccountEntity,
  AccountCodeEntity,
  ActorTransitionEntity,
  AgentJobCountEntity,
  AgentStandingEntity,
  AiDescriptionJobEntity,
  AiJobEntity,
  AiJobTraceEntity,
  AiProviderAttemptEntity,
  AiProviderWebhookReceiptEntity,
  AiRoomStagingJobEntity,
  AvatarEntity,
  ConsoleSignOutEntity,
  IdempotencyKeyEntity,
  ImageRenditionEntity,
  LegacyMessageEntity,
  ListingAddressEntity,
  PlaceEntity,
  PlatformJobCountEntity,
  FavoriteEntity,
  PropertyAgentEntity,
  PropertyImageReviewEventEntity,
  PropertyImageEntity,
  PropertyEntity,
  PropertyPriceEventEntity,
  RetentionCutEntity,
  RoleFingerprintEntity,
  SearchEpochEntity,
  SearchListingEntity,
  SearchTombstoneEntity,
  SessionEntity,
  SignInCodeEntity,
  StartGateEntity,
  StartPlaceEntity,
  StorageDeletionItemEntity,
  SweepTurnEntity,
  TourEntity,
  UserEntity,
  VerificationEntity,
];
