import type { Browser } from 'playwright-core';
import type { Email } from 'postal-mime';
import { afterAll, beforeAll, describe } from 'vitest';
import { CANONICAL_ROOM_TYPES } from '../../../machines/vocabulary.ts';
import { findChromium, launchChromium } from '../../../ops/dev/chromium.ts';
import { freePort } from '../../../ops/dev/stack/free-port.ts';
import { drawSampleRoom } from '../../../ops/simulator/pictures/room-drawings.ts';
import { stagePhoto } from '../../../ops/simulator/pictures/staging.ts';
import { seedProperty } from '../../support/database/seed.ts';
import { type ApiHost, startApiHost } from '../../support/http/api-host.ts';
import { startIdentityProvider } from '../../support/http/identity-provider.ts';
import { createPerson, type Person } from '../../support/http/person.ts';
import { openSmtpSink } from '../../support/http/smtp-sink.ts';
import { storedOriginal, storedVariant } from '../../support/pictures/stored-pictures.ts';
import { openSiteWindow, type SiteWindow, type WindowOptions } from './site-window.ts';

/** A web role with the site, some dozens of homes in Seattle, one of them with photos and a staged picture. */
export interface SiteWorld {
  readonly host: ApiHost;
  readonly url: string;
  readonly agent: Person;
  readonly home: { readonly propertyId: string; readonly photos: readonly string[]; readonly staged: string };
  /** The other homes, by the order in which they were made. */
  readonly others: readonly string[];
  /** A person who is signed in, in the API and in browsers that are opened as them. */
  signedIn(user?: Record<string, unknown>): Promise<Person>;
  /** The latest code that was mailed to an address. */
  codeFor(email: string): string;
  /** The latest mail to an address. */
  mailTo(email: string): Email;
  /** An id token that the site's identity providers would have signed. */
  signToken(claims: Record<string, unknown>): Promise<string>;
  open(options?: WindowOptions): Promise<SiteWindow>;
}

const MANY = 40;
const PHOTO = { width: 1200, height: 900 };

/** A suite in Chromium on one site; skipped, with the reason in its title, where there is no browser. */
export function describeSite(
  title: string,
  suite: (site: () => SiteWorld) => void,
  settings: Record<string, string> = {},
  program?: Parameters<typeof findChromium>[0],
): void {
  const found = findChromium(program);
  const why = 'missing' in found ? ` (skipped: ${found.missing})` : '';
  describe.skipIf('missing' in found)(`${title}${why}`, () => {
    let browser: Browser | undefined;
    let world: Awaited<ReturnType<typeof openSiteWorld>> | undefined;
    beforeAll(async () => {
      browser = await launchChromium('path' in found ? found.path : '');
      world = await openSiteWorld(browser, settings);
    });
    afterAll(async () => {
      await browser?.close();
      await world?.close();
    });
    suite(() => {
      if (world === undefined) throw new Error('The site is not open yet');
      return world;
    });
  });
}

async function openSiteWorld(
  browser: Browser,
  settings: Record<string, string>,
): Promise<SiteWorld & { close(): Promise<void> }> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const sink = await openSmtpSink();
  const identityProvider = await startIdentityProvider();
  const host = await startApiHost({
    settings: {
      SITE_ENABLED: 'true',
      PORT: String(port),
      PUBLIC_BASE_URL: url,
      SMTP_URL: sink.url,
      GOOGLE_CLIENT_ID: 'google-client',
      APPLE_CLIENT_ID: 'apple-client',
      ...settings,
    },
    overrides: {
      mailIntervalMs: 500,
      identityKeys: { google: identityProvider.keysUrl, apple: identityProvider.keysUrl },
    },
  });
  // Cookies of sites without https have no prefix.
  const signedIn = async (user: Record<string, unknown> = {}): Promise<Person> => {
    const { id, cookie } = await host.signedIn(user);
    return createPerson(url, { id, cookie: cookie.replace('__Host-', '') });
  };
  const agent = await signedIn({
    name: 'Ada Lovelace',
    officeName: 'Analytical Homes',
    licenseNumber: 'WA-12345',
    phone: '+1 206 555 0100',
  });
  const seattle = {
    ownerAgentId: agent.id,
    city: 'Seattle',
    stateOrProvince: 'WA',
    country: 'US',
    currency: 'USD',
  };
  const others: string[] = [];
  for (let index = 0; index < MANY; index += 1)
    others.push(
      await seedProperty(host.pool, {
        ...seattle,
        address: `${100 + index} Union Street`,
        postalCode: index % 2 === 0 ? '98101' : '98104',
        latitude: 47.6 + (index % 8) * 0.004,
        longitude: -122.34 + Math.floor(index / 8) * 0.006,
        listPrice: String(400_000 + index * 25_000),
        bedroomsTotal: 1 + (index % 5),
        bathroomsTotal: 1 + (index % 3),
        livingArea: 700 + index * 40,
        propertyType: 'Residential',
        features: index % 4 === 0 ? ['GARAGE', 'GARDEN'] : ['GARDEN'],
        listedAt: new Date(Date.now() - (index + 2) * 86_400_000),
      }),
    );
  const propertyId = await seedProperty(host.pool, {
    ...seattle,
    address: '12 Lakeview Avenue',
    postalCode: '98102',
    latitude: 47.63,
    longitude: -122.32,
    listPrice: '895000',
    bedroomsTotal: 3,
    bathroomsTotal: 2.5,
    livingArea: 2150,
    yearBuilt: 1928,
    propertyType: 'Residential',
    features: ['FIREPLACE', 'HARDWOOD_FLOORS', 'WATER_VIEW'],
    publicRemarks: 'A calm house above the lake.',
    propertyTimeZoneName: 'America/Los_Angeles',
    listedAt: new Date(),
  });
  const rooms = await Promise.all(
    CANONICAL_ROOM_TYPES.map((room, index) => drawSampleRoom(room, { ...PHOTO, seed: index + 1 })),
  );
  const living = rooms[CANONICAL_ROOM_TYPES.indexOf('LIVING_ROOM')] as Buffer;
  const original = (photo: { readonly propertyId: string; readonly bytes: Buffer }) =>
    storedOriginal(host, { ...photo, format: 'jpeg' });
  const first = await original({ propertyId, bytes: living });
  const second = await original({ propertyId, bytes: rooms[0] as Buffer });
  const furnished = await stagePhoto({ ...PHOTO, photo: living, prompt: 'a living room' });
  const staged = await storedVariant(host, first, {
    reviewStatus: 'APPROVED',
    bytes: await furnished.jpeg().toBuffer(),
    format: 'jpeg',
  });
  for (const [index, bytes] of rooms.entries()) await original({ propertyId: others[index] ?? '', bytes });
  return {
    host,
    url,
    agent,
    home: { propertyId, photos: [first.imageId, second.imageId], staged },
    others,
    signedIn,
    mailTo(address) {
      const mail = sink.mails.findLast(({ to }) => to === address);
      if (mail === undefined) throw new Error(`nothing was mailed to ${address}`);
      return mail.email;
    },
    signToken: (claims) => identityProvider.sign(claims),
    codeFor(email) {
      const mail = sink.mails.findLast(
        ({ to, email: { text } }) => to === email && /\b\d{6}\b/.test(text ?? ''),
      );
      const code = /\b(\d{6})\b/.exec(mail?.email.text ?? '')?.[1];
      if (code === undefined) throw new Error(`no code was mailed to ${email}`);
      return code;
    },
    open: (options = {}) => openSiteWindow(browser, url, options),
    async close() {
      await host.stop();
      await sink.close();
      await identityProvider.close();
    },
  };
}
