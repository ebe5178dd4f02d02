import { afterEach, beforeEach, expect, test } from 'vitest';
import { OFFER_DAYS } from '../../../persistence/listings/listing-offers.ts';
import { createMailSwitches } from '../../../src/mail/mail-switches.ts';
import { createOfferMailSender } from '../../../src/mail/offer-mail-sender.ts';
import { systemTimers } from '../../../src/time.ts';
import { createOfferExpiry } from '../../../src/worker/offer-expiry.ts';
import { eventually } from '../../support/eventually.ts';
import { useApiHost } from '../../support/http/api-host.ts';
import type { Person } from '../../support/http/person.ts';
import { sharedStack } from '../../support/platform/stack.ts';
import { offerOf } from '../../support/worlds/listing-offers.ts';
import { openMailPorts } from '../../support/worlds/mail-ports.ts';
import { createRecordingReporter } from '../../support/worlds/recording-ports.ts';
import { setClock } from '../../support/worlds/tour-visits.ts';

/** The mails about offers of listings, to both agents, each in their language. */
const clock = setClock();
const host = useApiHost({ overrides: clock.overrides });
beforeEach(() => host.rows('delete from offer_mails'));
const cleanups: Array<() => unknown> = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** Sends what is due once it is asked for; then the mails as the reader sees them. */
async function mailsOf(...readers: Person[]) {
  const { sink, ports, close } = await openMailPorts(host, { clock });
  const sender = createOfferMailSender({
    ...ports,
    switches: createMailSwitches(sharedStack().secrets.authSecret),
  });
  cleanups.push(close);
  await sender.start();
  const left = async () => (await host.rows('select 1 from offer_mails')).length;
  await eventually(async () => (await left()) === 0, { what: 'all mails to be settled' });
  await sender.stop(AbortSignal.timeout(5_000));
  return readers.map(({ id }) =>
    sink.mails
      .filter(({ to }) => to === `${id}@example.com`)
      .map(({ email }) => ({
        subject: email.subject,
        text: email.text ?? '',
        html: email.html ?? '',
        headers: email.headers,
      })),
  );
}

async function scene(kind: 'Ownership' | 'Assignment') {
  const [owner, to] = [
    await host.signedIn({ name: 'Olga' }),
    await host.signedIn({ name: 'Tomás', locale: 'es' }),
  ];
  const created = await owner.mutate('properties.create', {
    listPrice: 1,
    address: '12 Elm Street',
    city: 'Seattle',
    standardStatus: 'Active',
  });
  const { propertyId } = created.data;
  return { owner, to, propertyId, offerId: await offerOf(owner, { kind, propertyId, to }) };
}
const answer = (person: Person, offerId: string, accept: boolean) =>
  person.mutate('properties.answerOffer', { offerId, accept });

test('an offer is mailed to both; only its agent reads what an answer means and until when', async () => {
  const { owner, to } = await scene('Ownership');
  const [made = [], got = []] = await mailsOf(owner, to);
  expect(made.map(({ subject }) => subject)).toEqual(['Listing offered: 12 Elm Street, Seattle']);
  expect(made[0]?.text).toContain('Olga offers this listing to Tomás');
  expect(made[0]?.text).not.toContain('If you accept');
  expect(got.map(({ subject }) => subject)).toEqual(['Anuncio ofrecido: 12 Elm Street, Seattle']);
  const day = new Intl.DateTimeFormat('es-MX', { dateStyle: 'long', timeZone: 'UTC' });
  for (const text of [got[0]?.text, got[0]?.html]) {
    expect(text).toContain('Olga ofrece este anuncio a Tomás');
    expect(text).toContain(`Puedes responder hasta el ${day.format(clock.at + OFFER_DAYS * 86_400_000)}.`);
    expect(text).toContain('https://homes.example/es/studio');
  }
});

