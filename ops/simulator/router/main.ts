import { runSimulator } from '../outside/program.ts';
import { startRouterSimulator } from './server.ts';

/** The simulator of a router as a separate program: `npm run router-simulator -- --port N`. */
await runSimulator(startRouterSimulator);
