import { router } from '../base.ts';
import type { Services } from '../services.ts';
import { listingAgentProcedures } from './listing-agents.ts';
import { ownListingProcedures } from './own-listings.ts';
import { publicListingProcedures } from './public-listings.ts';

export function propertiesRouter(services: Services) {
  return router({
    ...ownListingProcedures(services),
    ...listingAgentProcedures(services),
    ...publicListingProcedures(services),
  });
}
