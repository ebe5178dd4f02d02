import { configSecrets, loadConfigOrExit } from './config/config.ts';
import { runRole } from './role/process.ts';
import { startWorker } from './worker/compose.ts';

/** The worker role (Procfile: worker): room staging, deletions, search documents, alerts. */
const config = loadConfigOrExit('worker');
await runRole({ config, secrets: configSecrets(config), start: (context) => startWorker(config, context) });
