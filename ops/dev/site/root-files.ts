import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { COLORS } from '../../../clients/web/tokens/tokens.ts';
import { createTranslator } from '../../../i18n/translator.ts';

/**
 * Files of the site that must stand at its root: the manifest that makes it installable, the page that is shown without
 * a connection, and the service worker that keeps that page and nothing else.
 */
export async function writeRootFiles(folder: string, { icon }: { readonly icon: string }): Promise<void> {
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  write('manifest.webmanifest', JSON.stringify(webManifest(icon)));
  write('offline.html', offlinePage());
  write('service-worker.js', SERVICE_WORKER);
  // On its own color to the corners: launchers cut their own shape.
  const drawn = (side: number): Promise<Buffer> =>
    sharp(join(folder, icon), { density: 1_000 })
      .resize(side)
      .flatten({ background: COLORS.primarySolid.light })
      .png()
      .toBuffer();
  for (const side of ICON_SIDES) writeFileSync(join(folder, `icon-${side}.png`), await drawn(side));
  writeFileSync(join(folder, 'favicon.ico'), asIco(await drawn(FAVICON_SIDE), FAVICON_SIDE));
}

/** In pixels; what asks for this name shows small pictures. */
const FAVICON_SIDE = 48;

/** An ICO file with one picture, a PNG of at most 255 pixels: the directory, its entry, the picture. */
function asIco(png: Buffer, side: number): Buffer {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.set([side, side], 6);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, png]);
}

/** In pixels, as phones ask for them. */
const ICON_SIDES = [180, 192, 512];

const webManifest = (icon: string) => ({
  name: 'Proscenium',
  short_name: 'Proscenium',
  start_url: '/',
  display: 'standalone',
  background_color: COLORS.background.light,
  theme_color: COLORS.primarySolid.light,
  icons: [
    { src: icon, sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
    ...ICON_SIDES.map((side) => ({
      src: `/icon-${side}.png`,
      sizes: `${side}x${side}`,
      type: 'image/png',
      purpose: 'any maskable',
    })),
  ],
});

/** Both languages, because the browser shows the same page for every address. No styles: nothing can be loaded. */
function offlinePage(): string {
  const parts = (['en', 'es'] as const).map((locale) => {
    const { t } = createTranslator(locale, 'user');
    return `<section lang="${locale}"><h1>${t('offline.title')}</h1><p>${t('offline.text')}</p></section>`;
  });
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>Proscenium</title></head><body>${parts.join('')}</body></html>`;
}

/** Answers a page that cannot be loaded with the offline page. Everything else goes to the network as always. */
const SERVICE_WORKER = `const CACHE = 'offline-1';
addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.add('/offline.html')).then(() => skipWaiting()));
});
addEventListener('activate', (event) => {
  const old = caches.keys().then((keys) => Promise.all(keys.filter((key) => key !== CACHE).map((key) => caches.delete(key))));
  event.waitUntil(old.then(() => clients.claim()));
});
addEventListener('fetch', (event) => {
  if (event.request.mode !== 'navigate') return;
  event.respondWith(fetch(event.request).catch(() => caches.match('/offline.html')));
});
`;
