import { afterEach, beforeEach, expect, test } from 'vitest';
import { createDigestMailSender } from '../../../src/mail/digest-mail-sender.ts';
import type { MailPorts } from '../../../src/mail/mail-sender.ts';
import { createTourMailSender } from '../../../src/mail/tour-mail-sender.ts';
import { eventually } from '../../support/eventually.ts';
import { useApiHost } from '../../support/http/api-host.ts';
import type { Person } from '../../support/http/person.ts';
import { TOUR_SLOTS } from '../../support/machines/event-catalogues.ts';
import { MANUAL_EPOCH as AT } from '../../support/manual-time.ts';
import { openMailPorts } from '../../support/worlds/mail-ports.ts';
import { setClock, type Visit, visit } from '../../support/worlds/tour-visits.ts';

/** How many mails one person gets in an hour, and the digest of what came beyond. */
const HOUR_MS = 3_600_000;
/** The start of an hour. */
const HOUR = AT - (AT % HOUR_MS) + HOUR_MS;
const LIMIT = 3;
const clock = setClock();
const host = useApiHost({ overrides: clock.overrides });
beforeEach(async () => {
  clock.at = HOUR;
  await host.rows('delete from tour_mails');
  await host.rows('delete from mail_hours');
});
const cleanups: Array<() => unknown> = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function open() {
  const { sink, ports, problems, close } = await openMailPorts(host, { clock, perRecipientHour: LIMIT });
  cleanups.push(close);
  /** Runs a sender until it has done what the test waits for. */
  const run = async (
    create: (ports: MailPorts) => ReturnType<typeof createTourMailSender>,
    isDone: () => boolean | Promise<boolean>,
  ) => {
    const sender = create(ports);
    await sender.start();
    await eventually(isDone, { what: 'the sender' });
    await sender.stop(AbortSignal.timeout(5_000));
  };
  const mailsTo = ({ id }: Person) =>
    sink.mails.filter(({ to }) => to === `${id}@example.com`).map(({ email }) => email);
  return {
    sink,
    problems,
    mailsTo,
    sendMails: (
      isDone: () => boolean | Promise<boolean> = async () =>
        (await host.rows('select from tour_mails')).length === 0,
    ) => run(createTourMailSender, isDone),
    sendDigests: (isDone: () => boolean | Promise<boolean> = async () => (await held()).length === 0) =>
      run(createDigestMailSender, isDone),
  };
}

/** So many requests of tours, each canceled at once: two mails to the agent for each. */
async function circle({ customer, request }: Visit, times: number): Promise<void> {
  for (let round = 0; round < times; round += 1) {
    const { tourId, version } = (await request([TOUR_SLOTS.first])).data;
    const canceled = await customer.mutate('tours.cancel', { tourId, expectedVersion: version });
    expect(canceled.status).toBe(200);
  }
}

const held = () => host.rows('select sent, held from mail_hours');

