import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MESSAGE_MAIL_MS, MESSAGE_MAILS_PER_HOUR } from '../../../machines/limits.ts';
import { messageMails } from '../../../persistence/messages/message-mails.ts';
import { createDigestMailSender } from '../../../src/mail/digest-mail-sender.ts';
import { createMailSwitches } from '../../../src/mail/mail-switches.ts';
import { createMessageMailSender } from '../../../src/mail/message-mail-sender.ts';
import type { Sweeper } from '../../../supervisors/sweepers/sweeper.ts';
import { eventually } from '../../support/eventually.ts';
import { useApiHost } from '../../support/http/api-host.ts';
import type { Person } from '../../support/http/person.ts';
import { MANUAL_EPOCH as AT } from '../../support/manual-time.ts';
import { sharedStack } from '../../support/platform/stack.ts';
import { openMailPorts } from '../../support/worlds/mail-ports.ts';
import { setClock, type Visit, visit } from '../../support/worlds/tour-visits.ts';

/** Mails about messages that were not read (docs/contract.md#mail). */
const HOUR_MS = 3_600_000;
/** The start of an hour. */
const HOUR = AT - (AT % HOUR_MS) + HOUR_MS;
const clock = setClock();
const host = useApiHost({ overrides: clock.overrides });
let scene: Visit;
beforeEach(async () => {
  clock.at = HOUR;
  await host.rows('delete from message_mails');
  await host.rows('delete from mail_hours');
  scene = await visit(host);
});
const cleanups: Array<() => unknown> = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function open(perRecipientHour = 0) {
  const { sink, ports, close } = await openMailPorts(host, { clock, perRecipientHour });
  cleanups.push(close);
  const run = async (sender: Sweeper, isDone: () => Promise<boolean>) => {
    await sender.start();
    await eventually(isDone, { what: 'the sender' });
    await sender.stop(AbortSignal.timeout(5_000));
  };
  const switches = createMailSwitches(sharedStack().secrets.authSecret);
  return {
    /** Sends what is due, until nothing is. */
    send: () =>
      run(createMessageMailSender({ ...ports, switches }), async () => {
        const due = 'select from message_mails where "nextAttemptAt" <= $1 or attempts > 0';
        return (await host.rows(due, [new Date(clock.at)])).length === 0;
      }),
    digest: () =>
      run(
        createDigestMailSender(ports),
        async () => (await host.rows('select from mail_hours')).length === 0,
      ),
    mailsTo: ({ id }: Person) =>
      sink.mails.filter(({ to }) => to === `${id}@example.com`).map(({ email }) => email),
  };
}

const asks = async (text: string, propertyId = scene.propertyId) =>
  String(
    (await scene.customer.mutate('messages.open', { propertyId, messageId: randomUUID(), text })).data
      .threadId,
  );
const answers = (threadId: string, text: string, by = scene.agent) =>
  by.mutate('messages.send', { threadId, messageId: randomUUID(), text });

test('messages that are not read in two minutes come in one mail to each agent of the listing', async () => {
  const { send, mailsTo } = await open();
  const { agent, colleague, customer, propertyId } = scene;
  await asks('Is the roof new?');
  clock.at += MESSAGE_MAIL_MS - 1;
  await asks('And the windows?');
  await send();
  expect(mailsTo(agent)).toEqual([]);
  clock.at += 1;
  await send();
  for (const reader of [agent, colleague]) {
    const [mail, ...more] = mailsTo(reader);
    expect(more).toEqual([]);
    expect(mail?.subject).toMatch(/^New message about /);
    for (const words of [mail?.text, mail?.html]) {
      expect(words).toContain('Carl Customer');
      expect(words).toContain('sent you 2 messages');
      expect(words).toContain('Is the roof new?');
      expect(words).toContain(`https://homes.example/inbox/${propertyId}/${customer.id}`);
    }
  }
  expect(mailsTo(customer)).toEqual([]);
});

test('a message that is read in time is not mailed, and one after a mail has its own mail', async () => {
  const { send, mailsTo } = await open();
  const { agent, customer } = scene;
  const threadId = await asks('Is the roof new?');
  await answers(threadId, 'From 2019.');
  await agent.mutate('messages.markRead', { threadId, seq: 1 });
  clock.at += MESSAGE_MAIL_MS;
  await send();
  expect(mailsTo(agent)).toEqual([]);
  expect(mailsTo(customer)).toHaveLength(1);
  await answers(threadId, 'With a guarantee.');
  clock.at += MESSAGE_MAIL_MS;
  await send();
  expect(mailsTo(customer).map(({ text }) => text?.includes('With a guarantee.'))).toEqual([false, true]);
});

