/**
 * The browser's side of push notices: its question to the person, and the address that its push service gives. A browser
 * may have none of it, refuse, or give no answer at all, so every step has an end.
 */

/** What the browser gives for a key: where notices go, and what they are encrypted with. */
export interface BrowserSubscription {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

/** `denied`: only the settings of the browser change that. `silent`: it gave no answer in time, or failed. */
export type PushFault = 'unsupported' | 'denied' | 'dismissed' | 'silent';

/** As long as a person may look at the browser's question is not limited; what its service takes is. */
const ANSWER_MS = 20_000;

const hasPush = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;

/** Call it on a press: browsers ask at no other time. */
export async function subscribeBrowser(publicKey: string): Promise<BrowserSubscription | PushFault> {
  if (!hasPush()) return 'unsupported';
  const permission = await Notification.requestPermission();
  if (permission !== 'granted') return permission === 'denied' ? 'denied' : 'dismissed';
  const made = inTime(
    navigator.serviceWorker.ready.then(({ pushManager }) => subscribeWith(pushManager, publicKey)),
  );
  return made.catch(() => 'silent' as const);
}

/** One with another key, from before the keys were changed, cannot be kept. */
async function subscribeWith(manager: PushManager, publicKey: string): Promise<BrowserSubscription> {
  const key = bytesOf(publicKey);
  const options = { userVisibleOnly: true, applicationServerKey: key };
  const earlier = await manager.getSubscription();
  const isOther = earlier !== null && textOf(earlier.options?.applicationServerKey ?? null) !== publicKey;
  if (isOther) await earlier.unsubscribe();
  const made = await manager.subscribe(options);
  const [p256dh, auth] = [textOf(made.getKey('p256dh')), textOf(made.getKey('auth'))];
  return { endpoint: made.endpoint, p256dh, auth };
}

/** The address that the browser has now; null without one. */
export async function browserEndpoint(): Promise<string | null> {
  if (!hasPush()) return null;
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription())?.endpoint ?? null;
}

/** Ends it in the browser; the server has forgotten it already. */
export async function unsubscribeBrowser(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration();
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}

function inTime<T>(work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('no answer')), ANSWER_MS);
    void work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

const textOf = (bytes: ArrayBuffer | null): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes ?? new ArrayBuffer(0))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));
