import { MAX_PHOTO_BYTES } from '../../../../../machines/limits.ts';
import { PHOTO_TYPES } from '../../../../../machines/vocabulary.ts';
import { plainOutput } from '../../../../typescript/answer.ts';
import { ApiError, NetworkError } from '../../../../typescript/errors.ts';
import { pause, type RetryPolicy, retryDelay, type Timing } from '../../../../typescript/timing.ts';
import type { BrowserSender } from '../../../api/browser-sender.ts';
import { failureOf, problemKey } from '../../../api/failures.ts';
import { guessSubject } from '../room-guess.ts';
import type { Photo } from '../studio-queries.ts';
import type { ChosenPhoto } from './photo-place.ts';
import type { sendPhoto } from './send-photo.ts';
import type { ClaimUpload } from './upload-claims.ts';
import type { StoredUpload, UploadStore } from './upload-store.ts';

/** A file on its way. */
export interface Upload extends StoredUpload {
  /**
   * `failed`: no answer came in time; the same request may succeed. `refused`: the server has said no. `unfit`: no file
   * that the server takes, so it is not sent.
   */
  readonly state: 'waiting' | 'sending' | 'failed' | 'refused' | 'unfit';
  /** The share that has been sent, 0 to 1. */
  readonly sent: number;
  /** The key of the message that says why it is not on its way. */
  readonly problem: string | null;
  /** When the limit that is in its way is whole again. */
  readonly resetsAt: string | null;
}

/** One whose photo stands in its place. */
type PlacedUpload = StoredUpload & { readonly imageId: string };

export interface UploadsOptions {
  readonly sender: Pick<BrowserSender, 'settled' | 'unreachable'>;
  readonly personId: string;
  /** Whether this person is signed in: no one's files are sent with the session of another person. */
  readonly isSignedIn: () => boolean;
  readonly store: UploadStore;
  readonly claim: ClaimUpload;
  readonly send: typeof sendPhoto;
  readonly timing: Timing;
  readonly newKey: () => string;
  /** Resolves while the device has a network. @throws the signal's reason */
  readonly online: (signal: AbortSignal) => Promise<void>;
  /**
   * Called with every photo that the server has stored, one after the other, to put it into its place. `chosen` are the
   * photos that were chosen together and have been through this, in the order chosen, the new one included.
   */
  readonly onStored: (photo: Photo, chosen: readonly ChosenPhoto[]) => Promise<void>;
}

/** Beside each other. The server lets one person have some 50 MiB under way. */
const AT_ONCE = 3;
/** A try that the network or a full server ended is followed by another. While the device is offline none is made. */
const RETRIES: RetryPolicy = { attempts: 60, firstDelayMs: 1_000, longestDelayMs: 30_000 };
/** The server knows a key for a day; sent later, the same file could be stored twice. */
const KNOWN_MS = 23 * 3_600_000;
/** Answers after which the same request is to be sent again. */
const AGAIN: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);
const UNAUTHORIZED = 401;
const FAULT = 500;

/**
 * Uploads the photos that an agent has chosen: several at a time, each until the server has stored or refused it. They
 * continue while the agent visits other pages, and after a reload. One file has one key, so it is stored once.
 */
