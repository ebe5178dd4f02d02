import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { MESSAGES_PER_DAY, THREADS_PER_DAY } from '../../../../../machines/limits.ts';
import { seedProperty } from '../../../../support/database/seed.ts';
import { useApiHost } from '../../../../support/http/api-host.ts';
import type { Person } from '../../../../support/http/person.ts';
import { setClock, type Visit, visit } from '../../../../support/worlds/tour-visits.ts';

/** docs/contract.md#questions */
const DAY = 86_400_000;
const clock = setClock();
const START = clock.at;
const host = useApiHost({ overrides: clock.overrides });
let scene: Visit;
beforeEach(async () => {
  clock.at = START;
  scene = await visit(host);
});

interface Shown {
  text: string;
  seq: number;
  side: string;
  author: { name: string };
}
const asks = (
  text: string,
  { messageId = randomUUID(), propertyId = scene.propertyId, by = scene.customer } = {},
) => by.mutate('messages.open', { propertyId, messageId, text });
const sends = (by: Person, threadId: string, text: string, messageId: string = randomUUID()) =>
  by.mutate('messages.send', { threadId, messageId, text });
const listFor = (person: Person, more: object = {}) =>
  person.query('messages.list', {
    propertyId: scene.propertyId,
    customerId: scene.customer.id,
    ...more,
  });
const textsFor = async (person: Person, more: object = {}): Promise<string[]> =>
  (await listFor(person, more)).data.items.map(({ text }: Shown) => text);
const unreadFor = async (person: Person): Promise<number> =>
  (await person.query('messages.countUnread')).data.count;
const threadsFor = async (person: Person) => (await person.query('messages.listThreads', {})).data.items;

describe('a thread', () => {
  test('is begun by the customer, is answered by each agent of the listing, and is seen by them alone', async () => {
    const { agent, colleague, customer, propertyId } = scene;
    expect((await listFor(customer)).data).toEqual({ thread: null, items: [], hasMore: false });
    const { threadId } = (await asks('Is the roof new?')).data;
    await sends(agent, threadId, 'From 2019.');
    await sends(colleague, threadId, 'With a guarantee.');
    for (const person of [customer, agent, colleague])
      expect(await textsFor(person)).toEqual(['Is the roof new?', 'From 2019.', 'With a guarantee.']);
    expect((await listFor(customer)).data.thread).toMatchObject({
      threadId,
      propertyId,
      side: 'customer',
      customer: { userId: customer.id, name: 'Carl Customer' },
      lastMessage: { seq: 3, side: 'agent', author: { name: 'Cleo Colleague' } },
    });
    const outsider = await host.signedIn();
    expect((await listFor(outsider)).errorCode).toBe('NOT_FOUND');
    expect((await sends(outsider, threadId, 'Hi')).errorCode).toBe('NOT_FOUND');
    for (const [name, more] of [
      ['markRead', { seq: 1 }],
      ['report', {}],
      ['block', { isBlocked: true }],
    ] as const)
      expect((await outsider.mutate(`messages.${name}`, { threadId, ...more })).errorCode).toBe('NOT_FOUND');
    expect(await threadsFor(outsider)).toEqual([]);
  });

  test('has one row for a customer and listing, also when two questions open it at once', async () => {
    const answers = await Promise.all(['One', 'Two', 'Three'].map((text) => asks(text)));
    expect(new Set(answers.map(({ data }) => data.threadId)).size).toBe(1);
    expect(answers.map(({ data }) => data.seq).sort()).toEqual([1, 2, 3]);
    expect((await threadsFor(scene.agent)).length).toBe(1);
  });

  test('is not begun by an agent of the listing, nor about a home without a public page', async () => {
    expect((await asks('Mine?', { by: scene.agent })).errorCode).toBe('FORBIDDEN');
    const hidden = await seedProperty(host.pool, { standardStatus: 'Incomplete' });
    for (const propertyId of [hidden, randomUUID()])
      expect((await asks('Hello', { propertyId })).errorCode).toBe('NOT_FOUND');
    const nameless = await host.signedIn({ role: 'customer', name: '' });
    expect((await asks('Hello', { by: nameless })).errorCode).toBe('NAME_REQUIRED');
  });

  test('is lost to an agent who is unassigned, at the next call', async () => {
    const { agent, colleague, propertyId } = scene;
    const { threadId } = (await asks('Is the roof new?')).data;
    expect(await textsFor(colleague)).toEqual(['Is the roof new?']);
    await agent.mutate('properties.unassignAgent', { propertyId, agentId: colleague.id });
    expect((await listFor(colleague)).errorCode).toBe('NOT_FOUND');
    expect((await sends(colleague, threadId, 'Wait')).errorCode).toBe('NOT_FOUND');
    expect(await threadsFor(colleague)).toEqual([]);
    expect(await unreadFor(colleague)).toBe(0);
  });
});

