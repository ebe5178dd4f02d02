import { runSimulator } from '../outside/program.ts';
import { startGeocoderSimulator } from './server.ts';

/** The simulator of a geocoder as a separate program: `npm run geocoder-simulator -- --port N`. */
await runSimulator(startGeocoderSimulator);
