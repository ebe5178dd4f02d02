import { randomUUID } from 'node:crypto';
import { FormData, request } from 'undici';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { OPEN_TOUR_STATUSES } from '../../../machines/vocabulary.ts';
import { findChromium, launchChromium } from '../../../ops/dev/chromium.ts';
import { readMail, waitForMail } from '../../../ops/dev/stack/mailbox.ts';
import { eventually } from '../../support/eventually.ts';
import { CREDENTIALS, OPERATOR } from '../../support/http/console-host.ts';
import { listingSurfaces, type PublicHome } from '../../support/http/listing-surfaces.ts';
import { shareList } from '../../support/http/picture-surfaces.ts';
import { roomOf } from '../../support/pictures/room-photos.ts';
import { type Answer, type Person, signIn } from '../../support/platform/agent.ts';
import { createListing, jobReaches, submit, uploadRoom } from '../../support/platform/listing.ts';
import { opsUrlOf } from '../../support/platform/outcomes.ts';
import { startTestPlatform, type TestPlatform } from '../../support/platform/platform.ts';
import { signIn as signInToConsole, suspendByKeyboard } from './console-pages.ts';

/**
 * The whole day of an abuser on a platform with limits: listings, tours, mails, offers and codes, each bounded. Then an
 * operator ends it in the console, and nothing of it is left on any public surface.
 */
const found = findChromium();
const why = 'missing' in found ? ` (skipped: ${found.missing})` : '';
const LISTINGS = 3;
const TOURS = 3;
const MAILS = 4;
const LIMITS = {
  ROBOTS: 'all',
  SITE_ENABLED: 'true',
  LISTINGS_FIRST_DAY: String(LISTINGS),
  TOUR_REQUESTS_PER_LISTING_DAY: String(TOURS),
  MAILS_PER_RECIPIENT_HOUR: String(MAILS),
};
const STREET = `${randomUUID().slice(0, 6)} Scam Lane`;
/** Two seconds are promised; a busy machine needs more. */
const SHOWN_MS = 6_000;

