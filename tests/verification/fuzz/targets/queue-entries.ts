import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect } from 'vitest';
import { drainEntry, jobEntry, searchEntry } from '../../../../src/queues/consumer.ts';
import { DESCRIBE_LISTING_ENTRY, STAGE_ROOM_ENTRY } from '../../../../src/queues/names.ts';
import { eventually } from '../../../support/eventually.ts';
import { defineTarget } from '../target.ts';
import { hostileText, hostileValue } from '../values/hostile-values.ts';
import { mutated } from '../values/mutated.ts';
import { isWritable, toJsonText } from '../values/raw-json.ts';
import { stageRoomMessages } from '../values/stage-room-messages.ts';
import { type ConsumedQueue, QUEUE_NAMES, type QueueName, type QueueWorld } from '../worlds/queue-world.ts';

interface Entry {
  readonly name: string;
  readonly data: unknown;
  readonly timestamp: number;
  readonly attempts: number;
}
interface FuzzInput {
  readonly name: QueueName;
  readonly entries: readonly Entry[];
}

/** The names and payloads of a queue's ordinary entries. */
interface Ordinary {
  readonly name: string;
  readonly data: () => object;
  readonly payload: typeof jobEntry | typeof searchEntry | typeof drainEntry;
}
const ORDINARY: Record<QueueName, Ordinary> = {
  staging: { name: STAGE_ROOM_ENTRY, data: () => ({ aiJobId: randomUUID() }), payload: jobEntry },
  search: { name: 'rebuild-document', data: () => ({ propertyId: randomUUID() }), payload: searchEntry },
  storage: { name: 'drain-deletion-outbox', data: () => ({ number: randomUUID() }), payload: drainEntry },
  ai: { name: DESCRIBE_LISTING_ENTRY, data: () => ({ aiJobId: randomUUID() }), payload: jobEntry },
};
const SECRET = 'r8_planted_in_an_entry';

/** Entries of every queue, in a store to which other programs write as well. */
export const queueEntries = defineTarget<QueueWorld, FuzzInput>({
  name: 'queue-entries',
  about: 'entries of every queue, messages of the old release among them',
  runs: 60,
  mustSee: [...QUEUE_NAMES],
  input: ({ imageIds }) => {
    const sound = fc.oneof(
      stageRoomMessages(imageIds),
      fc.record({ aiJobId: fc.uuid() }),
      fc.record({ propertyId: fc.uuid() }),
    );
    const entry = fc.record({
      name: fc.oneof(
        { arbitrary: fc.constantFrom(STAGE_ROOM_ENTRY, DESCRIBE_LISTING_ENTRY), weight: 6 },
        { arbitrary: hostileText.filter((text) => text !== '' && text.length < 300), weight: 1 },
      ),
      data: fc
        .oneof(
          { arbitrary: sound, weight: 2 },
          { arbitrary: mutated(sound), weight: 4 },
          { arbitrary: hostileValue, weight: 1 },
        )
        .map(readable),
      timestamp: fc.oneof(
        { arbitrary: fc.constant(1_700_000_000_000), weight: 4 },
        fc.constantFrom(0, -1, 1e18, 8.64e15 + 1, 0.5),
      ),
      attempts: fc.constantFrom(1, 5),
    });
    return fc.record({
      name: fc.constantFrom(...QUEUE_NAMES),
      entries: fc.array(entry, { minLength: 1, maxLength: 6 }),
    });
  },
  async feed({ name, entries }, world) {
    const { queue, handled } = world.queues[name];
    const ordinary = ORDINARY[name];
    const data = ordinary.data();
    handled.length = 0;
    world.reporter.problems.length = 0;
    world.lines.length = 0;
    // What one run leaves must not count as a failure of the next, smaller one.
    await queue.drain(true);
    for (const entry of entries) {
      const { timestamp, attempts } = entry;
      const options = { timestamp, attempts, removeOnComplete: true, removeOnFail: true };
      await queue.add(entry.name, { ...asObject(entry.data), secret: SECRET }, options);
    }
    await queue.add(ordinary.name, data, { removeOnComplete: true });
    await settled(world.queues[name]);
    expect(handled.map(toJsonText), 'the ordinary entry behind them').toContain(toJsonText(data));
    for (const one of handled) expect(ordinary.payload.safeParse(one).success).toBe(true);
    await checkQuarantined(world.queues[name], name, entries);
    if (name !== 'ai') checkReported(world, ordinary.payload, entries);
    const said = `${toJsonText(world.reporter.problems.map(({ what, error, fields }) => [what, String(error), fields]))} ${world.lines.join()}`;
    expect(said).not.toContain(SECRET);
    return name;
  },
});

/** Every entry left the queue, was quarantined, or waits; with all services available none may wait. */
async function settled({ queue }: ConsumedQueue): Promise<void> {
  await eventually(
    async () => {
      const counts = await queue.getJobCounts('wait', 'active', 'prioritized');
      return Object.values(counts).every((count) => count === 0);
    },
    { what: 'the queue to be worked off', timeoutMs: 20_000, intervalMs: 5 },
  );
  expect(await queue.getDelayedCount(), 'entries that wait for nothing').toBe(0);
}

/** Only on `ai` an entry is the only record of a request. */
async function checkQuarantined(
  { queue }: ConsumedQueue,
  name: QueueName,
  entries: readonly Entry[],
): Promise<void> {
  const failed = await queue.getFailed();
  if (name !== 'ai') return expect(failed.map(({ failedReason }) => failedReason)).toEqual([]);
  const unknownNames = entries.filter(
    (entry) => entry.name !== STAGE_ROOM_ENTRY && entry.name !== DESCRIBE_LISTING_ENTRY,
  );
  expect(failed.length).toBeGreaterThanOrEqual(unknownNames.length);
  for (const { failedReason } of failed) expect(failedReason).not.toContain(SECRET);
  await queue.clean(0, 0, 'failed');
}

/** Every dropped entry is logged. */
function checkReported(world: QueueWorld, payload: Ordinary['payload'], entries: readonly Entry[]): void {
  const odd = entries.filter(({ data }) => !payload.safeParse({ ...asObject(data), secret: SECRET }).success);
  const dropped = world.reporter.problems.filter(({ what }) => what.includes('is dropped'));
  expect(dropped.length).toBe(odd.length);
}

const asObject = (value: unknown): object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : { value };

/** An entry that a producer can write, in the form in which it is read. */
function readable(value: unknown): unknown {
  const text = toJsonText(value);
  return isWritable(text) ? JSON.parse(text) : {};
}
