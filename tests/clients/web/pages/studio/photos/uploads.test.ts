import { describe, expect, test } from 'vitest';
import { NetworkError } from '../../../../../../clients/typescript/errors.ts';
import { DEFAULT_RETRIES } from '../../../../../../clients/typescript/timing.ts';
import type { TransportResponse } from '../../../../../../clients/typescript/transport.ts';
import { createBrowserSender } from '../../../../../../clients/web/api/browser-sender.ts';
import type { sendPhoto } from '../../../../../../clients/web/pages/studio/photos/send-photo.ts';
import type { StoredUpload } from '../../../../../../clients/web/pages/studio/photos/upload-store.ts';
import { createUploads } from '../../../../../../clients/web/pages/studio/photos/uploads.ts';
import { eventually } from '../../../../../support/eventually.ts';
import { manualTiming } from '../manual-timing.ts';

/** Photos on their way, without a browser: a list of what is sent takes the server's place, a map that of the disk. */
const LISTING = 'listing-1';
const AGENT = 'agent-1';
const DAY_MS = 86_400_000;

const photoFile = (name: string, { type = 'image/jpeg', size = 3 } = {}): File =>
  new File([new Uint8Array(size)], name, { type });

/** What survives a reload: the store, and the locks of all windows. */
function createDisk() {
  const files = new Map<string, StoredUpload>();
  const locked = new Set<string>();
  const waiting: (() => void)[] = [];
  const wake = () => {
    for (const look of waiting.splice(0)) look();
  };
  return {
    files,
    locked,
    closeWindows() {
      locked.clear();
      wake();
    },
    store: {
      all: async () => [...files.values()],
      add: async (upload: StoredUpload) => void files.set(upload.key, upload),
      remove: async (key: string) => void files.delete(key),
    },
    claim: async (key: string) => {
      while (locked.has(key)) await new Promise<void>((resolve) => waiting.push(resolve));
      locked.add(key);
      return () => {
        locked.delete(key);
        wake();
      };
    },
  };
}

interface Sent {
  readonly key: string;
  readonly name: string;
  answer(status: number, body?: unknown, headers?: readonly [string, string][]): void;
  breakOff(): void;
}

let keys = 0;

function openWindow(
  disk = createDisk(),
  { personId = AGENT, timing = manualTiming(), place = async () => {} } = {},
) {
  const sent: Sent[] = [];
  const placed: [imageId: string, chosen: readonly string[]][] = [];
  /** The photos that the server made covers, as told with each that was placed. */
  const covers: string[] = [];
  /** New photos with the ones that they replace. */
  const replacing: [imageId: string, replacesId: string][] = [];
  const reached: boolean[] = [];
  let signedIn: string | null = personId;
  const send: typeof sendPhoto = ({ key, name }, { signal }) =>
    new Promise<TransportResponse>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
      sent.push({
        key,
        name,
        answer: (status, body = {}, headers = []) =>
          resolve({ status, headers: [...headers], body: new TextEncoder().encode(JSON.stringify(body)) }),
        breakOff: () => reject(new NetworkError(1, {})),
      });
    });
  const sender = createBrowserSender({
    fetch,
    timing,
    retries: DEFAULT_RETRIES,
    newKey: () => '',
    person: () => signedIn,
    onPersonChanged: () => undefined,
    onUnauthorized: () => {
      signedIn = null;
    },
    onReachable: (isReachable) => reached.push(isReachable),
  });
  const uploads = createUploads({
    sender,
    personId,
    isSignedIn: () => signedIn === personId,
    store: disk.store,
    claim: disk.claim,
    send,
    timing,
    newKey: () => {
      keys += 1;
      return `key-${keys}`;
    },
    online: async () => undefined,
    onStored: async ({ imageId }, chosen) => {
      placed.push([imageId, chosen.map((one) => one.imageId)]);
      const { replacesId } = chosen.find((one) => one.imageId === imageId) ?? {};
      if (replacesId !== undefined) replacing.push([imageId, replacesId]);
      covers.push(...chosen.filter((one) => one.isMain).map((one) => one.imageId));
      await place();
    },
  });
  return {
    uploads,
    sent,
    placed,
    covers,
    replacing,
    reached,
    timing,
    signIn: (id: string | null) => {
      signedIn = id;
    },
    /** Waits until so many requests were sent in all. @returns the last one */
    sending: async (count: number): Promise<Sent> => {
      await eventually(() => sent.length === count, { what: `${count} requests`, intervalMs: 1 });
      const last = sent.at(-1);
      if (last === undefined) throw new Error('nothing was sent');
      return last;
    },
    states: () => uploads.current().map(({ name, state, problem }) => [name, state, problem]),
    pauses: (count: number) =>
      eventually(() => (timing.waiting().length === count ? timing.waiting() : null), {
        what: `${count} pauses`,
        intervalMs: 1,
      }),
    emptied: () => eventually(() => uploads.current().length === 0, { what: 'no uploads', intervalMs: 1 }),
  };
}

