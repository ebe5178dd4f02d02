import { plainOutput } from '../../../../typescript/answer.ts';
import { ApiError } from '../../../../typescript/errors.ts';
import { pause, type RetryPolicy, retryDelay, systemTiming } from '../../../../typescript/timing.ts';
import type { BrowserSender } from '../../../app/browser-sender.ts';
import { problemKey } from '../problems.ts';
import type { Photo } from '../studio-queries.ts';
import { guessRoom } from './room-guess.ts';
import { sendPhoto } from './send-photo.ts';
import type { StoredUpload, UploadStore } from './upload-store.ts';

/** A file on its way. */
export interface Upload extends StoredUpload {
  readonly state: 'waiting' | 'sending' | 'refused';
  /** The share that has been sent, 0 to 1. */
  readonly sent: number;
  /** The key of the message that says why it was refused. */
  readonly problem: string | null;
}

interface UploadsOptions {
  readonly sender: BrowserSender;
  readonly personId: string;
  readonly store: UploadStore;
  /**
   * Called with every photo that the server has stored. `before` is the photo that it belongs in front of, since a file
   * that was chosen later came first; null where its place is right.
   */
  readonly onStored: (photo: Photo, before: string | null) => void;
}

/** Beside each other. The server lets one person have some 50 MiB under way. */
const AT_ONCE = 3;
/** As the server's photos: what it refuses anyhow is not sent. */
const LARGEST = 25 * 1024 * 1024;
const TYPES = /^image\/(?:jpeg|png|webp|avif)$/;
/** A try that the network or a full server ended is followed by another. While the device is offline none is made. */
const RETRIES: RetryPolicy = { attempts: 60, firstDelayMs: 1_000, longestDelayMs: 30_000 };
/** The server knows a key for a day; sent later, the same file could be stored twice. */
const KNOWN_MS = 23 * 3_600_000;
/** Answers after which the same request is to be sent again. */
const AGAIN: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);

/**
 * Uploads the photos that an agent has chosen: several at a time, each until the server has stored or refused it. They
 * go on while the agent walks through the site, and after a reload. One file has one key, so it is stored once.
 */
