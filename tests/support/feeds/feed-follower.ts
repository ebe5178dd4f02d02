import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import type { FeedSimulator } from '../../../ops/feed-simulator/server.ts';
import { type FeedProfile, profileSchema } from '../../../src/feeds/profiles/profile-schema.ts';
import { feedProfile } from '../../../src/feeds/profiles/profiles.ts';
import { cursorForKeys, firstCursor, MOST_MISSING } from '../../../src/feeds/reading/cursor.ts';
import { createFeedClient } from '../../../src/feeds/reading/feed-fetch.ts';
import {
  type FeedCursor,
  FeedError,
  type FeedKey,
  type FeedPage,
  type FeedPorts,
  type FeedRate,
  type FeedSource,
  type FeedTokens,
} from '../../../src/feeds/reading/feed-reading.ts';
import { readPage } from '../../../src/feeds/reading/read-page.ts';

/** A profile with small pages, so that few records fill many. */
export function smallProfile(
  name: string,
  replication: Partial<FeedProfile['replication']> = {},
  page: Partial<FeedProfile['page']> = {},
): FeedProfile {
  const profile = feedProfile(name);
  return profileSchema.parse({
    ...profile,
    replication: { ...profile.replication, overlapMinutes: 2, ...replication },
    page: { ...profile.page, size: 30, most: 60, keys: 40, inList: 10, ...page },
  });
}

export const unlimited: FeedRate = {
  take: async () => ({ place: '1' }),
  release: async () => undefined,
};

interface FollowerOptions {
  readonly simulator: FeedSimulator;
  readonly profile: FeedProfile;
  readonly filter?: string | null;
  readonly secret?: string;
  readonly rate?: FeedRate;
  /** Runs after each page. */
  between?(): void;
  readonly answerMs?: number;
  readonly mostBytes?: number;
}

/** What a reader of a feed has: a small stand-in for the rows that pages are written to. */
export interface FeedFollower {
  readonly errors: FeedError[];
  look(): Promise<void>;
  reconcile(): Promise<{ complete: boolean }>;
  /** What it has, in the form of the simulator's truth. */
  has(): string[];
  close(): Promise<void>;
}

/** Failures in a row after which a test gives up. */
const MOST_FAILURES = 12;
const MOST_PAGES = 3_000;

export function followFeed(options: FollowerOptions): FeedFollower {
  const { simulator, profile, filter = null, secret = 'a-long-lived-token', between } = options;
  const { rate = unlimited, answerMs = 5_000, mostBytes } = options;
  const client = createFeedClient({
    allowsLoopback: true,
    answerMs,
    ...(mostBytes !== undefined && { mostBytes }),
  });
  const source: FeedSource = { profile, baseUrl: simulator.url, filter, secret: () => secret };
  const tokens: FeedTokens = new Map();
  const ports: FeedPorts = {
    fetch: client.fetch,
    rate,
    tokens,
    now: Date.now,
    signal: new AbortController().signal,
  };
  const rows = new Map<string, { modifiedAt: string | null; hash: string }>();
  const errors: FeedError[] = [];
  let stored: FeedCursor | null = null;

  const exists = ({ resource, key }: FeedKey) =>
    truthOf(simulator, profile).some((one) => one.startsWith(`${resource} ${key} `));
  const write = ({ records, gone }: FeedPage) => {
    for (const { resource, key, modifiedAt, body } of records)
      rows.set(`${resource} ${key}`, { modifiedAt, hash: hashOf(body) });
    for (const one of gone) {
      if (one.resource !== 'Media') expect(exists(one), `${one.key} exists, and was to go`).toBe(false);
      rows.delete(`${one.resource} ${one.key}`);
    }
  };
  const read = async (first: FeedCursor, onPage: (page: FeedPage) => void) => {
    let cursor = first;
    let failures = 0;
    for (let pages = 0; !cursor.done; pages += 1) {
      expect(pages, 'the look does not end').toBeLessThan(MOST_PAGES);
      try {
        const page: FeedPage = await readPage(source, cursor, ports);
        // A cursor is stored as JSON.
        cursor = JSON.parse(JSON.stringify(page.cursor)) as FeedCursor;
        onPage(page);
        failures = 0;
      } catch (error) {
        if (!(error instanceof FeedError)) throw error;
        errors.push(error);
        failures += 1;
        if (failures >= MOST_FAILURES) throw error;
      }
      between?.();
    }
    stored = cursor;
  };
  return {
    errors,
    look: () => read(firstCursor(source, stored, 'REPLICATE'), write),
    async reconcile() {
      const listed = new Map<string, { resource: string; key: string; modifiedAt: string | null }>();
      const complete = new Map<string, boolean>();
      await read(firstCursor(source, stored, 'RECONCILE'), ({ keys }) => {
        for (const one of keys?.keys ?? [])
          listed.set(`${keys?.resource} ${one.key}`, { resource: keys?.resource ?? '', ...one });
        if (keys !== undefined && keys.complete !== null) complete.set(keys.resource, keys.complete);
      });
      for (const name of rows.keys())
        if (complete.get(name.split(' ')[0] ?? '') === true && !listed.has(name)) rows.delete(name);
      const missing = [...listed].filter(
        ([name, { modifiedAt }]) => rows.get(name)?.modifiedAt !== modifiedAt,
      );
      expect(missing.length).toBeLessThanOrEqual(MOST_MISSING);
      await read(
        cursorForKeys(
          source,
          stored,
          missing.map(([, one]) => one),
        ),
        write,
      );
      return { complete: [...complete.values()].every(Boolean) };
    },
    has: () => [...rows].map(([name, { modifiedAt, hash }]) => `${name} ${modifiedAt} ${hash}`).sort(),
    close: () => client.close(),
  };
}

/** What the feed has, in the same form. */
export const truthOf = (simulator: FeedSimulator, { deletion }: FeedProfile): string[] =>
  simulator.control
    .truth()
    .filter(({ canView }) => canView || deletion.sign === 'NONE')
    .map(({ resource, key, modifiedAt, hash }) => `${resource} ${key} ${modifiedAt} ${hash}`)
    .sort();

const hashOf = (body: unknown): string =>
  createHash('sha256').update(JSON.stringify(body)).digest('base64url');
