import { describe, expect, test } from 'vitest';
import { ApiError, NetworkError } from '../../../../../../clients/typescript/errors.ts';
import type { BrowserSender } from '../../../../../../clients/web/api/browser-sender.ts';
import { deletePhoto } from '../../../../../../clients/web/pages/studio/change-photo.ts';
import { forAll } from '../../../../../../clients/web/pages/studio/for-all.ts';
import {
  type RoomPhoto,
  sendOrder,
  submitStaging,
} from '../../../../../../clients/web/pages/studio/staging/submit-staging.ts';
import {
  keepUnsent,
  type UnsentOrder,
  unsentOrder,
} from '../../../../../../clients/web/pages/studio/staging/unsent-order.ts';
import { UNSENT_ORDER } from '../../../../../../clients/web/session/kept-of-person.ts';
import { createKeeper, type Keeper } from '../../../../../../clients/web/site/keeper.ts';

/** Orders of staged pictures, and what a failed network leaves of them. */
const NOW = Date.parse('2026-01-15T12:00:00Z');
const HOUR_MS = 3_600_000;
const WHOSE = { personId: 'agent-1', propertyId: 'listing-1' };

function memoryStorage(): Storage {
  const entries = new Map<string, string>();
  return {
    get length() {
      return entries.size;
    },
    clear: () => entries.clear(),
    key: (index) => [...entries.keys()][index] ?? null,
    getItem: (key) => entries.get(key) ?? null,
    setItem: (key, value) => void entries.set(key, value),
    removeItem: (key) => void entries.delete(key),
  };
}

const assignmentsOf = (count: number): UnsentOrder['assignments'] =>
  Array.from({ length: count }, (_, index) => ({
    originalImageId: `photo-${index}`,
    roomType: 'BEDROOM',
    style: 'MODERN',
  }));
const order = (count: number, given: Partial<UnsentOrder> = {}): UnsentOrder => ({
  ...WHOSE,
  orderedAt: NOW,
  assignments: assignmentsOf(count),
  ...given,
});
const left = (storage: Storage, now = NOW): number | null =>
  unsentOrder(storage, WHOSE, now)?.assignments.length ?? null;

const refused = (httpStatus: number): ApiError =>
  new ApiError('No.', {
    httpStatus,
    code: null,
    errorCode: null,
    messageKey: null,
    fields: {},
    requestId: null,
    retryAfterSeconds: null,
    resetsAt: null,
    body: null,
  });

describe('what is left of an order', () => {
  test('is kept for its person and listing, and forgotten when nothing is left', () => {
    const storage = memoryStorage();
    keepUnsent(storage, order(3));
    expect(left(storage)).toBe(3);
    expect(unsentOrder(storage, { ...WHOSE, personId: 'agent-2' }, NOW)).toBeNull();
    expect(unsentOrder(storage, { ...WHOSE, propertyId: 'listing-2' }, NOW)).toBeNull();
    keepUnsent(storage, order(0));
    expect(storage.getItem(UNSENT_ORDER)).toBeNull();
  });

  test('stays when another listing has an order', () => {
    const storage = memoryStorage();
    keepUnsent(storage, order(3));
    keepUnsent(storage, order(2, { propertyId: 'listing-2' }));
    keepUnsent(storage, order(1));
    expect(left(storage)).toBe(1);
    keepUnsent(storage, order(0, { propertyId: 'listing-2' }));
    expect(left(storage)).toBe(1);
  });

  test('is not sent after a day', () => {
    const storage = memoryStorage();
    keepUnsent(storage, order(3));
    expect([left(storage, NOW + 24 * HOUR_MS - 1), left(storage, NOW + 24 * HOUR_MS)]).toEqual([3, null]);
  });

  test.each(['{', '1', 'null', '[null, 1, {}]', '{"personId":"agent-1","propertyId":"listing-1"}'])(
    'is nothing where the storage holds %s',
    (text) => {
      const storage = memoryStorage();
      storage.setItem(UNSENT_ORDER, text);
      expect(left(storage)).toBeNull();
      keepUnsent(storage, order(1));
      expect(left(storage)).toBe(1);
    },
  );
});

/** Records what is ordered; `answer` throws where a call fails. */
function stagingApi(answer: (call: number) => void = () => undefined, groups: unknown[] = []) {
  const calls: { readonly groupId?: string | null; readonly assignments: { originalImageId: string }[] }[] =
    [];
  const made: unknown[] = [];
  const ai = {
    async submitRoomStaging(input: (typeof calls)[number]) {
      calls.push(input);
      answer(calls.length);
      return { results: input.assignments.map(({ originalImageId }) => ({ originalImageId })) };
    },
    listRoomGroups: async () => ({ items: groups }),
    async createRoomGroup(input: unknown) {
      made.push(input);
      return { groupId: 'group-new' };
    },
  };
  return { api: { ai } as unknown as Parameters<typeof sendOrder>[0], calls, made };
}

function sendingTo(storage: Keeper) {
  const taken: number[] = [];
  return {
    sending: { storage, onSubmitted: (results: readonly unknown[]) => taken.push(results.length) },
    taken,
  };
}