describe('a message', () => {
  test('that is repeated is one message, at the same time and days later', async () => {
    const messageId = randomUUID();
    const first = await Promise.all(Array.from({ length: 5 }, () => asks('Once?', { messageId })));
    const { threadId } = first[0]?.data ?? {};
    expect(new Set(first.map(({ text }) => text)).size).toBe(1);
    clock.at += 3 * DAY;
    expect((await asks('Once?', { messageId })).data).toEqual(first[0]?.data);
    const answer = randomUUID();
    for (let time = 0; time < 3; time += 1) await sends(scene.agent, threadId, 'Once.', answer);
    expect(await textsFor(scene.customer)).toEqual(['Once?', 'Once.']);
    expect((await sends(scene.agent, threadId, 'Twice.', answer)).errorCode).toBe('CONFLICT');
    // A name belongs to its author: it takes nothing from the other side.
    expect((await sends(scene.agent, threadId, 'Mine.', messageId)).data.seq).toBe(3);
  });

  test('of several people who write at once has one place, the same for all', async () => {
    const { agent, colleague, customer } = scene;
    const { threadId } = (await asks('0')).data;
    const writers = [agent, colleague, customer];
    await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        sends(writers[index % 3] ?? agent, threadId, String(index + 1)),
      ),
    );
    const seen = await textsFor(agent);
    expect(seen.length).toBe(31);
    for (const person of [colleague, customer]) expect(await textsFor(person)).toEqual(seen);
    const { items } = (await listFor(agent)).data;
    expect(items.map(({ seq }: Shown) => seq)).toEqual(Array.from({ length: 31 }, (_, index) => index + 1));
  });

  test('that comes while a page asks for the next ones is neither left out nor shown twice', async () => {
    const { agent, customer } = scene;
    const { threadId } = (await asks('0')).data;
    const seen: number[] = [];
    const writing = Promise.all(
      Array.from({ length: 20 }, (_, index) => sends(index % 2 ? agent : customer, threadId, `${index}`)),
    );
    let isOver = false;
    void writing.then(() => {
      isOver = true;
    });
    for (let last = false; !last; ) {
      last = isOver;
      const { items } = (await listFor(agent, { after: seen.at(-1) ?? 0, limit: 3 })).data;
      seen.push(...items.map(({ seq }: Shown) => seq));
      if (items.length > 0) last = false;
    }
    expect(seen).toEqual(Array.from({ length: 21 }, (_, index) => index + 1));
  });

  test('is read in pages, the last ones first', async () => {
    const { threadId } = (await asks('1')).data;
    for (const text of ['2', '3', '4', '5']) await sends(scene.customer, threadId, text);
    const page = async (more: object) => {
      const { items, hasMore } = (await listFor(scene.agent, { limit: 2, ...more })).data;
      return [...items.map(({ text }: Shown) => text), hasMore];
    };
    expect(await page({})).toEqual(['4', '5', true]);
    expect(await page({ before: 4 })).toEqual(['2', '3', true]);
    expect(await page({ before: 2 })).toEqual(['1', false]);
    expect(await page({ after: 3 })).toEqual(['4', '5', false]);
    expect((await listFor(scene.agent, { after: 1, before: 3 })).status).toBe(400);
  });

  test('has 1 to 2,000 characters', async () => {
    expect((await asks('')).errorCode).toBe('INVALID_INPUT');
    expect((await asks('x'.repeat(2_001))).errorCode).toBe('INVALID_INPUT');
    expect((await asks('x'.repeat(2_000))).status).toBe(200);
  });
});

describe('limits', () => {
  test('a customer begins 20 threads a day; more messages in them are none', async () => {
    const { customer } = scene;
    const homes = await Promise.all(
      Array.from({ length: THREADS_PER_DAY + 2 }, () =>
        seedProperty(host.pool, { ownerAgentId: scene.agent.id }),
      ),
    );
    const answers = await Promise.all(homes.map((propertyId) => asks('Hello', { propertyId })));
    expect(answers.filter(({ status }) => status === 200).length).toBe(THREADS_PER_DAY);
    for (const { errorCode } of answers.filter(({ status }) => status !== 200))
      expect(errorCode).toBe('QUOTA_REACHED');
    expect((await threadsFor(customer)).length).toBe(THREADS_PER_DAY);
    const opened = homes[answers.findIndex(({ status }) => status === 200)];
    if (opened !== undefined) expect((await asks('And?', { propertyId: opened })).status).toBe(200);
    clock.at += DAY;
    expect((await asks('Hello')).status).toBe(200);
  });

  test('a person writes 500 messages a day', async () => {
    const { customer } = scene;
    const { threadId } = (await asks('Hello')).data;
    await host.rows(`update growth_counts set used = $2 where "userId" = $1 and what = 'messages'`, [
      customer.id,
      MESSAGES_PER_DAY,
    ]);
    expect((await sends(customer, threadId, 'More')).errorCode).toBe('QUOTA_REACHED');
    expect(await textsFor(customer)).toEqual(['Hello']);
  });
});

