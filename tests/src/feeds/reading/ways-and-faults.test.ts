import { afterEach, describe, expect, test } from 'vitest';
import type { FeedFault } from '../../../../ops/feed-simulator/faults.ts';
import {
  type FeedSimulator,
  type FeedSimulatorOptions,
  startFeedSimulator,
} from '../../../../ops/feed-simulator/server.ts';
import type { FeedProfile } from '../../../../src/feeds/profiles/profile-schema.ts';
import {
  type FeedFollower,
  followFeed,
  smallProfile,
  truthOf,
} from '../../../support/feeds/feed-follower.ts';
import { createRandom } from '../../../support/random.ts';

let simulator: FeedSimulator;
let follower: FeedFollower;
let profile: FeedProfile;
afterEach(async () => {
  await follower?.close();
  await simulator?.close();
});

interface Case {
  readonly profile: FeedProfile;
  readonly options?: FeedSimulatorOptions;
  readonly filter?: string;
}
const IN_ACTRIS = "OriginatingSystemName eq 'actris'";
const WAYS: Readonly<Record<string, Case>> = {
  'time and key': { profile: smallProfile('generic') },
  time: { profile: smallProfile('generic', { ordersByBoth: false }) },
  'links by key': { profile: smallProfile('generic', { way: 'NEXT_LINK' }) },
  'top and skip': { profile: smallProfile('generic', { way: 'TOP_SKIP' }) },
  events: { profile: smallProfile('generic', { way: 'ENTITY_EVENT' }) },
  'MLS Grid': { profile: smallProfile('mls-grid'), options: { rules: 'mls-grid' }, filter: IN_ACTRIS },
  Bridge: { profile: smallProfile('bridge'), options: { rules: 'bridge' } },
};
const WAY_NAMES = Object.keys(WAYS);

async function open(way: string, more: FeedSimulatorOptions = {}, between?: () => void) {
  const { options, filter = null } = WAYS[way] as Case;
  profile = (WAYS[way] as Case).profile;
  simulator = await startFeedSimulator({ listings: 90, page: 40, media: 1, ...options, ...more });
  follower = followFeed({ simulator, profile, filter, ...(between && { between }) });
}

const truth = () => truthOf(simulator, profile);

/** After faults: a look, the list of all keys, and a look. */
async function settle() {
  simulator.control.faults.clear();
  simulator.control.store.commit();
  await follower.look();
  expect(await follower.reconcile()).toEqual({ complete: true });
  expect(follower.has()).toEqual(truth());
}

describe.each(WAY_NAMES)('by %s', (way) => {
  test('a first load has every record, and the next look what changed', async () => {
    await open(way, { quotes: true });
    await follower.look();
    expect(follower.has()).toEqual(truth());
    const { store } = simulator.control;
    const [one, two] = store.keys('Property') as [string, string];
    store.set('Property', one, { ListPrice: 1 });
    store.set('Office', store.keys('Office')[0] as string, { OfficeName: 'Another' });
    store.set('Property', "new'one", { ListPrice: 2 });
    await follower.look();
    expect(follower.has()).toEqual(truth());
    store.remove('Property', two);
    await settle();
  });

  test('more records of one time than the largest page has are all read', async () => {
    await open(way);
    simulator.control.fault('duplicate-times', 80);
    await follower.look();
    expect(follower.has()).toEqual(truth());
    simulator.control.fault('mass-update');
    await follower.look();
    expect(follower.has()).toEqual(truth());
  });

  test('a change that becomes visible after a later one is read by the next look', async () => {
    const clock = { now: Date.UTC(2026, 10, 1) };
    await open(way, { now: () => clock.now });
    await follower.look();
    const { store, faults } = simulator.control;
    const [one, two] = store.keys('Property') as [string, string];
    faults.set('late-commits');
    store.set('Property', one, { ListPrice: 1 });
    faults.clear();
    clock.now += 60_000;
    store.set('Property', two, { ListPrice: 2 });
    await follower.look();
    store.commit();
    await follower.look();
    expect(follower.has()).toEqual(truth());
  });

  test('times that are answered with fewer digits than they have lose nothing', async () => {
    await open(way);
    simulator.control.fault('cut-digits');
    simulator.control.store.touchAll(80, {}, true);
    await follower.look();
    expect(follower.has()).toEqual(truth());
  });
});