export function createUploads({ sender, personId, store, onStored }: UploadsOptions) {
  let uploads: readonly Upload[] = [];
  const stops = new Map<string, AbortController>();
  const stored: { readonly addedAt: number; readonly order: number; readonly imageId: string }[] = [];
  const listeners = new Set<() => void>();

  const show = (next: readonly Upload[]): void => {
    uploads = next;
    for (const listener of listeners) listener();
  };
  const change = (key: string, changed: Partial<Upload>): void =>
    show(uploads.map((one) => (one.key === key ? { ...one, ...changed } : one)));
  const drop = async (key: string): Promise<void> => {
    show(uploads.filter((one) => one.key !== key));
    await store.remove(key).catch(() => undefined);
  };
  const take = (all: readonly StoredUpload[]): void =>
    show([...uploads, ...all.map((one) => ({ ...one, state: 'waiting' as const, sent: 0, problem: null }))]);

  const sendNext = (): void => {
    const [next] = uploads.filter(({ state }) => state === 'waiting');
    if (next === undefined || stops.size >= AT_ONCE) return;
    const stop = new AbortController();
    stops.set(next.key, stop);
    change(next.key, { state: 'sending' });
    void sendUntilAnswered(next, stop.signal)
      .catch((error: unknown) => {
        if (stop.signal.aborted) return;
        change(next.key, { state: 'refused', problem: problemKey(error) });
        // What was refused for good is not tried again by the next page.
        if (!isPassing(error) && !isSignedOut(error)) void store.remove(next.key).catch(() => undefined);
      })
      .finally(() => {
        stops.delete(next.key);
        sendNext();
      });
    sendNext();
  };

  const sendUntilAnswered = async (upload: Upload, signal: AbortSignal): Promise<void> => {
    const onSent = (sent: number) => change(upload.key, { sent });
    for (let attempt = 1; ; attempt += 1) {
      await online(signal);
      try {
        const photo = plainOutput(sender.settled(await sendPhoto(upload, { signal, onSent }))) as Photo;
        await drop(upload.key);
        const { addedAt, order } = upload;
        const [next] = stored
          .filter((one) => one.addedAt === addedAt && one.order > order)
          .toSorted((one, other) => one.order - other.order);
        stored.push({ addedAt, order, imageId: photo.imageId });
        onStored(photo, next?.imageId ?? null);
        return;
      } catch (error) {
        if (signal.aborted || !isPassing(error) || attempt >= RETRIES.attempts) throw error;
        if (!(error instanceof ApiError)) sender.unreachable();
        change(upload.key, { sent: 0 });
        const named = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) * 1_000 : 0;
        const delay = retryDelay(RETRIES, { attempt, random: Math.random() });
        await pause(systemTiming, Math.max(named, delay), signal);
      }
    }
  };

  return {
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    current: () => uploads,
    /** Goes on with what an earlier page has left. */
    async resume(): Promise<void> {
      const left = await store.all();
      const known = new Set(uploads.map(({ key }) => key));
      const isLate = ({ addedAt }: StoredUpload): boolean => addedAt <= Date.now() - KNOWN_MS;
      for (const { key } of left.filter(isLate)) await store.remove(key);
      take(
        left
          .filter((one) => !isLate(one) && one.personId === personId && !known.has(one.key))
          .toSorted((one, other) => one.addedAt - other.addedAt || one.order - other.order),
      );
      sendNext();
    },
    /** Starts with the files, in the order of their names. What cannot be a photo is refused at once. */
    async add(propertyId: string, files: readonly File[]): Promise<void> {
      const names = new Intl.Collator(undefined, { numeric: true });
      const addedAt = Date.now();
      const chosen = files
        .toSorted((one, other) => names.compare(one.name, other.name))
        .map((file, order) => ({
          key: crypto.randomUUID(),
          personId,
          propertyId,
          name: file.name,
          file,
          roomType: guessRoom(file.name),
          order,
          addedAt,
        }));
      const good = chosen.filter(({ file }) => refusalOf(file) === null);
      show([
        ...uploads,
        ...chosen.flatMap((one) => {
          const problem = refusalOf(one.file);
          return problem === null ? [] : [{ ...one, state: 'refused' as const, sent: 0, problem }];
        }),
      ]);
      take(good);
      // Without a store they are sent all the same; only a reload would lose them.
      for (const one of good) await store.add(one).catch(() => undefined);
      sendNext();
    },
    /** Takes a file off the list: one that was refused, or one that shall not be sent. */
    async dismiss(key: string): Promise<void> {
      stops.get(key)?.abort(new DOMException('The upload was called off', 'AbortError'));
      await drop(key);
    },
    /** Sends a refused file again. */
    retry(key: string): void {
      change(key, { state: 'waiting', sent: 0, problem: null });
      sendNext();
    },
  };
}

export type Uploads = ReturnType<typeof createUploads>;

/** Whether the same request may succeed later. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof ApiError)) return true;
  return AGAIN.has(error.httpStatus) || error.errorCode === 'IDEMPOTENCY_KEY_IN_FLIGHT';
}

const isSignedOut = (error: unknown): boolean => error instanceof ApiError && error.httpStatus === 401;

/** The key of the message, or null for a file that may be a photo. Some systems name no type for AVIF. */
function refusalOf({ type, size }: Blob): string | null {
  if (type !== '' && !TYPES.test(type)) return 'photo.typeUnsupported';
  return size > LARGEST ? 'photo.tooLarge' : null;
}

/** Resolves while the device has a network. @throws the signal's reason */
function online(signal: AbortSignal): Promise<void> {
  if (navigator.onLine) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const end = () => {
      removeEventListener('online', end);
      signal.removeEventListener('abort', end);
      if (signal.aborted) reject(signal.reason);
      else resolve();
    };
    addEventListener('online', end);
    signal.addEventListener('abort', end);
  });
}