describe('unread messages', () => {
  test('count for each person of the other side until they are read, together with tours of the thread', async () => {
    const { agent, colleague, customer } = scene;
    const { threadId } = (await asks('One')).data;
    await asks('Two');
    expect([await unreadFor(agent), await unreadFor(colleague), await unreadFor(customer)]).toEqual([
      1, 1, 0,
    ]);
    expect((await listFor(agent)).data.thread.unread).toBe(2);
    await agent.mutate('messages.markRead', { threadId, seq: 1 });
    expect((await listFor(agent)).data.thread.unread).toBe(1);
    await agent.mutate('messages.markRead', { threadId, seq: 900 });
    await agent.mutate('messages.markRead', { threadId, seq: 1 });
    expect([await unreadFor(agent), await unreadFor(colleague)]).toEqual([0, 1]);
    // What is read is never more than there is.
    await asks('Three');
    expect(await unreadFor(agent)).toBe(1);
    await scene.request();
    expect(await unreadFor(agent)).toBe(1);
  });
});

describe('a block', () => {
  test('shows the other side nothing and keeps its messages away', async () => {
    const { agent, colleague, customer } = scene;
    const { threadId } = (await asks('One')).data;
    const before = (await listFor(customer)).data.thread;
    await agent.mutate('messages.block', { threadId, isBlocked: true });
    const answer = await sends(customer, threadId, 'Two');
    expect(answer.status).toBe(200);
    expect((await asks('Three')).status).toBe(200);
    expect(await textsFor(customer)).toEqual(['One', 'Two', 'Three']);
    const after = (await listFor(customer)).data.thread;
    expect({ ...after, lastMessage: null, changedAt: null }).toEqual({
      ...before,
      lastMessage: null,
      changedAt: null,
    });
    for (const person of [agent, colleague]) {
      expect(await textsFor(person)).toEqual(['One']);
      expect((await listFor(person)).data.thread).toMatchObject({ isBlocked: true, unread: 1 });
    }
    expect((await sends(agent, threadId, 'Stop')).errorCode).toBe('THREAD_CLOSED');
    await agent.mutate('messages.block', { threadId, isBlocked: false });
    await sends(customer, threadId, 'Four');
    expect(await textsFor(agent)).toEqual(['One', 'Four']);
    expect(await textsFor(customer)).toEqual(['One', 'Two', 'Three', 'Four']);
  });

  test('of a customer keeps the agents’ messages away', async () => {
    const { agent, customer } = scene;
    const { threadId } = (await asks('One')).data;
    await customer.mutate('messages.block', { threadId, isBlocked: true });
    expect((await sends(agent, threadId, 'Two')).status).toBe(200);
    expect(await textsFor(customer)).toEqual(['One']);
    expect(await textsFor(agent)).toEqual(['One', 'Two']);
    expect(await unreadFor(customer)).toBe(0);
    expect((await listFor(agent)).data.thread.isBlocked).toBe(false);
  });

  test('of an agent holds for all listings of the agent, also those that the customer asks about later', async () => {
    const { agent, customer } = scene;
    const [second, third] = await Promise.all([
      seedProperty(host.pool, { ownerAgentId: agent.id }),
      seedProperty(host.pool, { ownerAgentId: agent.id }),
    ]);
    await asks('Hello', { propertyId: second });
    const { threadId } = (await asks('Hello')).data;
    await agent.mutate('messages.block', { threadId, isBlocked: true });
    for (const propertyId of [second, third]) expect((await asks('Again', { propertyId })).status).toBe(200);
    const held = (propertyId: string) =>
      agent.query('messages.list', { propertyId, customerId: customer.id });
    expect((await held(second)).data.items.map(({ text }: Shown) => text)).toEqual(['Hello']);
    expect((await held(third)).data.items).toEqual([]);
    const elsewhere = await seedProperty(host.pool, { ownerAgentId: (await host.signedIn()).id });
    await asks('Hello', { propertyId: elsewhere });
    expect(
      await host.rows('select 1 from messages where "isHeld" and "authorId" = $1', [customer.id]),
    ).toHaveLength(2);
  });
});

describe('a report', () => {
  test('is kept once until something new is in the thread', async () => {
    const { agent } = scene;
    const { threadId } = (await asks('Rude words')).data;
    const report = () => agent.mutate('messages.report', { threadId, note: 'Rude.' });
    await Promise.all([report(), report()]);
    const reports = () =>
      host.rows('select note, seq from message_reports where "threadId" = $1 order by seq', [threadId]);
    expect(await reports()).toEqual([{ note: 'Rude.', seq: 1 }]);
    await asks('More');
    await report();
    expect(await reports()).toHaveLength(2);
  });
});

describe('figures', () => {
  test('count the threads of the day', async () => {
    const { agent, propertyId } = scene;
    await asks('One');
    await asks('Two');
    const { days } = (await agent.query('properties.getFigures', { propertyId, days: 7 })).data;
    expect(days.map(({ questions }: { questions: number }) => questions)).toEqual([0, 0, 0, 0, 0, 0, 1]);
  });
});