describe('an order', () => {
  test('is sent twenty photos at a time, and nothing of it is kept', async () => {
    const storage = memoryStorage();
    const { api, calls } = stagingApi();
    const { sending, taken } = sendingTo(storage);
    await sendOrder(api, order(45), sending);
    expect(taken).toEqual([20, 20, 5]);
    expect(calls.flatMap(({ assignments }) => assignments)).toEqual(assignmentsOf(45));
    expect(Object.keys(calls[0] ?? {})).toEqual(['assignments']);
    expect(left(storage)).toBeNull();
  });

  test('keeps what was not answered when the network fails, and the page after it sends only that', async () => {
    const storage = memoryStorage();
    const broken = stagingApi((call) => {
      if (call === 2) throw new NetworkError(3, {});
    });
    const { sending, taken } = sendingTo(storage);
    await expect(sendOrder(broken.api, order(45, { groupId: 'group-1' }), sending)).rejects.toThrow(
      NetworkError,
    );
    expect([taken, left(storage)]).toEqual([[20], 25]);
    const kept = unsentOrder(storage, WHOSE, NOW + HOUR_MS);
    const { api, calls } = stagingApi();
    await sendOrder(api, kept ?? order(0), sending);
    expect(calls.map(({ groupId, assignments }) => [groupId, assignments[0]?.originalImageId])).toEqual([
      ['group-1', 'photo-20'],
      ['group-1', 'photo-40'],
    ]);
    expect(left(storage)).toBeNull();
  });

  test.each([400, 403, 429, 503])('that is refused with %i is not sent by a later page', async (status) => {
    const storage = memoryStorage();
    const { api } = stagingApi(() => {
      throw refused(status);
    });
    await expect(sendOrder(api, order(3), sendingTo(storage).sending)).rejects.toThrow(ApiError);
    expect(left(storage)).toBeNull();
  });

  test('is sent where the browser keeps nothing', async () => {
    const full = createKeeper(() => ({
      ...memoryStorage(),
      setItem: () => {
        throw new DOMException('full', 'QuotaExceededError');
      },
    }));
    const { api, calls } = stagingApi();
    await sendOrder(api, order(3), sendingTo(full).sending);
    expect(calls).toHaveLength(1);
  });
});

describe('an order of one room', () => {
  const brief = { pieces: ['bed', 'rug'], materials: ['oak'], colours: ['white'] };
  const group = {
    groupId: 'group-old',
    roomType: 'BEDROOM',
    style: 'MODERN',
    originalImageIds: ['b', 'a'],
    brief: { colours: ['white'], materials: ['oak'], pieces: ['rug', 'bed'] },
  };
  const submit = async (groups: unknown[]) => {
    const { api, calls, made } = stagingApi(undefined, groups);
    const photos = ['a', 'b'].map((imageId) => ({ imageId, roomType: 'BEDROOM' }) as RoomPhoto);
    const given = { ...WHOSE, orderedAt: NOW, photos, style: 'MODERN' as const };
    await submitStaging(api, { ...given, brief: brief as never }, sendingTo(memoryStorage()).sending);
    return { groupId: calls[0]?.groupId, made };
  };

  test('takes the group that has its photos and furniture, in whatever order they are named', async () => {
    expect(await submit([{ ...group, groupId: 'other', originalImageIds: ['a', 'c'] }, group])).toEqual({
      groupId: 'group-old',
      made: [],
    });
  });

  test.each([
    ['other photos', { originalImageIds: ['a'] }],
    ['another room', { roomType: 'OFFICE' }],
    ['another style', { style: 'LUXURY' }],
    ['other furniture', { brief: { ...group.brief, pieces: ['bed', 'desk'] } }],
  ])('makes a group where the one that is there has %s', async (_, other) => {
    const { groupId, made } = await submit([{ ...group, ...other }]);
    expect(groupId).toBe('group-new');
    expect(made).toEqual([
      { propertyId: 'listing-1', roomType: 'BEDROOM', style: 'MODERN', originalImageIds: ['a', 'b'], brief },
    ]);
  });
});

describe('work on many photos', () => {
  test('goes on after a failure, so many at a time, and fails at the end', async () => {
    const tried: number[] = [];
    let running = 0;
    let most = 0;
    const work = async (item: number): Promise<void> => {
      running += 1;
      most = Math.max(most, running);
      await new Promise(setImmediate);
      running -= 1;
      tried.push(item);
      if (item < 3) throw new Error(`item ${item}`);
    };
    await expect(forAll([1, 2, 3, 4, 5, 6, 7], 2, work)).rejects.toThrow('item 1');
    expect([tried, most]).toEqual([[1, 2, 3, 4, 5, 6, 7], 2]);
  });

  test('a photo that another agent has deleted is deleted', async () => {
    const senderOf = (status: number): Pick<BrowserSender, 'send'> => ({
      send: async () => {
        throw refused(status);
      },
    });
    await deletePhoto(senderOf(404), 'photo-1');
    await expect(deletePhoto(senderOf(409), 'photo-1')).rejects.toThrow(ApiError);
  });
});