const photo = (imageId: string, isMain = false) => ({ imageId, propertyId: LISTING, isMain });
const refusal = (code: string, messageKey = 'errors.internal') => ({
  error: { code, message: 'No.', messageKey },
});

describe('a photo that the network or a full server holds up', () => {
  test.each([
    ['a failed network', (one: Sent) => one.breakOff(), 500],
    ['a full server', (one: Sent) => one.answer(503), 500],
    ['too many requests', (one: Sent) => one.answer(429, {}, [['retry-after', '7']]), 7_000],
    [
      'its own first try',
      (one: Sent) => one.answer(409, refusal('IDEMPOTENCY_KEY_IN_FLIGHT'), [['retry-after', '2']]),
      2_000,
    ],
  ])('by %s is sent again with the same key after its pause', async (_, fail, pause) => {
    const window = openWindow();
    await window.uploads.add(LISTING, [photoFile('a.jpg')]);
    const first = await window.sending(1);
    fail(first);
    expect(await window.pauses(1)).toEqual([pause]);
    window.timing.advance(pause - 1);
    expect(window.sent).toHaveLength(1);
    window.timing.advance(1);
    const second = await window.sending(2);
    expect(second.key).toBe(first.key);
    second.answer(200, photo('i-1'));
    await window.emptied();
    expect(window.placed).toEqual([['i-1', ['i-1']]]);
  });

  test('says that the server is not reached, and that it is again', async () => {
    const window = openWindow();
    await window.uploads.add(LISTING, [photoFile('a.jpg')]);
    (await window.sending(1)).breakOff();
    await window.pauses(1);
    window.timing.advance(500);
    (await window.sending(2)).answer(200, photo('i-1'));
    await window.emptied();
    expect(window.reached).toEqual([false, true]);
  });

  test('ends after sixty tries, stays in the store, and is tried again by hand with its key', async () => {
    const disk = createDisk();
    const window = openWindow(disk);
    await window.uploads.add(LISTING, [photoFile('a.jpg')]);
    for (let attempt = 1; attempt < 60; attempt += 1) {
      (await window.sending(attempt)).breakOff();
      await window.pauses(1);
      window.timing.advance(30_000);
    }
    const last = await window.sending(60);
    last.breakOff();
    await eventually(() => window.states()[0]?.[1] === 'failed', { what: 'its failure', intervalMs: 1 });
    expect(window.states()).toEqual([['a.jpg', 'failed', 'errors.notReached']]);
    expect([...disk.files.keys()]).toEqual([last.key]);
    await window.uploads.retry(last.key);
    expect((await window.sending(61)).key).toBe(last.key);
  });
});