test.each([
  ['Ownership', true, 'Tomás accepted and now owns this listing', 'Oferta aceptada'],
  ['Ownership', false, 'Tomás declined to own this listing', 'Oferta rechazada'],
  ['Assignment', true, 'Tomás accepted and now works on this listing', 'Oferta aceptada'],
  ['Assignment', false, 'Tomás declined to work on this listing', 'Oferta rechazada'],
] as const)('an answer is mailed to both: %s, %s', async (kind, accept, said, subject) => {
  const { owner, to, offerId } = await scene(kind);
  await mailsOf();
  await answer(to, offerId, accept);
  const [made = [], got = []] = await mailsOf(owner, to);
  expect(made).toHaveLength(1);
  expect(made[0]?.text).toContain(said);
  expect(got.map((mail) => mail.subject)).toEqual([`${subject}: 12 Elm Street, Seattle`]);
});

test('a withdrawn offer is mailed to both; the offer itself is not mailed after its end', async () => {
  const { owner, to, offerId } = await scene('Assignment');
  await owner.mutate('properties.withdrawOffer', { offerId });
  const [made = [], got = []] = await mailsOf(owner, to);
  expect(made.map(({ subject }) => subject)).toEqual(['Offer withdrawn: 12 Elm Street, Seattle']);
  expect(got[0]?.text).toContain('Olga ya no invita a Tomás a trabajar en este anuncio');
  expect(got).toHaveLength(1);
});

test('an offer that no one answered is ended by the worker and mailed to both', async () => {
  const { owner, to } = await scene('Ownership');
  await mailsOf();
  clock.at += OFFER_DAYS * 86_400_000;
  const expiry = createOfferExpiry({
    database: host,
    clock: { now: () => clock.at },
    timers: systemTimers,
    reporter: createRecordingReporter(),
    inTurn: async (_turn, work) => {
      await work({ prolong: async () => true });
      return true;
    },
    timings: { offersMs: 5 },
  });
  await expiry.start();
  cleanups.push(() => expiry.stop(AbortSignal.timeout(5_000)));
  const open = () => host.rows(`select from listing_offers where status = 'OPEN'`);
  await eventually(async () => (await open()).length === 0, { what: 'the offer to expire' });
  const [made = [], got = []] = await mailsOf(owner, to);
  expect(made.map(({ subject }) => subject)).toEqual(['Offer expired: 12 Elm Street, Seattle']);
  expect(got[0]?.text).toContain('Tomás no respondió a tiempo a la oferta de este anuncio de Olga');
});

test('the mails can be turned off, and a deleted account gets none', async () => {
  const { owner, to, offerId } = await scene('Ownership');
  await host.rows('delete from offer_mails');
  await owner.mutate('users.updateProfile', { mutedMails: ['LISTING_OFFER'] });
  await answer(to, offerId, false);
  const [made = [], got = []] = await mailsOf(owner, to);
  expect([made.length, got.length]).toEqual([0, 1]);
});

test('a mail program switches the kind off with one click, and an address that is opened changes nothing', async () => {
  const { owner, to, offerId } = await scene('Ownership');
  const [, [got] = []] = await mailsOf(owner, to);
  const header = (name: string) => got?.headers.find(({ key }) => key === name)?.value;
  expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
  const address = new URL((header('list-unsubscribe') ?? '').slice(1, -1));
  expect(got?.text).toContain(address.href);
  const muted = async () => (await to.query('users.getMe')).data.mutedMails;
  const send = (method: string, path = address.pathname) =>
    fetch(`${host.url}${path}`, {
      method,
      redirect: 'manual',
      ...(method === 'POST' ? { body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) } : {}),
    });
  const opened = await send('GET');
  expect([opened.status, opened.headers.get('location')]).toEqual([303, 'https://api.example.com/menu']);
  expect(await muted()).toEqual([]);
  const forged = address.pathname.replace(to.id, owner.id);
  expect((await send('POST', forged)).status).toBe(404);
  for (let times = 0; times < 2; times += 1) expect((await send('POST')).status).toBe(200);
  expect(await muted()).toEqual(['LISTING_OFFER']);
  expect((await owner.query('users.getMe')).data.mutedMails).toEqual([]);
  await answer(to, offerId, false);
  expect((await mailsOf(owner, to)).map(({ length }) => length)).toEqual([1, 0]);
});