export function createUploads(options: UploadsOptions) {
  const { sender, personId, isSignedIn, store, timing } = options;
  let uploads: readonly Upload[] = [];
  let placing = Promise.resolve();
  const stops = new Map<string, AbortController>();
  const claims = new Map<string, () => void>();
  /** Keys of files that are asked for, because another window may have them. */
  const awaited = new Set<string>();
  const placed = new Map<string, PlacedUpload>();
  const listeners = new Set<() => void>();

  const show = (next: readonly Upload[]): void => {
    uploads = next;
    for (const listener of listeners) listener();
  };
  const find = (key: string): Upload | undefined => uploads.find((one) => one.key === key);
  const change = (key: string, changed: Partial<Upload>): void =>
    show(uploads.map((one) => (one.key === key ? { ...one, ...changed } : one)));
  const take = (all: readonly StoredUpload[]): void =>
    show([
      ...uploads,
      ...all.map((one) => ({ ...one, state: 'waiting' as const, sent: 0, problem: null, resetsAt: null })),
    ]);
  const isLate = ({ addedAt }: StoredUpload): boolean => addedAt <= timing.now() - KNOWN_MS;

  const release = (key: string): void => {
    claims.get(key)?.();
    claims.delete(key);
  };
  /** No later page continues it. Later pages know a photo that is in place, until its person signs out. */
  const forget = async (key: string): Promise<void> => {
    release(key);
    const standing = isSignedIn() ? placed.get(key) : undefined;
    await (standing === undefined ? store.remove(key) : store.add(standing)).catch(() => undefined);
  };
  const leaveOut = (key: string): void => show(uploads.filter((one) => one.key !== key));
  /** Without a store files are sent all the same; only a reload would lose them. */
  const keep = async (upload: StoredUpload): Promise<void> => {
    claims.set(upload.key, await options.claim(upload.key));
    // Who signs out leaves no file in the browser, nor one that comes to be written only then.
    if (isSignedIn()) await store.add(upload).catch(() => undefined);
    // It may have been answered or taken off the list while it was written.
    const now = find(upload.key);
    if (now === undefined || now.state === 'refused') await forget(upload.key);
  };
  const refuse = async (key: string, problem: string, resetsAt: string | null = null): Promise<void> => {
    change(key, { state: 'refused', problem, resetsAt });
    await forget(key);
  };

  const sendNext = (): void => {
    const next = uploads.find(({ state }) => state === 'waiting');
    if (next === undefined || stops.size >= AT_ONCE || !isSignedIn()) return;
    const stop = new AbortController();
    stops.set(next.key, stop);
    change(next.key, { state: 'sending' });
    void sendUntilAnswered(next, stop.signal)
      .catch((error: unknown) => (stop.signal.aborted ? undefined : failed(next, error)))
      .finally(() => {
        stops.delete(next.key);
        sendNext();
      });
    sendNext();
  };

  const failed = async (upload: Upload, error: unknown): Promise<void> => {
    const { key } = upload;
    // It continues when the person is back.
    if (!isSignedIn()) change(key, { state: 'waiting', sent: 0 });
    else if (isLate(upload)) await refuse(key, 'photo.uploadExpired');
    else if (isRefusal(error)) await refuse(key, problemKey(error), failureOf(error).resetsAt);
    else change(key, { state: 'failed', problem: problemKey(error) });
  };

  const sendUntilAnswered = async (upload: Upload, signal: AbortSignal): Promise<void> => {
    const onSent = (sent: number) => change(upload.key, { sent });
    for (let attempt = 1; ; attempt += 1) {
      await options.online(signal);
      if (isLate(upload) || !isSignedIn()) throw new Error('It may not be sent any more');
      try {
        const answer = sender.settled(await options.send(upload, { signal, onSent }));
        place(upload, plainOutput(answer) as Photo);
        return;
      } catch (error) {
        if (signal.aborted || !isPassing(error) || attempt >= RETRIES.attempts) throw error;
        if (error instanceof NetworkError) sender.unreachable();
        change(upload.key, { sent: 0 });
        const named = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) * 1_000 : 0;
        const delay = retryDelay(RETRIES, { attempt, random: timing.random() });
        await pause(timing, Math.max(named, delay), signal);
      }
    }
  };

  /**
   * One after the other: where a photo belongs is known when those before it stand. A file is listed until its photo is shown,
   * so that it is never in neither place.
   */
  const place = (upload: Upload, photo: Photo): void => {
    placing = placing.then(async () => {
      // It is sent again when the person is back, and has its place by that answer.
      if (!isSignedIn()) {
        leaveOut(upload.key);
        return release(upload.key);
      }
      const { imageId, isMain } = photo;
      placed.set(upload.key, { ...bare(upload), file: new Blob(), imageId, isMain });
      const chosen = [...placed.values()]
        .filter(({ addedAt }) => addedAt === upload.addedAt)
        .toSorted(asChosen);
      await options.onStored(photo, chosen);
      leaveOut(upload.key);
      await forget(upload.key);
    });
  };

  /** Notes the photos of this person that stand in their places. @returns the files that wait to be sent, oldest first */
  const learn = (stored: readonly StoredUpload[]): readonly StoredUpload[] => {
    const own = stored.filter((one) => !isLate(one) && one.personId === personId);
    for (const one of own) if (isPlaced(one)) placed.set(one.key, one);
    return own.filter((one) => !isPlaced(one)).toSorted(asChosen);
  };
  /** Sends a file of an earlier page, or of a window that was closed before it had done so. */
  const goOn = async (key: string): Promise<void> => {
    if (awaited.has(key)) return;
    awaited.add(key);
    const end = await options.claim(key);
    const left = isSignedIn() ? await store.all().catch(() => []) : [];
    awaited.delete(key);
    const one = learn(left).find((waiting) => waiting.key === key);
    if (one === undefined) return end();
    claims.set(key, end);
    take([one]);
    sendNext();
  };

  return {
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    current: () => uploads,
    /**
     * Continues what an earlier page has left, and what waits for its person. What another window has continues here
     * when that window is closed.
     */
    async resume(): Promise<void> {
      const left = (await store.all()).filter(({ key }) => find(key) === undefined);
      for (const { key } of left.filter(isLate)) await store.remove(key);
      for (const { key } of learn(left)) void goOn(key);
      sendNext();
    },
    /**
     * Starts with the files, in the order of their names. What cannot be a photo is not sent.
     * @param replaced the photo whose place and room the only file gets
     */
    async add(propertyId: string, files: readonly File[], replaced?: Photo): Promise<void> {
      const names = new Intl.Collator(undefined, { numeric: true });
      const addedAt = timing.now();
      const chosen = files
        .toSorted((one, other) => names.compare(one.name, other.name))
        .map((file, order) => ({
          key: options.newKey(),
          personId,
          propertyId,
          name: file.name,
          file,
          ...(replaced === undefined ? guessSubject(file.name) : inPlaceOf(replaced)),
          order,
          addedAt,
        }));
      const good = chosen.filter(({ file }) => unfitness(file) === null);
      show([
        ...uploads,
        ...chosen.flatMap((one) => {
          const problem = unfitness(one.file);
          return problem === null
            ? []
            : [{ ...one, state: 'unfit' as const, sent: 0, problem, resetsAt: null }];
        }),
      ]);
      take(good);
      sendNext();
      for (const one of good) await keep(one);
    },
    /** Takes a file off the list: one that was refused, or one that shall not be sent. */
    async dismiss(key: string): Promise<void> {
      stops.get(key)?.abort();
      leaveOut(key);
      await forget(key);
    },
    /** Sends a file again that has failed or was refused. */
    async retry(key: string): Promise<void> {
      const upload = find(key);
      if (upload?.state === 'failed')
        change(key, { state: 'waiting', sent: 0, problem: null, resetsAt: null });
      if (upload?.state !== 'refused') return sendNext();
      // The server keeps a refusal as the answer to its key.
      const fresh = { ...bare(upload), key: options.newKey(), addedAt: timing.now() };
      leaveOut(key);
      take([fresh]);
      sendNext();
      await keep(fresh);
    },
  };
}

