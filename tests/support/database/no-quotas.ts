import type { GrowthLimits } from '../../../persistence/growth/growth-counts.ts';

/** For web roles in tests whose few people add very much; tests of quotas set their own numbers. */
export const NO_QUOTAS = {
  AI_STAGING_QUOTA_HOUR: '0',
  AI_STAGING_QUOTA_DAY: '0',
  AI_STAGING_QUOTA_FIRST_DAY: '0',
  AI_STAGING_QUOTA_PLATFORM_DAY: '0',
  AI_STAGING_OPEN_JOBS_PER_AGENT: '0',
  CODES_PER_HOUR: '0',
  LISTINGS_PER_AGENT_DAY: '0',
  LISTINGS_FIRST_DAY: '0',
  PHOTOS_PER_LISTING: '0',
  PHOTOS_PER_AGENT_DAY: '0',
  PHOTO_MEGABYTES_PER_AGENT_DAY: '0',
  TOUR_REQUESTS_PER_DAY: '0',
  TOUR_REQUESTS_PER_LISTING_DAY: '0',
};

export const NO_GROWTH_LIMITS: GrowthLimits = {
  listingsDay: 0,
  listingsFirstDay: 0,
  newAgentDelayMinutes: 0,
  photosOfListing: 0,
  photosDay: 0,
  photoMegabytesDay: 0,
  toursDay: 0,
  toursOfListingDay: 0,
};
