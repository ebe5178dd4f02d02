import { join } from 'node:path';
import { serveShowcase } from '../dev/site/showcase.ts';

/** `npm run primitives`: the page of all primitives of the site, until Ctrl-C. */
const { url } = await serveShowcase({ port: 5_173, cacheDir: join(process.cwd(), 'dist/showcase') });
process.stdout.write(`The primitives of the site: ${url}\n`);