export type Uploads = ReturnType<typeof createUploads>;

const asChosen = (one: StoredUpload, other: StoredUpload): number =>
  one.addedAt - other.addedAt || one.order - other.order;

/** What a photo shows that gets the place of another one. */
const inPlaceOf = ({ imageId, roomType, imageOf }: Photo) => ({
  roomType,
  imageOf: roomType === null ? imageOf : null,
  replacesId: imageId,
});

const isPlaced = (one: StoredUpload): one is PlacedUpload => one.imageId !== undefined;

/** The file without how far it has come. */
function bare({ state: _, sent: __, problem: ___, resetsAt: ____, ...file }: Upload): StoredUpload {
  return file;
}

/** Whether the same request may succeed later. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof ApiError)) return true;
  // A limit of a day outlives the patience of any page.
  if (error.errorCode === 'QUOTA_REACHED') return false;
  return AGAIN.has(error.httpStatus) || error.errorCode === 'IDEMPOTENCY_KEY_IN_FLIGHT';
}

/** Whether the server has said no for good. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof ApiError) || isPassing(error)) return false;
  return error.httpStatus < FAULT && error.httpStatus !== UNAUTHORIZED;
}

/** The key of the message, or null for a file that may be a photo. Some systems name no type for AVIF and HEIC. */
function unfitness({ type, size }: Blob): string | null {
  if (type !== '' && !PHOTO_TYPES.includes(type)) return 'photo.typeUnsupported';
  return size > MAX_PHOTO_BYTES ? 'photo.tooLarge' : null;
}
