import { createHash } from 'node:crypto';
import { BadQuery, type Field, type Predicate } from './filter.ts';
import { type Body, type Drawing, drawMedia, drawRecord, KEY, keyOf, type Resource } from './listings.ts';

/** A record: drawn from the seed when it is read, with the fields that were set. Micros: its ModificationTimestamp. */
export interface Stored {
  readonly resource: Resource;
  readonly key: string;
  readonly index: number | null;
  readonly edits: Body;
  readonly micros: bigint;
}
export interface StoredEvent {
  readonly seq: number;
  readonly resource: string;
  readonly key: string;
}
/** A record as a reader must have it. */
export interface TrueRecord {
  readonly resource: string;
  readonly key: string;
  readonly modifiedAt: string;
  readonly hash: string;
  /** False: the feed has it only to say that it has left. */
  readonly canView: boolean;
}

export interface StoreOptions extends Drawing {
  readonly listings: number;
  /** Milliseconds. */
  now(): number;
  /** The times of records are answered with milliseconds only. */
  cutsDigits(): boolean;
  /** Changes become visible by `commit`. */
  commitsLate(): boolean;
}

export type FeedStore = ReturnType<typeof createFeedStore>;
/** Between the times of the records that are there at the beginning. */
const SPACING_MS = 60_000;
const RESOURCES = ['Property', 'Member', 'Office', 'OpenHouse'] as const;

/** All records of a feed, its events, and the changes that are not visible yet. */
export function createFeedStore(options: StoreOptions) {
  const records = new Map<Resource, Map<string, Stored>>(RESOURCES.map((one) => [one, new Map()]));
  const orders = new Map<string, Stored[]>();
  let events: StoredEvent[] = [];
  let seq = 0;
  let lastMicros = 0n;
  let late: (() => void)[] = [];

  const tick = (): bigint => {
    const micros = BigInt(options.now()) * 1000n;
    lastMicros = micros > lastMicros ? micros : lastMicros + 1000n;
    return lastMicros;
  };
  const tableOf = (resource: string): Map<string, Stored> => {
    const table = records.get(resource as Resource);
    if (table === undefined) throw new BadQuery(`no resource ${resource}`);
    return table;
  };
  /** The number and the time are given now; what becomes visible later is all of it. */
  const change = (resource: Resource, key: string, apply: () => void) => {
    seq += 1 + (seq % 7 === 0 ? 1 : 0);
    const event = { seq, resource, key };
    const make = () => {
      apply();
      events.push(event);
      events.sort((one, other) => one.seq - other.seq);
      orders.clear();
    };
    if (options.commitsLate()) late.push(make);
    else make();
  };
  const put = (record: Stored) => tableOf(record.resource).set(record.key, record);

  const generate = (resource: Resource, count: number) => {
    const start = options.now() - (count + 1) * SPACING_MS;
    for (let index = 0; index < count; index += 1) {
      const key = keyOf(options, resource, index);
      put({ resource, key, index, edits: {}, micros: BigInt(start + index * SPACING_MS) * 1000n });
      seq += 1;
      events.push({ seq, resource, key });
    }
    orders.clear();
  };
  generate('Office', 5);
  generate('Member', 20);
  generate('Property', options.listings);
  generate('OpenHouse', Math.min(3, options.listings));

  const store = {
    /** Creates or changes a record; it gets the time, or the next millisecond after the newest one. */
    set(resource: Resource, key: string, fields: Body, micros = tick()) {
      change(resource, key, () => {
        const before = tableOf(resource).get(key);
        put({ resource, key, index: before?.index ?? null, edits: { ...before?.edits, ...fields }, micros });
      });
    },
    remove(resource: Resource, key: string) {
      change(resource, key, () => tableOf(resource).delete(key));
    },
    /** All listings, or so many of them, get one time; with `spread` one millisecond, at different microseconds. */
    touchAll(most = Number.POSITIVE_INFINITY, fields: Body = {}, spread = false) {
      const micros = tick();
      const touched = [...tableOf('Property').values()].slice(0, most);
      for (const [index, { key }] of touched.entries())
        store.set('Property', key, fields, spread ? micros + BigInt(index % 1_000) : micros);
    },
    /** Makes late changes visible, the last one first. */
    commit() {
      const waiting = late.reverse();
      late = [];
      for (const make of waiting) make();
    },
    keys: (resource: Resource): string[] => [...tableOf(resource).keys()],
    get: (resource: string, key: string): Stored | undefined => tableOf(resource).get(key),
    events: (): readonly StoredEvent[] => events,
    /** Keeps only the newest events, as feeds do. */
    forgetEvents(kept: number) {
      events = events.slice(-kept);
    },
    time: (micros: bigint): string => timeOf(micros, options.cutsDigits() ? 3 : 6),
    body: (record: Stored, expand: boolean): Body => bodyOf(options, record, expand),
    /** Rows in an order, with what their filter says. */
    rows: (resource: string, orderBy: string, filter: Predicate | null): Stored[] => {
      const rows = ordered(resource, orderBy);
      return filter === null ? rows : rows.filter((record) => filter(fieldsOf(options, record)));
    },
    truth: (): TrueRecord[] =>
      RESOURCES.flatMap((resource) => [...tableOf(resource).values()].map((record) => trueRecord(record))),
  };
  const trueRecord = (record: Stored): TrueRecord => {
    const body = bodyOf(options, record, record.resource === 'Property');
    return {
      resource: record.resource,
      key: record.key,
      modifiedAt: String(body.ModificationTimestamp),
      hash: createHash('sha256').update(JSON.stringify(body)).digest('base64url'),
      canView: body.MlgCanView !== false,
    };
  };
  const ordered = (resource: string, orderBy: string): Stored[] => {
    const name = `${resource} ${orderBy}`;
    let rows = orders.get(name);
    if (rows === undefined) {
      rows = [...tableOf(resource).values()].sort(orderOf(resource, orderBy));
      orders.set(name, rows);
    }
    return rows;
  };
  return store;
}