test('a message that comes while a mail is sent has the next mail to itself', async () => {
  const { send, mailsTo } = await open();
  const { agent, customer } = scene;
  const threadId = await asks('One');
  await answers(threadId, 'Two');
  clock.at += MESSAGE_MAIL_MS;
  const taken = await messageMails.take(host.pool, { at: clock.at, limit: 20 });
  const mail = taken.find(({ userId }) => userId === customer.id);
  await answers(threadId, 'Three');
  await messageMails.remove(host.pool, { threadId, userId: customer.id, seq: mail?.seq ?? 0 });
  for (const one of taken.filter(({ userId }) => userId !== customer.id))
    await messageMails.remove(host.pool, one);
  await send();
  expect(mailsTo(customer)).toEqual([]);
  clock.at += MESSAGE_MAIL_MS;
  await send();
  expect(mailsTo(customer).map(({ text }) => [text?.includes('Two'), text?.includes('Three')])).toEqual([
    [false, true],
  ]);
  expect(mailsTo(agent)).toEqual([]);
});

test('a person who has blocked the other side, muted these mails or lost the listing gets none', async () => {
  const { send, mailsTo } = await open();
  const { agent, colleague, customer, propertyId } = scene;
  const threadId = await asks('One');
  await answers(threadId, 'Two');
  await customer.mutate('messages.block', { threadId, isBlocked: true });
  await answers(threadId, 'Three');
  await agent.mutate('users.updateProfile', { mutedMails: ['MESSAGE_RECEIVED', 'TOUR_CANCELED'] });
  await agent.mutate('properties.unassignAgent', { propertyId, agentId: colleague.id });
  clock.at += MESSAGE_MAIL_MS;
  await send();
  for (const reader of [agent, colleague, customer]) expect(mailsTo(reader)).toEqual([]);
  expect(await host.rows('select from message_mails')).toEqual([]);
  expect((await agent.query('users.getMe')).data.mutedMails.sort()).toEqual([
    'MESSAGE_RECEIVED',
    'TOUR_CANCELED',
  ]);
});

test('one click in a mail ends these mails', async () => {
  const { send, mailsTo } = await open();
  const { agent } = scene;
  await asks('One');
  clock.at += MESSAGE_MAIL_MS;
  await send();
  const link = /<https:\/\/homes\.example([^>]+)>/.exec(
    String(mailsTo(agent)[0]?.headers.find(({ key }) => key === 'list-unsubscribe')?.value),
  )?.[1];
  const form = 'List-Unsubscribe=One-Click';
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  expect((await host.anonymous().send('POST', link ?? '', { body: form, headers })).status).toBeLessThan(300);
  expect((await agent.query('users.getMe')).data.mutedMails).toEqual(['MESSAGE_RECEIVED']);
  await agent.mutate('users.updateProfile', { mutedMails: [] });
  expect((await agent.query('users.getMe')).data.mutedMails).toEqual([]);
});

test('after three mails in an hour the rest comes in one digest, also where mails have no limit', async () => {
  const { send, digest, mailsTo } = await open();
  const { customer } = scene;
  const threadId = await asks('One');
  for (let time = 0; time < MESSAGE_MAILS_PER_HOUR + 2; time += 1) {
    await answers(threadId, `Answer ${time}`);
    clock.at += MESSAGE_MAIL_MS;
    await send();
  }
  expect(mailsTo(customer)).toHaveLength(MESSAGE_MAILS_PER_HOUR);
  clock.at = HOUR + HOUR_MS + 60_000;
  await digest();
  const digests = mailsTo(customer).slice(MESSAGE_MAILS_PER_HOUR);
  expect(digests.map(({ subject }) => subject?.startsWith('2 more updates'))).toEqual([true]);
});

test('is in the language of the reader', async () => {
  const { send, mailsTo } = await open();
  await scene.agent.mutate('users.updateProfile', { locale: 'es' });
  await asks('¿El techo es nuevo?');
  clock.at += MESSAGE_MAIL_MS;
  await send();
  expect(mailsTo(scene.agent)[0]?.subject).toMatch(/^Mensaje nuevo sobre /);
  expect(mailsTo(scene.agent)[0]?.text).toContain('https://homes.example/es/inbox/');
});
