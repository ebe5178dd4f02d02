import type { Services } from '../../web/services.ts';
import { router } from '../base.ts';
import { aiRouter } from './ai.ts';
import { propertiesRouter } from './properties.ts';
import { usersRouter } from './users.ts';

/** Every procedure of the API host. */
export function createAppRouter(services: Services) {
  return router({
    ai: aiRouter(services),
    properties: propertiesRouter(services),
    users: usersRouter(services),
  });
}
export type AppRouter = ReturnType<typeof createAppRouter>;