describe('a photo that is refused', () => {
  test('because of the limit of a day is not sent again by itself, and says when the limit ends', async () => {
    const window = openWindow();
    await window.uploads.add(LISTING, [photoFile('a.jpg')]);
    const resetsAt = '2026-11-29T00:00:00.000Z';
    const error = {
      ...refusal('QUOTA_REACHED', 'quota.reached').error,
      details: { limit: 5, used: 5, resetsAt },
    };
    (await window.sending(1)).answer(429, { error }, [['retry-after', '7']]);
    await eventually(() => window.states()[0]?.[1] === 'refused', { what: 'its refusal', intervalMs: 1 });
    expect(window.timing.waiting()).toEqual([]);
    expect(window.uploads.current()[0]).toMatchObject({ problem: 'quota.reached', resetsAt });
  });

  test.each([
    ['plan.pdf', { type: 'application/pdf' }, 'photo.typeUnsupported'],
    ['large.jpg', { size: 25 * 1024 * 1024 + 1 }, 'photo.tooLarge'],
  ])('%s is never sent, not even by hand', async (name, given, problem) => {
    const disk = createDisk();
    const window = openWindow(disk);
    await window.uploads.add(LISTING, [photoFile(name, given), photoFile('good.jpg')]);
    await window.sending(1);
    expect(window.states()).toEqual([
      [name, 'unfit', problem],
      ['good.jpg', 'sending', null],
    ]);
    expect([...disk.files.values()].map((file) => file.name)).toEqual(['good.jpg']);
    await window.uploads.retry(window.uploads.current()[0]?.key ?? '');
    expect(window.sent.map((one) => one.name)).toEqual(['good.jpg']);
    await window.uploads.dismiss(window.uploads.current()[0]?.key ?? '');
    expect(window.states()).toEqual([['good.jpg', 'sending', null]]);
  });

  test.each([
    ['a.avif', ''],
    ['a.heic', 'image/heic'],
    ['a.heif', 'image/heif'],
  ])('%s of the type "%s" may be a photo', async (name, type) => {
    const window = openWindow();
    await window.uploads.add(LISTING, [photoFile(name, { type })]);
    expect((await window.sending(1)).name).toBe(name);
  });

  test('by the server ends, leaves the store, and gets a new key when it is sent by hand', async () => {
    const disk = createDisk();
    const window = openWindow(disk);
    await window.uploads.add(LISTING, [photoFile('a.jpg')]);
    const first = await window.sending(1);
    expect(disk.files.size).toBe(1);
    first.answer(422, refusal('PHOTO_BROKEN', 'photo.broken'));
    await eventually(() => disk.files.size === 0, { what: 'the empty store', intervalMs: 1 });
    expect(window.states()).toEqual([['a.jpg', 'refused', 'photo.broken']]);
    expect(disk.locked.size).toBe(0);
    await window.uploads.retry(first.key);
    const second = await window.sending(2);
    expect(second.key).not.toBe(first.key);
    expect([...disk.files.keys()]).toEqual([second.key]);
  });

  test('by a fault of the server stays in the store', async () => {
    const disk = createDisk();
    const window = openWindow(disk);
    await window.uploads.add(LISTING, [photoFile('a.jpg')]);
    (await window.sending(1)).answer(500);
    await eventually(() => window.states()[0]?.[1] === 'failed', { what: 'its failure', intervalMs: 1 });
    expect(disk.files.size).toBe(1);
  });
});

