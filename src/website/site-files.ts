/**
 * The files of an operator's site: pictures, typefaces and texts of the folder, and what follows from its name and icon.
 * They are made at the start of the role, so a site needs no build.
 */
import { createTranslator } from '../../i18n/translator.ts';
import { PublicError } from '../errors/errors.ts';
import { FOR_EVERY_SITE } from '../http/complete-answer.ts';
import type { HttpHeader, HttpResponse, Route } from '../http/message.ts';
import type { Decoder } from '../images/decoding/decoder.ts';
import { loadedOnce } from '../loaded-once.ts';
import type { Site } from '../site/site.ts';

/** In pixels, as phones ask for them. */
const ICON_SIDES = [180, 192, 512] as const;
/** What asks for this name shows small pictures. */
const FAVICON_SIDE = 48;
/** The address holds a hash of the content. */
const FOR_EVER = 'public, max-age=31536000, immutable';
/** Names that stay the same, so that another site is seen soon. */
const FOR_MINUTES = 'public, max-age=300';
/** A picture that is opened by itself runs and loads nothing. */
const PICTURE_POLICY: HttpHeader = [
  'content-security-policy',
  "default-src 'none'; style-src 'unsafe-inline'",
];

const answer = (type: string, body: string | Uint8Array, caching = FOR_MINUTES): HttpResponse => ({
  status: 200,
  headers: [
    ['content-type', type],
    ['cache-control', caching],
  ],
  body,
});

/** @param decoder draws the icon, once for each size that is asked for */
export function siteFileRoutes(site: Site, decoder: Pick<Decoder, 'run'>): Route[] {
  const { files, texts, colors } = site;
  const icon = Buffer.from(files.get('icon.svg')?.bytes ?? '');
  const drawn = (side: number) =>
    loadedOnce(() => decoder.run('site-icon', [side, colors.solid], { load: () => icon }));
  const get = (path: string, handler: Route['handler']): Route => ({ methods: ['GET'], path, handler });
  const iconRoute = (path: string, type: string, bytes: () => Promise<Uint8Array>): Route =>
    get(path, async () => {
      const given = answer(type, await bytes());
      return { ...given, headers: [FOR_EVERY_SITE, ...given.headers] };
    });
  const favicon = drawn(FAVICON_SIDE);
  const byAddress = new Map([...files.values()].map((file) => [file.address, file]));
  return [
    get('/site/:version/:name', async ({ params }) => {
      const file = byAddress.get(`/site/${params.version}/${params.name}`);
      if (file === undefined) throw new PublicError('NOT_FOUND');
      const given = answer(file.type, file.bytes, FOR_EVER);
      return { ...given, headers: [...given.headers, PICTURE_POLICY] };
    }),
    /** The texts for browsers that come to their page from another page. */
    get('/legal/:name', async ({ params }) => {
      const text = texts.get(/^(\w+\.\w+)\.txt$/.exec(params.name ?? '')?.[1] ?? '');
      if (text === undefined) throw new PublicError('NOT_FOUND');
      return answer('text/plain; charset=utf-8', text);
    }),
    get('/manifest.webmanifest', async () =>
      answer('application/manifest+json', JSON.stringify(webManifest(site))),
    ),
    get('/service-worker.js', async () => answer('text/javascript; charset=utf-8', serviceWorker(site))),
    ...ICON_SIDES.map((side) => iconRoute(`/icon-${side}.png`, 'image/png', drawn(side))),
    iconRoute('/favicon.ico', 'image/x-icon', async () => asIco(await favicon(), FAVICON_SIDE)),
  ];
}

/** An ICO file with one picture, a PNG of at most 255 pixels: the directory, its entry, the picture. */
function asIco(png: Uint8Array, side: number): Uint8Array {
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

const webManifest = ({ name, tagline, defaultLanguage, colors, files }: Site) => ({
  name,
  short_name: name,
  lang: defaultLanguage,
  description: tagline[defaultLanguage],
  start_url: '/',
  display: 'standalone',
  background_color: colors.background,
  theme_color: colors.solid,
  icons: [
    { src: files.get('icon.svg')?.address, sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
    ...ICON_SIDES.map((side) => ({
      src: `/icon-${side}.png`,
      sizes: `${side}x${side}`,
      type: 'image/png',
      purpose: 'any maskable',
    })),
  ],
});

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/**
 * Answers a page that cannot be loaded with the page below, and shows push notices (docs/contract.md#push-notices).
 * Everything else goes to the network as always. It contains
 * the page, so another site or another text is another worker, which is how browsers find out.
 */
const serviceWorker = (site: Site): string => `const PAGE = ${JSON.stringify(offlinePage(site))};
addEventListener('install', (event) => {
  skipWaiting();
  // What passes through a worker is lost when its page is left, even if it was to be kept alive.
  const past = async () => event.addRoutes?.([{ condition: { not: { requestMode: 'navigate' } }, source: 'network' }]);
  event.waitUntil(past().catch(() => undefined));
});
addEventListener('activate', (event) => {
  // Workers of earlier releases have kept the page here.
  const old = caches.keys().then((names) => Promise.all(names.map((name) => caches.delete(name))));
  event.waitUntil(old.then(() => clients.claim()));
});
addEventListener('fetch', (event) => {
  if (event.request.mode !== 'navigate') return;
  const offline = () => new Response(PAGE, { headers: { 'content-type': 'text/html; charset=utf-8' } });
  event.respondWith(fetch(event.request).catch(offline));
});
const ORIGIN = new URL(location.href).origin;
// Browsers demand that something is shown for each push, even for one that cannot be read.
const noticeIn = (data) => {
  try {
    const { line, url, tag } = data.json();
    const page = new URL(url);
    if (typeof line === 'string' && typeof tag === 'string' && page.origin === ORIGIN) return { line, url: page.href, tag };
  } catch {}
  return { line: ${JSON.stringify(site.name)}, url: ORIGIN + '/', tag: 'site' };
};
addEventListener('push', (event) => {
  const { line, url, tag } = noticeIn(event.data);
  const options = { tag, renotify: true, icon: '/icon-192.png', badge: '/icon-192.png', data: { url } };
  event.waitUntil(registration.showNotification(line, options));
});
addEventListener('notificationclick', (event) => {
  const { url } = event.notification.data;
  event.notification.close();
  const show = async () => {
    const windows = await clients.matchAll({ type: 'window', includeUncontrolled: true });
    const open = windows.find((one) => one.url === url);
    return open ? open.focus() : clients.openWindow(url);
  };
  event.waitUntil(show());
});
`;

/** In all languages, because the browser shows the same page for every address. No styles: nothing can be loaded. */
function offlinePage({ name, languages, defaultLanguage }: Site): string {
  const parts = languages.map((locale) => {
    const { t } = createTranslator(locale, 'user');
    return `<section lang="${locale}"><h1>${escaped(t('offline.title'))}</h1><p>${escaped(t('offline.text'))}</p></section>`;
  });
  return `<!DOCTYPE html><html lang="${defaultLanguage}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${escaped(name)}</title></head><body>${parts.join('')}</body></html>`;
}
