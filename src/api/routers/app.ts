import { router } from '../base.ts';
import type { Services } from '../services.ts';
import { addressesRouter } from './addresses.ts';
import { aiRouter } from './ai.ts';
import { alteredPhotoProcedures } from './altered-photos.ts';
import { commuteRouter } from './commute.ts';
import { disclosureRouter } from './disclosure.ts';
import { homeRouter } from './home.ts';
import { messagesRouter } from './inbox/messages.ts';
import { pushRouter } from './inbox/push.ts';
import { webhooksRouter } from './inbox/webhooks.ts';
import { listingAgentProcedures } from './listing-agents.ts';
import { listingOfferProcedures } from './listing-offers.ts';
import { openHousesRouter } from './open-houses.ts';
import { ownListingProcedures } from './own-listings.ts';
import { provenanceRouter } from './provenance.ts';
import { publicListingProcedures } from './public-listings.ts';
import { alertsRouter } from './saved/alerts.ts';
import { favoritesRouter } from './saved/favorites.ts';
import { homesRouter } from './saved/homes.ts';
import { savedSearchesRouter } from './saved/saved-searches.ts';
import { searchRouter } from './search.ts';
import { toursRouter } from './tours.ts';
import { usersRouter } from './users.ts';

/** Every procedure of the API host. */
export function createAppRouter(services: Services) {
  return router({
    addresses: addressesRouter(services),
    ai: aiRouter(services),
    alerts: alertsRouter(services),
    commute: commuteRouter(services),
    disclosure: disclosureRouter(services),
    favorites: favoritesRouter(services),
    home: homeRouter(services),
    homes: homesRouter(services),
    messages: messagesRouter(services),
    openHouses: openHousesRouter(services),
    properties: router({
      ...ownListingProcedures(services),
      ...alteredPhotoProcedures(services),
      ...listingAgentProcedures(services),
      ...listingOfferProcedures(services),
      ...publicListingProcedures(services),
    }),
    provenance: provenanceRouter(services),
    push: pushRouter(services),
    search: searchRouter(services),
    searches: savedSearchesRouter(services),
    tours: toursRouter(services),
    users: usersRouter(services),
    webhooks: webhooksRouter(services),
  });
}
export type AppRouter = ReturnType<typeof createAppRouter>;
