import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { TourSlot } from '../../../machines/tour-slots.ts';
import { createTourMailSender } from '../../../src/mail/tour-mail-sender.ts';
import { ownSite } from '../../../src/site/read-site.ts';
import { seedOriginal, seedVariant } from '../../support/database/seed.ts';
import { eventually } from '../../support/eventually.ts';
import { useApiHost } from '../../support/http/api-host.ts';
import type { Person } from '../../support/http/person.ts';
import type { openSmtpSink } from '../../support/http/smtp-sink.ts';
import { TOUR_SLOTS } from '../../support/machines/event-catalogues.ts';
import { MANUAL_EPOCH as AT } from '../../support/manual-time.ts';
import { openMailPorts } from '../../support/worlds/mail-ports.ts';
import { setClock, type Visit, visit, wire } from '../../support/worlds/tour-visits.ts';

/** The mails that the other side of a tour gets, from the call of a procedure to the mail server. */
const clock = setClock();
const host = useApiHost({ overrides: clock.overrides });
beforeEach(async () => {
  clock.at = AT;
  await host.rows('delete from tour_mails');
});

const cleanups: Array<() => unknown> = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const { first, second } = TOUR_SLOTS;
const ORIGIN = 'https://homes.example';
const waiting = async (): Promise<number> =>
  (await host.rows<{ count: number }>('select count(*)::int as count from tour_mails'))[0]?.count ?? 0;

/** A mail server and a sender that looks at the rows every few milliseconds. */
async function open() {
  const { sink, ports, problems, close } = await openMailPorts(host, { clock });
  const start = async () => {
    const sender = createTourMailSender(ports);
    await sender.start();
    cleanups.push(() => sender.stop(AbortSignal.timeout(5_000)));
  };
  cleanups.push(close);
  return { sink, problems, start };
}

const addressOf = async ({ id }: Person): Promise<string> =>
  (await host.rows<{ email: string }>('select email from "user" where id = $1', [id]))[0]?.email ?? '';
const mailsTo = async (sink: Awaited<ReturnType<typeof openSmtpSink>>, who: Person) => {
  const address = await addressOf(who);
  return sink.mails.filter(({ to }) => to === address).map(({ email }) => email);
};
const sent = () => eventually(async () => (await waiting()) === 0, { what: 'all mails to be settled' });
const requested = async (scene: Visit, slots: TourSlot[] = [first, second], more = {}): Promise<string> =>
  (await scene.request(slots, more)).data.tourId;

