import { createProcedures, type Procedures } from '../../typescript/procedures.ts';
import type { Sender } from '../../typescript/sender.ts';

/**
 * Every procedure of the API, as pages call them: `api.search.list({ filters })`. In the browser a call is one HTTP
 * request; on the server it is a call of the router in the same process.
 */
export type SiteApi = Procedures;

/** The API as the browser reaches it. */
export const createBrowserApi = (sender: Sender): SiteApi => createProcedures(sender);