describe.each(WAY_NAMES)('by %s', (way) => {
  test('a change during a walk of hours is not lost, whatever changes after it', async () => {
    const clock = { now: Date.UTC(2026, 10, 1) };
    let page = 0;
    const edit = () => {
      page += 1;
      clock.now += 3_600_000;
      const { store } = simulator.control;
      const keys = store.keys('Property');
      if (page < 6) store.set('Property', keys[page] as string, { Page: page });
      if (page < 6) store.set('Property', keys.at(-page) as string, { Page: page });
    };
    await open(way, { now: () => clock.now }, edit);
    await follower.look();
    await follower.look();
    // Without an order a record that did not change may slip between two pages: the list of keys finds it.
    if (!profile.replication.orders) return settle();
    expect(follower.has()).toEqual(truth());
  });

  test('a record with a time in the future hides no change', async () => {
    const clock = { now: Date.now() };
    await open(way, { now: () => clock.now });
    const { store } = simulator.control;
    const [one, two] = store.keys('Property') as [string, string];
    store.set('Property', one, {}, BigInt(Date.UTC(2099, 1, 1)) * 1000n);
    await follower.look();
    clock.now += 3_600_000;
    store.set('Property', two, { ListPrice: 3 }, BigInt(clock.now) * 1000n);
    await follower.look();
    expect(follower.has()).toEqual(truth());
  });
});

/** How the answers are broken while records change; `times` keeps it shorter than the patience of a test. */
const FAULTS: readonly [FeedFault, { times?: number; every?: number }][] = [
  ['moving-skip', { times: 3 }],
  ['looping-links', { times: 1 }],
  ['relative-links', {}],
  ['foreign-links', { times: 2 }],
  ['expired-links', { times: 1 }],
  ['too-many', { times: 2 }],
  ['too-many-silent', { times: 2 }],
  ['truncated-json', { every: 3 }],
  ['cut-off', { every: 3 }],
  ['page-repeats', { every: 3, times: 4 }],
  ['small-pages', { every: 2 }],
  ['short-list', { times: 1 }],
  ['empty-feed', { every: 4 }],
  ['record-vanishes', { times: 2 }],
  ['error', { every: 3 }],
  ['html', { every: 3 }],
  ['redirect', { times: 2 }],
  ['late-commits', {}],
  ['cannot-view', {}],
];

describe.each(WAY_NAMES)('by %s', (way) => {
  test.each(FAULTS)('with %s: after it settles, both have the same', async (fault, { times, every }) => {
    await open(way);
    await follower.look();
    simulator.control.store.touchAll(70);
    simulator.control.fault(fault, times, every);
    const { store } = simulator.control;
    store.remove('Property', store.keys('Property')[5] as string);
    await follower.look().catch((error) => expect(error).toMatchObject({ name: 'FeedError' }));
    store.set('Property', store.keys('Property')[7] as string, { ListPrice: 5 });
    await follower.reconcile().catch((error) => expect(error).toMatchObject({ name: 'FeedError' }));
    await settle();
  });

  test.each([11, 12])('edits between pages, seed %i: after it settles, both have the same', async (seed) => {
    const random = createRandom(seed);
    let turns = 0;
    const edit = () => {
      turns += 1;
      if (turns > 40) return;
      const { store } = simulator.control;
      const resource = random.pick(['Property', 'Property', 'Member', 'OpenHouse'] as const);
      const keys = store.keys(resource);
      const key = keys.length === 0 ? 'first' : random.pick(keys);
      const kind = random.between(0, 2);
      if (kind === 0) store.remove(resource, key);
      else store.set(resource, kind === 1 ? `${resource}-${turns}` : key, { Edited: turns });
    };
    await open(way, { seed, quotes: true }, edit);
    await follower.look();
    await follower.reconcile();
    turns = 41;
    await settle();
  });
});