describe('the other side is mailed', () => {
  test('the agent of a request; the customer, in Spanish and with a calendar entry, of its confirmation', async () => {
    const { sink, start } = await open();
    const scene = await visit(host, { propertyTimeZoneName: 'America/Los_Angeles', city: 'Seattle' });
    const photo = await seedOriginal(host.pool, { propertyId: scene.propertyId });
    await seedVariant(host.pool, photo);
    const thread = `inbox/${scene.propertyId}/${scene.customer.id}`;
    await scene.customer.mutate('users.updateProfile', { locale: 'es' });
    const tourId = await requested(scene, [first, second], { note: 'With <b>two</b> dogs.' });
    await start();
    await sent();
    const [request, ...others] = await mailsTo(sink, scene.agent);
    expect(others).toEqual([]);
    expect(await mailsTo(sink, scene.customer)).toEqual([]);
    expect(request?.subject).toBe('Tour requested: 1 Test Lane, Seattle');
    expect(request?.text).toContain('With <b>two</b> dogs.');
    expect(request?.html).toContain('With &lt;b&gt;two&lt;/b&gt; dogs.');
    expect(request?.text).toMatch(/\b(?:PST|PDT)\b/);
    expect(request?.text).toContain('Carl Customer:\nWith <b>two</b> dogs.');
    expect(request?.text).toContain(`View the tour and reply: ${ORIGIN}/${thread}`);
    expect(request?.text).toContain(ownSite().legalName);
    // One button, a photo that everyone may see with its words, nothing else to load, and no list to leave.
    expect(request?.html?.match(/class="mail-button" href="[^"]+"/g)).toEqual([
      `class="mail-button" href="${ORIGIN}/${thread}"`,
    ]);
    expect(request?.html?.match(/ src="[^"]+" alt="[^"]+"/g)).toEqual([
      ` src="${ORIGIN}/api/images/${photo.imageId}?w=768" alt="Photo of 1 Test Lane, Seattle"`,
    ]);
    expect(request?.headers.map(({ key }) => key)).not.toContain('list-unsubscribe');
    expect(request?.attachments).toEqual([]);

    await scene.agent.mutate('tours.confirm', { tourId, expectedVersion: 1, startsAt: wire(first).startsAt });
    await sent();
    await eventually(async () => (await mailsTo(sink, scene.customer)).length === 1, {
      what: 'the confirmation',
    });
    const [confirmation] = await mailsTo(sink, scene.customer);
    expect(confirmation?.subject).toBe('Visita confirmada: 1 Test Lane, Seattle');
    expect(confirmation?.text).toContain(`${ORIGIN}/es/${thread}`);
    const [entry] = confirmation?.attachments ?? [];
    expect(entry).toMatchObject({ filename: 'tour.ics', mimeType: 'text/calendar', method: 'PUBLISH' });
    const calendar = new TextDecoder().decode(entry?.content as ArrayBuffer).replaceAll(/\r?\n /g, '');
    expect(calendar).toContain(`UID:${tourId}@homes.example`);
    expect(calendar).toContain('STATUS:CONFIRMED');
    expect(calendar).toContain(`URL:${ORIGIN}/es/${thread}`);
    const [, own, ...more] = await mailsTo(sink, scene.agent);
    expect(more).toEqual([]);
    expect(own?.subject).toBe('Tour confirmed: 1 Test Lane, Seattle');
    expect(own?.text).toContain('Your tour with Carl Customer is confirmed');
    expect(own?.attachments).toMatchObject([{ filename: 'tour.ics', method: 'PUBLISH' }]);
  });

  test('both sides of a tour that confirms by itself, with the unit of the home and in no one’s name', async () => {
    const { sink, start } = await open();
    const scene = await visit(host, { autoConfirmTours: true, city: 'Seattle', unitNumber: '4B' });
    await requested(scene, [first]);
    await start();
    await sent();
    await eventually(() => sink.mails.length === 2, { what: 'two mails' });
    for (const who of [scene.agent, scene.customer]) {
      const [mail, ...more] = await mailsTo(sink, who);
      expect(more).toEqual([]);
      expect(mail?.subject).toBe('Tour confirmed: 1 Test Lane #4B, Seattle');
      expect(mail?.text).toMatch(/^Your tour with .+ is confirmed$/m);
      expect(mail?.attachments).toMatchObject([{ filename: 'tour.ics', method: 'PUBLISH' }]);
    }
  });

  test('of a canceled tour, with a file that removes the entry from the reader’s calendar', async () => {
    const { sink, start } = await open();
    const scene = await visit(host, { autoConfirmTours: true, city: 'Seattle' });
    const tourId = await requested(scene, [first]);
    await scene.agent.mutate('tours.cancel', { tourId, expectedVersion: 1 });
    await start();
    await sent();
    const canceled = async () =>
      (await mailsTo(sink, scene.customer)).find(({ subject }) => subject?.startsWith('Tour canceled'));
    await eventually(async () => (await canceled()) !== undefined, { what: 'the cancellation' });
    const [file] = (await canceled())?.attachments ?? [];
    expect(file).toMatchObject({ mimeType: 'text/calendar', method: 'CANCEL' });
    const text = new TextDecoder().decode(file?.content as ArrayBuffer).replaceAll('\r\n ', '');
    expect(text).toContain(`ATTENDEE:mailto:${await addressOf(scene.customer)}`);
  });

  test('of a proposal, a refusal and a cancellation; both of a listing that left the market', async () => {
    const { sink, start } = await open();
    await start();
    const scene = await visit(host, { city: 'Seattle' });
    const tourId = await requested(scene, [first]);
    await scene.agent.mutate('tours.proposeReschedule', {
      tourId,
      expectedVersion: 1,
      slots: [wire(second)],
    });
    await scene.customer.mutate('tours.cancel', { tourId, expectedVersion: 2 });
    const other = await visit(host, { city: 'Seattle' });
    await requested(other, [first]);
    await host.rows(`update properties set "standardStatus" = 'Withdrawn' where id = $1`, [other.propertyId]);
    // The trigger that cancels tours takes the database's time.
    clock.at = Date.now() + 60_000;
    const subjects = async (who: Person) =>
      (await mailsTo(sink, who)).map(({ subject }) => subject?.split(':')[0]).toSorted();
    await eventually(() => sink.mails.length === 6, { what: 'six mails' });
    await sent();
    expect(await subjects(scene.agent)).toEqual(['Tour canceled', 'Tour requested']);
    expect(await subjects(scene.customer)).toEqual(['New time proposed for your tour']);
    expect(await subjects(other.agent)).toEqual(['Tour canceled', 'Tour requested']);
    expect(await subjects(other.customer)).toEqual(['Tour canceled']);
  });
});