describe.skipIf('missing' in found)(`an abuser${why}`, () => {
  let platform: TestPlatform;
  let opsUrl: string;
  let abuser: Person;
  let victim: Person;
  let ids: { abuser: string; victim: string };
  let home: PublicHome;
  const idOf = async (person: Person): Promise<string> => (await person.query('users.getMe')).data.id;
  /** Waits until every public surface shows the listing, or none. */
  const shown = (isShown: boolean) =>
    eventually(
      async () => {
        const others = Object.entries(await listingSurfaces(home)).filter(([, one]) => one !== isShown);
        if (others.length > 0) throw new Error(`not yet: ${others.map(([name]) => name).join()}`);
        return true;
      },
      { what: `the listing to be ${isShown ? 'on every' : 'on no'} surface`, timeoutMs: SHOWN_MS },
    );
  beforeAll(async () => {
    platform = await startTestPlatform({ workers: 0, webSettings: LIMITS });
    opsUrl = await opsUrlOf(platform, await platform.startWorker(CREDENTIALS));
    [abuser, victim] = [await signIn(platform), await signIn(platform)];
    await abuser.mutate('users.updateProfile', { name: 'Abel Abuser' });
    ids = { abuser: await idOf(abuser), victim: await idOf(victim) };
  });
  afterAll(() => platform?.stop());

  test('adds as many listings as the first day allows, one with a staged picture', async () => {
    const added: Answer[] = [];
    for (let count = 0; count <= LISTINGS; count += 1) added.push(await list(abuser, count));
    expect(added.map(({ status, errorCode }) => errorCode ?? status)).toEqual([
      200,
      200,
      200,
      'QUOTA_REACHED',
    ]);
    const { propertyId } = added[0]?.data ?? {};
    const photo = await uploadRoom(abuser, propertyId);
    const { aiJobId } = await submit(abuser, photo);
    await jobReaches(platform, aiJobId, 'SUCCESS');
    const [variant] = await platform.rows<{ id: string }>(
      'select id from property_images where "styledFromId" = $1',
      [photo],
    );
    const staged = variant?.id ?? '';
    expect((await abuser.mutate('ai.approveStagedVariant', { imageId: staged })).status).toBe(200);
    home = {
      visitor: visitorOf(platform.urls[0] ?? ''),
      customer: victim,
      sharedList: await shareList(victim),
      propertyId,
      street: STREET,
      photo,
      staged,
      avatarId: await avatarOf(abuser),
      neighbor: await createListing(victim),
    };
    expect((await victim.mutate('favorites.add', { propertyId })).status).toBe(200);
    await shown(true);
  });

  test('requests and cancels tours until the limit of the listing, and the agent gets few mails', async () => {
    const since = Date.now() - 1_000;
    const answers: Answer[] = [];
    for (let count = 0; count <= TOURS; count += 1) {
      const asked = await abuser.mutate('tours.request', { propertyId: home.neighbor, slots: [slot()] });
      answers.push(asked);
      if (asked.status !== 200) break;
      const { tourId, version } = asked.data;
      // The last one stays open.
      if (count < TOURS - 1)
        answers.push(await abuser.mutate('tours.cancel', { tourId, expectedVersion: version }));
    }
    expect(answers.at(-1)?.errorCode).toBe('QUOTA_REACHED');
    expect(answers).toHaveLength(2 * TOURS);
    const due = () => platform.rows('select 1 from tour_mails');
    await eventually(async () => (await due()).length === 0, { what: 'the mails to be sent or held' });
    expect(await readMail(platform.mailDir, { to: victim.email, since })).toHaveLength(MAILS);
    const held = await platform.rows('select sent, held from mail_hours where "userId" = $1', [ids.victim]);
    expect(held).toEqual([{ sent: MAILS, held: 2 * TOURS - 1 - MAILS }]);
  });

  test('can only offer listings, which changes nothing for the other agent', async () => {
    const offer = { propertyId: home.propertyId, agentId: ids.victim };
    expect((await abuser.mutate('properties.offerOwnership', offer)).errorCode).toBe('VERIFICATION_REQUIRED');
    for (let count = 0; count < 3; count += 1)
      expect((await abuser.mutate('properties.offerAssignment', offer)).status).toBe(200);
    const open = await platform.rows('select kind from listing_offers where "toAgentId" = $1', [ids.victim]);
    expect(open).toEqual([{ kind: 'ASSIGNMENT' }]);
    const mine = (await victim.query('properties.listMine', { limit: 100 })).data.items;
    expect(mine.map(({ propertyId }: { propertyId: string }) => propertyId)).toEqual([home.neighbor]);
  });

  test('uses up the codes of a mailbox, whose owner still gets one', async () => {
    const since = Date.now() - 1_000;
    const ask = async (network: string) => {
      const { statusCode, body } = await request(
        `${platform.urls[0]}/api/auth/email-otp/send-verification-otp`,
        {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-forwarded-for': network },
          body: JSON.stringify({ email: victim.email, type: 'sign-in' }),
        },
      );
      await body.dump();
      return statusCode;
    };
    const statuses: number[] = [];
    for (let count = 0; count < 8; count += 1) statuses.push(await ask(`192.0.2.${count}`));
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(6);
    expect(statuses.at(-1)).toBe(429);
    const before = (await readMail(platform.mailDir, { to: victim.email, since })).length;
    expect(await ask('203.0.113.7')).toBe(200);
    await eventually(
      async () => (await readMail(platform.mailDir, { to: victim.email, since })).length > before,
      { what: 'the owner’s code' },
    );
    expect((await waitForMail(platform.mailDir, { to: victim.email, since })).email.text).toContain(
      '192.0.2.',
    );
  });

  test('is ended by an operator in eight presses, and is gone from every surface', async () => {
    const browser = await launchChromium('path' in found ? found.path : '');
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    await signInToConsole(page, opsUrl);
    await page.goto(`${opsUrl}/console/people`);
    await suspendByKeyboard(page, abuser.email);
    await shown(false);
    await page.goto(`${opsUrl}/console/people/${ids.abuser}`);
    expect(await page.locator('main').innerText()).toMatch(/suspend-account by operator: bad/);
    const trail = await platform.rows('select act, by, reason from operator_acts where "personId" = $1', [
      ids.abuser,
    ]);
    expect(trail).toEqual([{ act: 'suspend-account', by: `operator:${OPERATOR.user}`, reason: 'bad' }]);
  });

  test('can change nothing any more, and what was under way has ended', async () => {
    const refused = [
      await list(abuser, 0),
      await abuser.mutate('tours.request', { propertyId: home.neighbor, slots: [slot()] }),
      await abuser.mutate('users.updateProfile', { name: 'Honest' }),
    ];
    expect(refused.map(({ status, errorCode }) => [status, errorCode])).toEqual(
      Array(3).fill([403, 'ACCOUNT_SUSPENDED']),
    );
    expect((await abuser.query('users.getMe')).status).toBe(200);
    await eventually(
      async () => {
        const open = 'select 1 from tours where "customerId" = $1 and status::text = any($2)';
        return (await platform.rows(open, [ids.abuser, OPEN_TOUR_STATUSES])).length === 0;
      },
      { what: 'the open tour to be canceled' },
    );
  });
});

/** Each at another place, so that each has a mark on the map. */
const list = (agent: Person, number: number): Promise<Answer> =>
  agent.mutate('properties.create', {
    listPrice: 750_000,
    address: STREET,
    city: 'Seattle',
    stateOrProvince: 'WA',
    latitude: 47.61 + number / 100,
    longitude: -122.3,
    propertyType: 'Residential',
    propertyTimeZoneName: 'America/Los_Angeles',
  });

function slot() {
  const startsAt = Math.ceil(Date.now() / 86_400_000) * 86_400_000 + 3 * 86_400_000 + 18 * 3_600_000;
  return {
    startsAt: new Date(startsAt).toISOString(),
    endsAt: new Date(startsAt + 3_600_000).toISOString(),
  };
}

async function avatarOf(person: Person): Promise<string> {
  const form = new FormData();
  const picture = await (await roomOf('KITCHEN', 300, 200)).jpeg().toBuffer();
  form.set('file', new Blob([new Uint8Array(picture)]), 'a.jpg');
  const { body } = await person.request('PUT', '/api/users/avatar', { body: form });
  return (
    String(body.image ?? body.photoUrl)
      .split('/')
      .at(-1) ?? ''
  );
}

/** Someone without a session, as the pages and the API see them. */
function visitorOf(base: string): PublicHome['visitor'] {
  const get = async (path: string) => {
    const { statusCode, body } = await request(`${base}${path}`, {
      headers: { 'x-forwarded-for': '198.51.100.1' },
    });
    return { status: statusCode, text: await body.text() };
  };
  return {
    get,
    async query(procedure, input) {
      const asked = encodeURIComponent(JSON.stringify({ json: input ?? {} }));
      const { status, text } = await get(`/api/trpc/${procedure}?input=${asked}`);
      return { status, data: JSON.parse(text).result?.data?.json };
    },
  };
}
