import type { FeedFault } from '../../../../ops/feed-simulator/faults.ts';
import type { Resource } from '../../../../ops/feed-simulator/listings.ts';
import { type FeedSimulatorOptions, startFeedSimulator } from '../../../../ops/feed-simulator/server.ts';
import { createRandom } from '../../../support/random.ts';

/** Faults of answers: one answer in so many has each, as many times at most. */
const FAULTS: readonly [FeedFault, { every: number; times: number }][] = [
  ['moving-skip', { every: 2, times: 4 }],
  ['looping-links', { every: 7, times: 3 }],
  ['relative-links', { every: 3, times: 9 }],
  ['foreign-links', { every: 4, times: 2 }],
  ['expired-links', { every: 9, times: 3 }],
  ['too-many', { every: 15, times: 1 }],
  ['too-many-silent', { every: 17, times: 2 }],
  ['token-ends', { every: 31, times: 3 }],
  ['truncated-json', { every: 13, times: 9 }],
  ['cut-off', { every: 17, times: 9 }],
  ['page-repeats', { every: 11, times: 9 }],
  ['small-pages', { every: 3, times: 60 }],
  ['short-list', { every: 9, times: 40 }],
  ['empty-feed', { every: 14, times: 20 }],
  ['record-vanishes', { every: 1, times: 2 }],
  ['error', { every: 19, times: 9 }],
  ['html', { every: 23, times: 9 }],
  ['endless', { every: 18, times: 1 }],
  ['silent', { every: 20, times: 1 }],
  ['redirect', { every: 21, times: 2 }],
  ['media-404', { every: 9, times: 3 }],
  ['media-too-many', { every: 20, times: 1 }],
  ['media-huge', { every: 15, times: 1 }],
];

/** What a price or a status was, and since when, as the records say. */
interface Said<T> {
  readonly value: T;
  /** ISO 8601. */
  readonly at: string;
}

export type TroubledFeed = Awaited<ReturnType<typeof openTroubledFeed>>;

