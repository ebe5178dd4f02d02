import type { Browser } from 'playwright-core';
import { readMail, waitForMail } from '../../../ops/dev/stack/mailbox.ts';
import { drawSampleRoom } from '../../../ops/simulator/pictures/room-drawings.ts';
import { eventually } from '../../support/eventually.ts';
import { basicOf, OPERATOR } from '../../support/http/console-host.ts';
import { type Answer, type Person, signIn } from '../../support/platform/agent.ts';
import { jobReaches, photosChecked, submit } from '../../support/platform/listing.ts';
import type { TestPlatform } from '../../support/platform/platform.ts';
import { exportPath } from '../../support/worlds/export-world.ts';
import { readZip } from '../../support/zip-reader.ts';
import { axeFindings, openSiteWindow } from './site-window.ts';

/** Something that a person could read, and where. */
export interface Reading {
  readonly where: string;
  readonly text: string;
}

/** A day of an agent, a buyer and an operator in Madrid, with all that they were shown, mailed and given. */
export interface Day {
  readonly readings: Reading[];
  readonly agent: Person;
  readonly buyer: Person;
  readonly propertyId: string;
  readonly photo: string;
  /** A picture that was approved. */
  readonly staged: string;
}

const PHOTO = { width: 1200, height: 900, seed: 1 };
const HOME = {
  listPrice: 420_000,
  bedroomsTotal: 3,
  bathroomsTotal: 2,
  livingArea: 110,
  address: 'Calle Mayor 5',
  city: 'Madrid',
  stateOrProvince: 'Madrid',
  postalCode: '28013',
  propertyTimeZoneName: 'Europe/Madrid',
  latitude: 40.4168,
  longitude: -3.7038,
  propertyType: 'Residential',
  features: ['FIREPLACE'],
  publicRemarks: 'Un piso tranquilo junto a la plaza.',
};
const COLLEAGUE = 'colega@example.org';
const OPERATORS_MAILBOX = 'operaciones@example.org';
const NOTHING = '00000000-0000-4000-8000-000000000000';
/** More links than the console has. */
const MOST_CONSOLE_PAGES = 300;

/** The answer of a call that must succeed. */
async function done(call: Promise<Answer>): Promise<Answer> {
  const answer = await call;
  if (answer.status >= 300) throw new Error(`${answer.status} ${answer.text}`);
  return answer;
}

/** The same person; every answer that they get is noted. */
function listened(person: Person, readings: Reading[]): Person {
  const noted =
    (where: string) =>
    (answer: Answer): Answer => {
      readings.push({ where, text: answer.text });
      return answer;
    };
  return {
    ...person,
    query: (procedure, input) => person.query(procedure, input).then(noted(procedure)),
    mutate: (procedure, input) => person.mutate(procedure, input).then(noted(procedure)),
    request: (method, path, init) => person.request(method, path, init).then(noted(`${method} ${path}`)),
    upload: (...given) => person.upload(...given).then(noted('an upload')),
  };
}

export async function liveDay(platform: TestPlatform, consoleUrl: string): Promise<Day> {
  const readings: Reading[] = [];
  const agent = listened(await signIn(platform), readings);
  const buyer = listened(await signIn(platform, { agent: false }), readings);
  await done(agent.mutate('users.updateProfile', { name: 'Aitana Ruiz', phone: '612 34 56 78' }));
  await done(buyer.mutate('users.updateProfile', { name: 'Bruno Sanz' }));
  const home = await listHome(platform, agent);
  const day = { readings, agent, buyer, ...home };
  await tourHome(platform, day);
  await done(agent.mutate('users.inviteColleague', { email: COLLEAGUE }));
  await exportEverything(platform, day);
  await askForNothing(day);
  await operate(consoleUrl, readings);
  await readAllMail(platform, day);
  return day;
}

/** A listing with a photo, and a picture of it that was staged and approved. */
async function listHome(
  platform: TestPlatform,
  agent: Person,
): Promise<Pick<Day, 'propertyId' | 'photo' | 'staged'>> {
  const { propertyId } = (await done(agent.mutate('properties.create', HOME))).data;
  const uploaded = await done(
    agent.upload(propertyId, await drawSampleRoom('LIVING_ROOM', PHOTO), { roomType: 'LIVING_ROOM' }),
  );
  const photo: string = uploaded.body.imageId;
  await done(agent.query('ai.getStagingCatalog'));
  const { aiJobId } = await submit(agent, photo);
  await jobReaches(platform, aiJobId, 'SUCCESS');
  await photosChecked(platform);
  const staged: string = (await done(agent.query('ai.getStagingJob', { aiJobId }))).data.resultImageId;
  await done(agent.mutate('ai.approveStagedVariant', { imageId: staged }));
  await done(agent.query('properties.getMine', { propertyId }));
  await done(agent.query('disclosure.listProfiles', {}));
  await done(agent.query('disclosure.check', { propertyId }));
  await done(agent.query('provenance.get', { stagedImageId: staged }));
  return { propertyId, photo, staged };
}

/** The buyer saves the home and asks for a tour; the agent confirms it. */
async function tourHome(platform: TestPlatform, { agent, buyer, propertyId }: Day): Promise<void> {
  await done(buyer.mutate('favorites.add', { propertyId }));
  await done(buyer.query('favorites.list', {}));
  await done(buyer.query('properties.getDetail', { propertyId }));
  const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
  const slot = { startsAt: `${day}T15:00:00.000Z`, endsAt: `${day}T16:00:00.000Z` };
  const asked = { propertyId, slots: [slot], note: 'Con dos perros.' };
  const { tourId, version } = (await done(buyer.mutate('tours.request', asked))).data;
  await mailed(platform, { to: agent.email, count: 2 });
  const answer = { tourId, expectedVersion: version, startsAt: slot.startsAt };
  await done(agent.mutate('tours.confirm', answer));
  for (const person of [agent, buyer]) await done(person.query('tours.get', { tourId }));
}