describe('many photos', () => {
  test('three are sent at a time, in the order of their names, with what they say', async () => {
    const window = openWindow();
    await window.uploads.add(
      LISTING,
      ['10-sala.jpg', '9-kitchen.jpg', '1.jpg', '11 patio.jpg'].map((name) => photoFile(name)),
    );
    await window.sending(3);
    expect(window.sent.map(({ name }) => name)).toEqual(['1.jpg', '9-kitchen.jpg', '10-sala.jpg']);
    expect(window.uploads.current().map(({ roomType, imageOf }) => roomType ?? imageOf)).toEqual([
      null,
      'KITCHEN',
      'LIVING_ROOM',
      'Patio',
    ]);
    expect(window.states()[3]).toEqual(['11 patio.jpg', 'waiting', null]);
    window.sent[1]?.answer(200, photo('i-9'));
    expect((await window.sending(4)).name).toBe('11 patio.jpg');
  });

  test('that are stored in any order are placed among those of their choice that stand, in the order chosen', async () => {
    const window = openWindow();
    const add = (...names: string[]) =>
      window.uploads.add(
        LISTING,
        names.map((name) => photoFile(`${name}.jpg`)),
      );
    await add('1', '2', '3');
    await window.sending(3);
    for (const [count, number] of [3, 1, 2].entries()) {
      window.sent[number - 1]?.answer(200, photo(`i-${number}`));
      await eventually(() => window.placed.length === count + 1, { what: 'its place', intervalMs: 1 });
    }
    window.timing.advance(1);
    await add('0');
    (await window.sending(4)).answer(200, photo('i-0'));
    await eventually(() => window.placed.length === 4, { what: 'its place', intervalMs: 1 });
    expect(window.placed).toEqual([
      ['i-3', ['i-3']],
      ['i-1', ['i-1', 'i-3']],
      ['i-2', ['i-1', 'i-2', 'i-3']],
      ['i-0', ['i-0']],
    ]);
  });

  test('places are taken one after the other', async () => {
    const disk = createDisk();
    let running = 0;
    let most = 0;
    let done = 0;
    const uploads = createUploads({
      sender: { settled: (answer) => answer, unreachable: () => undefined },
      personId: AGENT,
      isSignedIn: () => true,
      store: disk.store,
      claim: disk.claim,
      send: async ({ key }) => ({
        status: 200,
        headers: [],
        body: new TextEncoder().encode(JSON.stringify(photo(key))),
      }),
      timing: manualTiming(),
      newKey: () => {
        keys += 1;
        return `key-${keys}`;
      },
      online: async () => undefined,
      onStored: async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise(setImmediate);
        running -= 1;
        done += 1;
      },
    });
    await uploads.add(
      LISTING,
      ['1', '2', '3'].map((name) => photoFile(name)),
    );
    await eventually(() => done === 3, { what: 'three places', intervalMs: 1 });
    expect(most).toBe(1);
  });

  test('one that is taken off the list is not sent on, nor by a later page', async () => {
    const disk = createDisk();
    const window = openWindow(disk);
    await window.uploads.add(
      LISTING,
      ['1', '2', '3', '4'].map((name) => photoFile(name)),
    );
    await window.sending(3);
    await window.uploads.dismiss(window.sent[0]?.key ?? '');
    expect((await window.sending(4)).name).toBe('4');
    expect([...disk.files.values()].map(({ name }) => name)).toEqual(['2', '3', '4']);
    expect(window.states().map(([name]) => name)).toEqual(['2', '3', '4']);
  });

  test('one that is taken off while it is being stored does not come back', async () => {
    const disk = createDisk();
    const window = openWindow(disk);
    const added = window.uploads.add(LISTING, [photoFile('a.jpg')]);
    await window.uploads.dismiss(window.uploads.current()[0]?.key ?? '');
    await added;
    expect([disk.files.size, disk.locked.size]).toEqual([0, 0]);
  });
});