test('a kind that a person switched off is not sent, and the others are', async () => {
  const { sink, start } = await open();
  const scene = await visit(host, { city: 'Seattle' });
  await scene.agent.mutate('users.updateProfile', { mutedMails: ['TOUR_REQUESTED'] });
  const tourId = await requested(scene);
  await scene.customer.mutate('tours.cancel', { tourId, expectedVersion: 1 });
  await start();
  await sent();
  expect((await mailsTo(sink, scene.agent)).map(({ subject }) => subject)).toEqual([
    'Tour canceled: 1 Test Lane, Seattle',
  ]);
});

test('a deleted account is mailed nothing', async () => {
  const { sink, start } = await open();
  const scene = await visit(host);
  const tourId = await requested(scene);
  await scene.agent.mutate('tours.decline', { tourId, expectedVersion: 1 });
  await host.rows(`delete from session where "userId" = $1`, [scene.customer.id]);
  await host.rows(
    `update "user" set email = null, name = '', "emailVerified" = false, "createdAt" = 'epoch', "updatedAt" = 'epoch'
     where id = $1`,
    [scene.customer.id],
  );
  await start();
  await sent();
  expect(sink.mails.map(({ to }) => to)).toEqual([await addressOf(scene.agent)]);
});

test('a name in another direction stands by itself, and no hidden listing shows its photo', async () => {
  const { sink, start } = await open();
  const scene = await visit(host);
  await seedOriginal(host.pool, { propertyId: scene.propertyId });
  await scene.customer.mutate('users.updateProfile', { name: 'דנה' });
  await requested(scene);
  await host.rows(`update properties set "hiddenFor" = '{TAKEN_DOWN}' where id = $1`, [scene.propertyId]);
  await start();
  await sent();
  const mails = await mailsTo(sink, scene.agent);
  const request = mails.find(({ subject }) => subject?.startsWith('Tour requested'));
  expect(request?.text).toContain('\u2068דנה\u2069 requested a tour');
  expect(request?.html).not.toContain('<img');
});

test('a mail that the server does not accept is tried later, and given up at last', async () => {
  const { sink, problems, start } = await open();
  sink.mode.refuse = true;
  const scene = await visit(host);
  await requested(scene);
  await start();
  await eventually(() => problems.length === 1, { what: 'the first refusal' });
  expect(await waiting()).toBe(1);
  expect(problems).toEqual(['a mail about a tour was not sent yet']);
  sink.mode.refuse = false;
  clock.at += 60_000;
  await sent();
  expect(sink.mails).toHaveLength(1);

  sink.mode.refuse = true;
  await requested(await visit(host));
  for (let attempt = 1; (await waiting()) > 0; attempt += 1) {
    expect(attempt).toBeLessThan(20);
    const before = problems.length;
    clock.at += 6 * 3_600_000;
    await eventually(() => problems.length > before, { what: `try ${attempt}` });
    await eventually(
      async () => problems.at(-1) !== 'a mail about a tour is given up' || (await waiting()) === 0,
      {
        what: 'the row to be gone',
      },
    );
  }
  expect(problems.at(-1)).toBe('a mail about a tour is given up');
});

test('two senders send each mail once', async () => {
  const { sink, start } = await open();
  const scenes = await Promise.all(Array.from({ length: 8 }, () => visit(host)));
  for (const scene of scenes) await requested(scene);
  await Promise.all([start(), start()]);
  await sent();
  await eventually(() => sink.mails.length >= 8, { what: 'eight mails' });
  expect(new Set(sink.mails.map(({ to }) => to)).size).toBe(8);
  expect(sink.mails).toHaveLength(8);
});