/** Keys in the order of bytes; without an order, in the order of time, as the reference server has them. */
function orderOf(resource: string, orderBy: string): (one: Stored, other: Stored) => number {
  const terms = (orderBy === '' ? 'ModificationTimestamp asc' : orderBy).split(',').map((term) => {
    const [field, direction = 'asc'] = term.trim().split(' ');
    if (field !== 'ModificationTimestamp' && field !== KEY[resource])
      throw new BadQuery(`no order by ${field}`);
    return { isTime: field === 'ModificationTimestamp', sign: direction === 'desc' ? -1 : 1 };
  });
  return (one, other) => {
    for (const { isTime, sign } of terms) {
      const [left, right] = isTime ? [one.micros, other.micros] : [one.key, other.key];
      if (left !== right) return left < right ? -sign : sign;
    }
    return 0;
  };
}

function fieldsOf(options: StoreOptions, record: Stored): Field {
  return (name) => {
    if (name === KEY[record.resource]) return record.key;
    if (name === 'ModificationTimestamp') return timeOf(record.micros, 6);
    if (name === 'OriginatingSystemName') return options.system;
    return bodyOf(options, record, false)[name];
  };
}

function bodyOf(options: StoreOptions, record: Stored, expand: boolean): Body {
  const { resource, key, index, edits, micros } = record;
  const modified = timeOf(micros, options.cutsDigits() ? 3 : 6);
  const drawn = drawRecord(options, resource, index ?? 1_000_000);
  const { Media = drawMedia(options, key, '2026-05-01T12:00:00Z'), ...fields } = { ...drawn, ...edits };
  return {
    [KEY[resource] as string]: key,
    ModificationTimestamp: modified,
    MlgCanView: true,
    ...fields,
    ...(expand && resource === 'Property' && { Media }),
  };
}

/** Without more digits than it has, but at least milliseconds. */
function timeOf(micros: bigint, digits: 3 | 6): string {
  const iso = new Date(Number(micros / 1000n)).toISOString();
  const rest = micros % 1000n;
  return digits === 3 || rest === 0n ? iso : `${iso.slice(0, -1)}${String(rest).padStart(3, '0')}Z`;
}
