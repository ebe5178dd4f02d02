import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import sharp from 'sharp';
import { createServer, type Plugin } from 'vite';
import { COLORS } from '../../../clients/web/tokens/tokens.ts';

const ROOT = fileURLToPath(new URL('../../../clients/web', import.meta.url));

export interface ShowcaseOptions {
  /** 0 takes any free one. */
  readonly port: number;
  /** Where the prepared libraries are kept. */
  readonly cacheDir: string;
}

/**
 * Serves the page of all primitives (`npm run primitives`); it follows every change of their files.
 * @returns its address
 */
export async function serveShowcase({
  port,
  cacheDir,
}: ShowcaseOptions): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = await createServer({
    configFile: false,
    root: ROOT,
    cacheDir,
    logLevel: 'warn',
    plugins: [react(), drawnPictures()],
    server: { host: '127.0.0.1', port, strictPort: port !== 0 },
    // All at once: a library found later would load the page again.
    optimizeDeps: { entries: ['showcase/entry.tsx'] },
  });
  await server.listen();
  const [address = ''] = server.resolvedUrls?.local ?? [];
  return { url: `${address}showcase/`, close: () => server.close() };
}

/** A drawn picture for every address of a picture. */
const drawnPictures = (): Plugin => ({
  name: 'drawn-pictures',
  configureServer({ middlewares }) {
    middlewares.use('/api/images', (_, response, next) => {
      sharp({ create: { width: 1_200, height: 900, channels: 3, background: COLORS.water.light } })
        .jpeg()
        .toBuffer()
        .then((bytes) => response.setHeader('content-type', 'image/jpeg').end(bytes))
        .catch(next);
    });
  },
});