describe('after a reload', () => {
  /** A page that was closed while so many files were on their way. */
  async function closedPage(names: readonly string[], given: Parameters<typeof openWindow>[1] = {}) {
    const disk = createDisk();
    const window = openWindow(disk, given);
    await window.uploads.add(
      LISTING,
      names.map((name) => photoFile(name)),
    );
    await eventually(() => disk.files.size === names.length, { what: 'the stored files', intervalMs: 1 });
    disk.closeWindows();
    return { disk, window };
  }

  test('files go on in their order, with their keys', async () => {
    const { disk, window } = await closedPage(['1', '2', '3', '4']);
    const later = openWindow(disk);
    await later.uploads.resume();
    await later.sending(3);
    expect(later.sent.map(({ name, key }) => [name, key])).toEqual(
      window.sent.map(({ name, key }) => [name, key]),
    );
    expect(later.states()).toHaveLength(4);
    await later.uploads.resume();
    expect(later.states()).toHaveLength(4);
  });

  test('files go on once where windows have no locks and the page is opened again meanwhile', async () => {
    const { disk } = await closedPage(['1']);
    const slow = Promise.withResolvers<void>();
    let reads = 0;
    const all = async () => {
      reads += 1;
      if (reads === 2) await slow.promise;
      return disk.store.all();
    };
    const later = openWindow({ ...disk, claim: async () => () => {}, store: { ...disk.store, all } });
    await later.uploads.resume();
    await eventually(() => reads === 2, { what: 'the second look', intervalMs: 1 });
    await later.uploads.resume();
    slow.resolve();
    await later.sending(1);
    await new Promise(setImmediate);
    expect(later.states()).toHaveLength(1);
  });

  test('files are placed among those of their choice that an earlier page has sent, and the cover is known', async () => {
    const { disk, window } = await closedPage(['1', '2', '3']);
    window.sent[2]?.answer(200, photo('i-3', true));
    await eventually(() => window.placed.length === 1, { what: 'its place', intervalMs: 1 });
    const later = openWindow(disk);
    await later.uploads.resume();
    await later.sending(2);
    later.sent[0]?.answer(200, photo('i-1'));
    await eventually(() => later.placed.length === 1, { what: 'its place', intervalMs: 1 });
    expect(later.placed).toEqual([['i-1', ['i-1', 'i-3']]]);
    expect(later.covers).toEqual(['i-3']);
    expect(later.states().map(([name]) => name)).toEqual(['2']);
  });

  test('files that had no place yet are sent again with their key', async () => {
    const disk = createDisk();
    const window = openWindow(disk, { place: () => new Promise(() => {}) });
    await window.uploads.add(LISTING, [photoFile('1')]);
    const first = await window.sending(1);
    first.answer(200, photo('i-1'));
    await eventually(() => window.placed.length === 1, { what: 'its turn', intervalMs: 1 });
    disk.closeWindows();
    const later = openWindow(disk);
    await later.uploads.resume();
    expect((await later.sending(1)).key).toBe(first.key);
  });

  test('a file that is to replace a photo still does, with that one’s room', async () => {
    const disk = createDisk();
    const replaced = { imageId: 'old', roomType: 'OFFICE' } as const;
    await openWindow(disk).uploads.add(LISTING, [photoFile('kitchen.jpg')], replaced as never);
    disk.closeWindows();
    expect([...disk.files.values()].map(({ roomType }) => roomType)).toEqual(['OFFICE']);
    const later = openWindow(disk);
    await later.uploads.resume();
    (await later.sending(1)).answer(200, photo('new'));
    await eventually(() => later.placed.length === 1, { what: 'its place', intervalMs: 1 });
    expect(later.replacing).toEqual([['new', 'old']]);
  });

  test('files whose key the server may have forgotten are dropped', async () => {
    const timing = manualTiming();
    const { disk } = await closedPage(['old'], { timing });
    timing.advance(DAY_MS);
    const later = openWindow(disk, { timing });
    await later.uploads.resume();
    expect([later.states(), disk.files.size]).toEqual([[], 0]);
  });

  test('files that are just young enough go on', async () => {
    const timing = manualTiming();
    const { disk } = await closedPage(['young'], { timing });
    timing.advance(23 * 3_600_000 - 1);
    const later = openWindow(disk, { timing });
    await later.uploads.resume();
    expect((await later.sending(1)).name).toBe('young');
  });

  test('a file that waited for a day on an open page is not sent with its old key', async () => {
    const window = openWindow();
    await window.uploads.add(LISTING, [photoFile('a.jpg')]);
    const first = await window.sending(1);
    first.breakOff();
    await window.pauses(1);
    window.timing.advance(DAY_MS);
    await eventually(() => window.states()[0]?.[1] === 'refused', { what: 'the refusal', intervalMs: 1 });
    expect(window.states()).toEqual([['a.jpg', 'refused', 'photo.uploadExpired']]);
    await window.uploads.retry(first.key);
    expect((await window.sending(2)).key).not.toBe(first.key);
  });

  test('another person’s files are neither sent nor shown, and stay', async () => {
    const { disk } = await closedPage(['a']);
    const other = openWindow(disk, { personId: 'agent-2' });
    await other.uploads.resume();
    expect([other.states(), other.sent, disk.files.size]).toEqual([[], [], 1]);
  });

  test('files of a window that is still open are left to it, and go on here when it is closed', async () => {
    const disk = createDisk();
    const window = openWindow(disk);
    await window.uploads.add(LISTING, [photoFile('a.jpg')]);
    await window.sending(1);
    const other = openWindow(disk);
    await other.uploads.resume();
    await other.uploads.resume();
    expect(other.states()).toEqual([]);
    disk.closeWindows();
    expect((await other.sending(1)).key).toBe(window.sent[0]?.key);
    expect(other.states()).toHaveLength(1);
  });

  test('files that the other window has sent meanwhile are not sent again', async () => {
    const disk = createDisk();
    const window = openWindow(disk);
    await window.uploads.add(
      LISTING,
      ['1', '2'].map((name) => photoFile(name)),
    );
    await window.sending(2);
    const other = openWindow(disk);
    await other.uploads.resume();
    window.sent[0]?.answer(200, photo('i-1'));
    await eventually(() => disk.locked.size === 1, { what: 'the end of the first', intervalMs: 1 });
    disk.closeWindows();
    const last = await other.sending(1);
    expect(last.name).toBe('2');
    last.answer(200, photo('i-2'));
    await eventually(() => other.placed.length === 1, { what: 'its place', intervalMs: 1 });
    expect(other.placed).toEqual([['i-2', ['i-1', 'i-2']]]);
  });
});

