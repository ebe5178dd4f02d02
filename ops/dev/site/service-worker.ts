import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes the service worker, which must stand at the root: it keeps the page without a connection and nothing else. */
export function writeServiceWorker(folder: string): void {
  writeFileSync(join(folder, 'service-worker.js'), SERVICE_WORKER);
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
