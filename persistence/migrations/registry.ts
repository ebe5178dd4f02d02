import { AuthTables } from './0001-auth-tables.ts';
import { Properties } from './0002-properties.ts';
import { PropertyImages } from './0003-property-images.ts';
import { PropertyAgents } from './0004-property-agents.ts';
import { AiJobs } from './0005-ai-jobs.ts';
import { LegacyStagedImages } from './0006-legacy-staged-images.ts';
import { UserProfiles } from './0007-user-profiles.ts';
import { RoomStagingSchema } from './0008-ai-room-staging-v2-schema.ts';
import { RoomStagingBackfill } from './0009-ai-room-staging-v2-backfill.ts';
import { RoomStagingConstraints } from './0010-ai-room-staging-v2-constraints.ts';
import { ListingDetails } from './0011-listing-details.ts';
import { PriceHistory } from './0012-price-history.ts';
import { SearchIndex } from './0013-search-index.ts';
import { Places } from './0014-places.ts';
import { Favorites } from './0015-favorites.ts';
import { Tours } from './0016-tours.ts';
import { DescriptionJobs } from './0017-description-jobs.ts';
import { LegacyBridge } from './0018-legacy-bridge.ts';
import { Images } from './0019-images.ts';
import { SearchMapIndex } from './0020-search-map-index.ts';

/** Every migration in the order of application. The names are the ones platform.md gives; they never change. */
export const migrations = [
  { name: '0001_auth_tables', class: AuthTables },
  { name: '0002_properties', class: Properties },
  { name: '0003_property_images', class: PropertyImages },
  { name: '0004_property_agents', class: PropertyAgents },
  { name: '0005_ai_jobs', class: AiJobs },
  { name: '0006_legacy_staged_images', class: LegacyStagedImages },
  { name: '0007_user_profiles', class: UserProfiles },
  { name: '0008_ai_room_staging_v2_schema', class: RoomStagingSchema },
  { name: '0009_ai_room_staging_v2_backfill', class: RoomStagingBackfill },
  { name: '0010_ai_room_staging_v2_constraints', class: RoomStagingConstraints },
  { name: '0011_listing_details', class: ListingDetails },
  { name: '0012_price_history', class: PriceHistory },
  { name: '0013_search_index', class: SearchIndex },
  { name: '0014_places', class: Places },
  { name: '0015_favorites', class: Favorites },
  { name: '0016_tours', class: Tours },
  { name: '0017_description_jobs', class: DescriptionJobs },
  { name: '0018_legacy_bridge', class: LegacyBridge },
  { name: '0019_images', class: Images },
  { name: '0020_search_map_index', class: SearchMapIndex },
];