/** A feed that does everything wrong at once while its records change, and that remembers what was true. */
export async function openTroubledFeed(options: FeedSimulatorOptions & { seed: number }) {
  const simulator = await startFeedSimulator({ page: 15, media: 1, ...options });
  const { store, faults } = simulator.control;
  const mediaRoot = new URL('/media', simulator.url).href;
  const random = createRandom(options.seed);
  const removed = new Set<string>();
  const prices = new Map<string, Said<number>[]>();
  const statuses = new Map<string, Said<string>[]>();
  let edits = 0;
  faults.set('cut-digits');

  const remove = store.remove;
  store.remove = (resource, key) => {
    removed.add(`${resource} ${key}`);
    remove(resource, key);
  };
  const bodyOf = (resource: Resource, key: string) => {
    const record = store.get(resource, key);
    return record === undefined ? null : store.body(record, resource === 'Property');
  };
  const note = <T>(said: Map<string, Said<T>[]>, key: string, value: T, at: string) =>
    said.set(key, [...(said.get(key) ?? []), { value, at }]);
  /** Each in another second, so that no two have the same time. */
  const time = () => new Date(Date.UTC(2026, 6, 1) + edits * 60_000).toISOString();
  const pick = (resource: Resource) => random.pick(store.keys(resource));

  const reprice = () => {
    const key = pick('Property');
    const [price, at] = [200_000 + edits * 1_000, time()];
    const before = prices.get(key)?.at(-1)?.value ?? Number(bodyOf('Property', key)?.ListPrice);
    note(prices, key, price, at);
    store.set('Property', key, {
      ListPrice: price,
      PreviousListPrice: before,
      PriceChangeTimestamp: at,
      MajorChangeType: 'Price Change',
      MajorChangeTimestamp: at,
    });
  };
  const restate = () => {
    const key = pick('Property');
    if (bodyOf('Property', key)?.StandardStatus !== 'Active' || statuses.has(key)) return;
    note(statuses, key, 'Pending', time());
    store.set('Property', key, { StandardStatus: 'Pending', StatusChangeTimestamp: time() });
  };
  const redisplay = () => {
    const key = pick('Property');
    const { StreetNumber, StreetName } = bodyOf('Property', key) ?? {};
    store.set('Property', key, {
      InternetAddressDisplayYN: random.chance(0.5),
      InternetEntireListingDisplayYN: random.chance(0.7),
      PublicRemarks: random.pick(['A bright home.', `Come to ${StreetNumber} ${StreetName}!`]),
    });
  };
  const repicture = () => {
    const key = pick('Property');
    const media = (bodyOf('Property', key)?.Media ?? []) as Record<string, unknown>[];
    const changed = media.map((one) => ({
      ...one,
      Permission: [random.pick(['Public', 'Private'])],
      MediaModificationTimestamp: time(),
    }));
    const added = `${key}-${edits}`;
    const more = {
      ...media[0],
      MediaKey: added,
      Order: 5 + edits,
      MediaURL: `${mediaRoot}/${encodeURIComponent(added)}.jpg`,
    };
    store.set('Property', key, { Media: random.chance(0.5) ? changed : [...changed, more] });
  };
  const rename = () => {
    store.set('Office', pick('Office'), { OfficeName: `Office ${edits}` });
    store.set('Member', pick('Member'), { MemberFullName: `Member ${edits}` });
  };
  const reopen = () =>
    store.set('OpenHouse', `OH${random.between(1, 6)}`, {
      ListingKey: pick('Property'),
      OpenHouseDate: '2030-05-05',
      OpenHouseStartTime: '2030-05-05T18:00:00Z',
      OpenHouseEndTime: `2030-05-05T2${random.between(0, 3)}:00:00Z`,
    });
  const leave = () => store.remove('Property', pick('Property'));
  const arrive = () => store.set('Property', `N'${edits}`, { ListPrice: 100_000 + edits });
  const DEEDS = [reprice, reprice, reprice, restate, redisplay, repicture, rename, reopen, leave, arrive];

  return {
    simulator,
    edit(): void {
      edits += 1;
      random.pick(DEEDS)();
    },
    /** Turns all faults of answers on. */
    trouble(): void {
      for (const [fault, { times, every }] of FAULTS) faults.set(fault, times, every);
    },
    /** What the faults of data do; what was unreadable is read again. */
    shake(): void {
      simulator.control.fault('duplicate-times', 25);
      simulator.control.fault('cannot-view');
      simulator.control.fault('mass-update');
      for (const resource of ['Office', 'Member', 'OpenHouse'] as const)
        for (const key of store.keys(resource)) store.set(resource, key, {});
    },
    /** Of the faults only the lists that lack a part stay, so that many lists are read. */
    shorten(): void {
      for (const { fault } of faults.list()) faults.end(fault);
      faults.set('cut-digits');
      faults.set('short-list', Number.POSITIVE_INFINITY, 9);
    },
    /** No fault is on any more, and everything is visible. */
    calm(): void {
      for (const { fault } of faults.list()) faults.end(fault);
      faults.set('cut-digits');
      store.commit();
    },
    late: (isOn: boolean): void => {
      if (isOn) faults.set('late-commits');
      else {
        faults.end('late-commits');
        store.commit();
      }
    },
    unreadable: (isOn: boolean): void =>
      isOn ? faults.set('unreadable-text') : faults.end('unreadable-text'),
    faultsUsed: () => Object.fromEntries(faults.list().map(({ fault, used }) => [fault, used])),
    removed,
    pricesOf: (key: string) => prices.get(key) ?? [],
    statusesOf: (key: string) => statuses.get(key) ?? [],
    bodies: (resource: Resource) =>
      new Map(store.keys(resource).map((key) => [key, bodyOf(resource, key) ?? {}])),
    close: (): Promise<void> => simulator.close(),
  };
}
export const ANSWER_FAULTS = FAULTS.map(([fault]) => fault);
