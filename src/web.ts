import { configSecrets, loadConfigOrExit } from './config/config.ts';
import { runRole } from './role/process.ts';
import { startWeb } from './web/compose.ts';

/** The web role (Procfile: web): the API host of native clients, and the provider's callbacks. */
const config = loadConfigOrExit('web');
await runRole({ config, secrets: configSecrets(config), start: (context) => startWeb(config, context) });