/** The pictures of the home for a market, and the data of the agent's account. */
async function exportEverything(platform: TestPlatform, { readings, agent, propertyId }: Day): Promise<void> {
  const since = Date.now();
  await done(agent.mutate('users.requestExport', {}));
  const mail = await waitForMail(platform.mailDir, { to: agent.email, since });
  const code = /\b\d{6}\b/.exec(mail.email.text ?? '')?.[0];
  await done(agent.mutate('users.exportMyData', { code }));
  const answer = await fetch(platform.urls[0] + exportPath(propertyId), {
    headers: { cookie: agent.cookie },
  });
  const files = readZip(Buffer.from(await answer.arrayBuffer()));
  readings.push({ where: 'an export', text: answer.headers.get('content-disposition') ?? '' });
  for (const { name, bytes } of files)
    readings.push({ where: `an export's ${name}`, text: name + bytes.toString('latin1') });
}

/** Calls that are refused: the reasons are read too. */
async function askForNothing({ agent, buyer }: Day): Promise<void> {
  const refused = [
    await agent.mutate('properties.create', { ...HOME, currency: 'USD', postalCode: 'x' }),
    await agent.upload(NOTHING, Buffer.from('no photo')),
    await buyer.query('properties.getMine', { propertyId: NOTHING }),
    await buyer.query('provenance.get', { stagedImageId: NOTHING }),
    await buyer.query('nothing.atAll'),
    await buyer.request('DELETE', '/api/images/x'),
  ];
  for (const { status, text } of refused) if (status < 400) throw new Error(`not refused: ${status} ${text}`);
}

/**
 * Everything that a link of the console leads to, and a test mail. Runbooks are documents of the software: they name its
 * alerts and metrics.
 */
async function operate(consoleUrl: string, readings: Reading[]): Promise<void> {
  const headers = { authorization: basicOf(OPERATOR) };
  const found = new Set(['/console', '/console/nothing', '/sign-in', '/readyz', '/healthz']);
  for (const path of found) {
    const answer = await fetch(consoleUrl + path, { headers });
    const text = await answer.text();
    readings.push({ where: `the console's ${path}`, text });
    for (const [, link = ''] of text.matchAll(/href="([^"#]+)/g)) {
      const { pathname, search } = new URL(link.replaceAll('&amp;', '&'), answer.url);
      if (/^\/(?:console(?!\/docs\/)|queues)\b/.test(pathname)) found.add(pathname + search);
    }
    if (found.size > MOST_CONSOLE_PAGES) throw new Error(`the console has ${found.size} pages`);
  }
  const body = new URLSearchParams({ email: OPERATORS_MAILBOX });
  const sent = await fetch(`${consoleUrl}/console/ready`, { method: 'POST', headers, body });
  readings.push({ where: 'the console after a test mail', text: await sent.text() });
}

const mailed = (platform: TestPlatform, { to, count }: { to: string; count: number }) =>
  eventually(
    async () => {
      const mails = await readMail(platform.mailDir, { to });
      if (mails.length >= count) return mails;
      throw new Error(mails.map(({ email }) => email.subject).join('; '));
    },
    { what: `${count} mails to ${to}`, intervalMs: 200 },
  );

/** Waits for the last mails of the day, and reads all: their heads, both texts, and what is attached. */
async function readAllMail(platform: TestPlatform, { readings, agent, buyer }: Day): Promise<void> {
  for (const [to, count] of [
    // A code to sign in, the request, the agreed time with its calendar file, the code of the export.
    [agent.email, 4],
    [buyer.email, 2],
    [COLLEAGUE, 1],
    [OPERATORS_MAILBOX, 1],
  ] as const)
    for (const { email } of await mailed(platform, { to, count })) {
      const where = `the mail “${email.subject}”`;
      const heads = email.headers.map(({ key, value }) => `${key}: ${value}`).join('\n');
      readings.push({ where, text: `${heads}\n${email.text}\n${email.html}` });
      for (const { filename, content } of email.attachments) {
        const text =
          typeof content === 'string' ? content : Buffer.from(new Uint8Array(content)).toString('utf8');
        readings.push({ where: `${where} with ${filename}`, text: `${filename}\n${text}` });
      }
    }
}

/** The pages that need a person and a browser, as the DOM has them; and what axe finds on them. */
export async function readOwnPages(browser: Browser, platform: TestPlatform, day: Day): Promise<string[]> {
  const studio = `/studio/${day.propertyId}`;
  const ofAgent = [
    '/studio',
    '/studio/new',
    '/studio/tours',
    studio,
    `${studio}/details`,
    `${studio}/review`,
    `${studio}/publish`,
    '/tours',
  ];
  const findings: string[] = [];
  for (const [person, paths] of [
    [day.agent, ofAgent],
    [day.buyer, ['/favorites', '/inbox', '/menu', '/en/menu', `/invitation#${'x'.repeat(43)}`]],
  ] as const) {
    const window = await openSiteWindow(browser, platform.urls[0] ?? '', { as: person });
    for (const path of paths) {
      await window.go(path);
      await window.page.locator('.skeleton').first().waitFor({ state: 'detached' });
      await window.page.waitForLoadState('networkidle');
      day.readings.push({ where: path, text: await window.page.content() });
      if (path === studio || path === '/menu') findings.push(...(await axeFindings(window.page)));
    }
    await window.close();
  }
  return findings;
}