describe('signing out', () => {
  test('holds the rest back until the same person is signed in again', async () => {
    const window = openWindow();
    await window.uploads.add(
      LISTING,
      ['1', '2', '3', '4'].map((name) => photoFile(name)),
    );
    await window.sending(3);
    for (const one of window.sent) one.answer(401);
    await eventually(() => window.states().every(([, state]) => state === 'waiting'), {
      what: 'all to wait',
      intervalMs: 1,
    });
    window.signIn('agent-2');
    await window.uploads.resume();
    expect(window.sent).toHaveLength(3);
    window.signIn(AGENT);
    await window.uploads.resume();
    await window.sending(6);
    expect(window.sent.slice(3).map(({ key }) => key)).toEqual(window.sent.slice(0, 3).map(({ key }) => key));
  });

  test('leaves no file that was chosen a moment before', async () => {
    const disk = createDisk();
    const window = openWindow(disk);
    const added = window.uploads.add(
      LISTING,
      ['1', '2'].map((name) => photoFile(name)),
    );
    window.signIn(null);
    await added;
    expect(disk.files.size).toBe(0);
  });

  test('leaves photos without their place to the next time, and nothing of those that have it', async () => {
    const disk = createDisk();
    const first = Promise.withResolvers<void>();
    const window = openWindow(disk, { place: () => first.promise });
    await window.uploads.add(
      LISTING,
      ['1', '2'].map((name) => photoFile(name)),
    );
    await window.sending(2);
    for (const [index, one] of window.sent.entries()) one.answer(200, photo(`i-${index}`));
    await eventually(() => window.placed.length === 1, { what: 'a photo to be placed', intervalMs: 1 });
    // Listed until it is shown.
    expect(window.states().map(([name]) => name)).toEqual(['1', '2']);
    window.signIn(null);
    first.resolve();
    await eventually(() => disk.files.size === 1 && disk.locked.size === 0, {
      what: 'the end',
      intervalMs: 1,
    });
    expect([window.placed, window.states()]).toEqual([[['i-0', ['i-0']]], []]);
    window.signIn(AGENT);
    await window.uploads.resume();
    expect((await window.sending(3)).key).toBe(window.sent[1]?.key);
  });

  test('ends the tries of a photo that waits for the network', async () => {
    const window = openWindow();
    await window.uploads.add(LISTING, [photoFile('a.jpg')]);
    (await window.sending(1)).breakOff();
    await window.pauses(1);
    window.signIn('agent-2');
    window.timing.advance(1_000);
    await eventually(() => window.states()[0]?.[1] === 'waiting', { what: 'it to wait', intervalMs: 1 });
    expect(window.sent).toHaveLength(1);
  });
});