test('beyond the limit of an hour the changes come in one digest, when the hour is over', async () => {
  const { sink, mailsTo, sendMails, sendDigests } = await open();
  const scene = await visit(host, { city: 'Seattle', unitNumber: '4B' });
  await scene.agent.mutate('users.updateProfile', { locale: 'es' });
  await circle(scene, 4);
  await sendMails();
  expect(mailsTo(scene.agent)).toHaveLength(LIMIT);
  expect(await held()).toEqual([{ sent: LIMIT, held: 5 }]);

  // A row of the hour before, which goes with the first look: the new hour's digest is not due.
  await host.rows(`insert into mail_hours ("userId", hour, sent, "nextAttemptAt") values ($1, $2, 1, $2)`, [
    scene.customer.id,
    new Date(HOUR - HOUR_MS),
  ]);
  await sendDigests(async () => (await held()).length === 1);
  expect(mailsTo(scene.agent)).toHaveLength(LIMIT);
  clock.at = HOUR + HOUR_MS + 60_000;
  await sendDigests();
  const [digest, ...more] = mailsTo(scene.agent).slice(LIMIT);
  expect(more).toEqual([]);
  expect(digest?.subject).toBe('5 novedades más en Proscenium');
  const lines = (digest?.text ?? '').match(/^- .+$/gm) ?? [];
  expect(lines).toHaveLength(5);
  for (const line of lines) expect(line).toMatch(/^- 1 Test Lane #4B, Seattle: .*visita/);
  expect(digest?.html).toContain(
    `<li><a href="https://homes.example/es/inbox/${scene.propertyId}/${scene.customer.id}">`,
  );
  expect(digest?.text).toContain('https://homes.example/es/inbox');
  expect(await held()).toEqual([]);

  // The next hour has its whole limit, and a digest is not among its mails.
  await circle(scene, 1);
  await sendMails();
  expect(mailsTo(scene.agent)).toHaveLength(LIMIT + 1 + 2);
  expect(sink.mails).toHaveLength(LIMIT + 1 + 2);
});

test('a digest names twenty changes and counts the others', async () => {
  const { mailsTo, sendMails, sendDigests } = await open();
  const scene = await visit(host, { city: 'Seattle' });
  await circle(scene, 13);
  await sendMails();
  clock.at = HOUR + HOUR_MS + 60_000;
  await sendDigests();
  const digest = mailsTo(scene.agent).at(-1);
  expect(digest?.subject).toBe('23 more updates on Proscenium');
  expect((digest?.text ?? '').match(/^- .*Test Lane/gm)).toHaveLength(20);
  expect(digest?.text).toContain('- and 3 more');
});

test('an hour within the limit has no digest, and another person’s mails are not counted', async () => {
  const { sink, mailsTo, sendMails, sendDigests } = await open();
  const scene = await visit(host);
  const other = await visit(host);
  await circle(scene, 1);
  await circle(other, 1);
  await sendMails();
  expect([mailsTo(scene.agent).length, mailsTo(other.agent).length]).toEqual([2, 2]);
  clock.at = HOUR + HOUR_MS + 60_000;
  await sendDigests();
  expect(sink.mails).toHaveLength(4);
  expect(await held()).toEqual([]);
});

test('a mail that the server refuses uses up nothing', async () => {
  const { sink, problems, mailsTo, sendMails } = await open();
  const scene = await visit(host);
  await circle(scene, 1);
  sink.mode.refuse = true;
  await sendMails(() => problems.length === 2);
  expect(problems).toEqual(Array(2).fill('a mail about a tour was not sent yet'));
  expect(await held()).toEqual([{ sent: 0, held: 0 }]);
  sink.mode.refuse = false;
  clock.at += 60_000;
  await sendMails();
  expect(mailsTo(scene.agent)).toHaveLength(2);
  expect(await held()).toEqual([{ sent: 2, held: 0 }]);
});

test('a digest that the server refuses comes later, once', async () => {
  const { sink, problems, mailsTo, sendMails, sendDigests } = await open();
  const scene = await visit(host);
  await circle(scene, 2);
  await sendMails();
  clock.at = HOUR + HOUR_MS + 60_000;
  sink.mode.refuse = true;
  await sendDigests(() => problems.length === 1);
  expect(await held()).toEqual([{ sent: LIMIT, held: 1 }]);
  sink.mode.refuse = false;
  clock.at += 60_000;
  await sendDigests();
  expect(mailsTo(scene.agent)).toHaveLength(LIMIT + 1);
  expect(await held()).toEqual([]);
});

test('a deleted account gets no digest', async () => {
  const { sink, sendMails, sendDigests } = await open();
  const scene = await visit(host);
  await circle(scene, 2);
  await sendMails();
  expect(sink.mails).toHaveLength(LIMIT);
  await host.rows(
    `update "user" set email = null, name = '', "emailVerified" = false, role = 'customer', phone = null,
       "licenseNumber" = null, "officeName" = null, "createdAt" = 'epoch', "updatedAt" = 'epoch' where id = $1`,
    [scene.agent.id],
  );
  clock.at = HOUR + HOUR_MS + 60_000;
  await sendDigests();
  expect(sink.mails).toHaveLength(LIMIT);
  expect(await held()).toEqual([]);
});
