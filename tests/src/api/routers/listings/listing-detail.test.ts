import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { STANDARD_STATUSES } from '../../../../../persistence/entities/values.ts';
import { seedOriginal, seedProperty, seedVariant } from '../../../../support/database/seed.ts';
import { useApiHost } from '../../../../support/http/api-host.ts';
import type { Answer, Person } from '../../../../support/http/person.ts';
import { assignTo } from '../../../../support/worlds/listing-offers.ts';

let agent: Person;
let otherUser: Person;
let visitor: Person;
const host = useApiHost();
beforeAll(async () => {
  agent = await host.signedIn({
    name: 'Ada Agent',
    phone: '+1 206 555 0100',
    licenseNumber: 'L-77',
    officeName: 'Corner Office',
  });
  otherUser = await host.signedIn();
  visitor = host.anonymous();
});

const listing = {
  listPrice: 640_000,
  address: '12 Harbour Lane',
  city: 'Seattle',
  stateOrProvince: 'WA',
  postalCode: '98101',
  latitude: 47.6,
  longitude: -122.33,
  propertyType: 'Residential',
  bedroomsTotal: 3,
  bathroomsTotal: 2.5,
  livingArea: 1600,
  yearBuilt: 1960,
  stories: 1.5,
  publicRemarks: 'Light.\nQuiet.',
  features: ['GARAGE', 'FIREPLACE', 'KITCHEN_ISLAND'],
};
const create = async (more: object = {}): Promise<string> =>
  (await agent.mutate('properties.create', { ...listing, ...more })).data.propertyId;
const detailOf = (person: Person, propertyId: string) => person.query('properties.getDetail', { propertyId });

describe('getDetail', () => {
  test('shows the listing to every caller', async () => {
    const propertyId = await create();
    const { status, data } = await detailOf(visitor, propertyId);
    expect(status).toBe(200);
    const { features: _, publicRemarks, yearBuilt, stories, ...card } = listing;
    expect(data).toMatchObject({
      ...card,
      propertyId,
      currency: 'USD',
      standardStatus: 'Active',
      livingAreaUnits: 'Square Feet',
      description: publicRemarks,
      features: ['FIREPLACE', 'KITCHEN_ISLAND', 'GARAGE'],
      images: [],
      coverImageId: null,
      daysOnMarket: 0,
      cumulativeDaysOnMarket: 0,
      offMarketAt: null,
      facts: { yearBuilt, stories, pricePerArea: 400, country: 'US', garageSpaces: null },
      showing: {
        propertyTimeZoneName: 'America/Los_Angeles',
        showingAdvanceNotice: 0,
        showingDays: [],
        autoConfirmTours: false,
      },
    });
    expect(data.featureGroups).toHaveLength(10);
    const filled = data.featureGroups.filter(({ keys }: { keys: string[] }) => keys.length > 0);
    expect(filled).toEqual([
      { group: 'Interior', keys: ['FIREPLACE'] },
      { group: 'Kitchen', keys: ['KITCHEN_ISLAND'] },
      { group: 'Parking & storage', keys: ['GARAGE'] },
    ]);
    // No internal fields: who may act, when the row was written, the state of its search document.
    for (const name of ['ownerAgentId', 'searchVersion', 'originatingSystemKey', 'publicRemarks'])
      expect(data).not.toHaveProperty(name);
  });

  test('has exactly the fields of the card, with the same values', async () => {
    const propertyId = await create();
    const { imageId } = await seedOriginal(host.pool, { propertyId });
    await seedVariant(host.pool, { propertyId, imageId }, { reviewStatus: 'APPROVED' });
    const { data } = await detailOf(visitor, propertyId);
    const other = await create({ listPrice: 650_000 });
    const { items } = (await visitor.query('properties.listSimilar', { propertyId: other, limit: 20 })).data;
    const card = items.find((item: { propertyId: string }) => item.propertyId === propertyId);
    const { images, ...rest } = card;
    expect(data).toMatchObject(rest);
    expect(data.images).toMatchObject(images);
    expect(images).toHaveLength(2);
  });

  test('shows each approved variant right after its original, labeled; private ones are not shown', async () => {
    const propertyId = await create();
    const second = await seedOriginal(host.pool, { propertyId, position: 2, roomType: null });
    const first = await seedOriginal(host.pool, { propertyId, position: 1, roomType: 'BEDROOM' });
    const approved = { reviewStatus: 'APPROVED', roomType: 'BEDROOM', outputWidth: 1024, outputHeight: 683 };
    const variant = await seedVariant(host.pool, first, approved);
    await seedVariant(host.pool, first, { canonicalStyle: 'LUXURY' });
    const url = (imageId: string) => `https://api.example.com/api/images/${imageId}`;
    const unstaged = { style: null, submittedStyle: null, legacyStyle: null, disclosureText: null };
    const unaltered = { alteration: null, alterationBy: null, alteredFromId: null, credentials: null };
    const photo = {
      isStyled: false,
      disclosureLabel: null,
      provenanceUrl: null,
      originalImageId: null,
      disclosure: null,
      ...unstaged,
      ...unaltered,
    };
    for (const person of [visitor, agent]) {
      const { data } = await detailOf(person, propertyId);
      expect(data.coverImageId).toBe(first.imageId);
      expect(data.images).toEqual([
        {
          ...photo,
          imageId: first.imageId,
          url: url(first.imageId),
          altText: 'Bedroom',
          subject: 'Bedroom',
          roomType: 'BEDROOM',
          imageOf: 'Bedroom',
          width: null,
          height: null,
        },
        {
          ...unaltered,
          imageId: variant,
          url: url(variant),
          isStyled: true,
          disclosureLabel: 'AI · Virtually staged',
          disclosureText: 'AI · Virtually staged',
          provenanceUrl: `https://api.example.com/provenance/${variant}`,
          style: 'Modern',
          submittedStyle: null,
          legacyStyle: null,
          originalImageId: first.imageId,
          altText: 'AI, virtually staged: Bedroom',
          subject: 'Bedroom',
          roomType: 'BEDROOM',
          imageOf: 'Bedroom',
          width: 1024,
          height: 683,
          disclosure: {
            label: 'AI · Virtually staged',
            linkText: 'Digitally altered. View the original photo',
            originalImageId: first.imageId,
            originalUrl: url(first.imageId),
          },
        },
        {
          ...photo,
          imageId: second.imageId,
          url: url(second.imageId),
          altText: 'Photo of the property',
          subject: null,
          roomType: null,
          imageOf: null,
          width: null,
          height: null,
        },
      ]);
    }
  });

  test('says what each picture shows; what says nothing of it shows what its original does', async () => {
    const propertyId = await create();
    const first = await seedOriginal(host.pool, {
      propertyId,
      roomType: null,
      imageOf: 'Front of Structure',
    });
    await seedOriginal(host.pool, {
      propertyId,
      position: 1,
      roomType: null,
      alteration: 'Twilight Conversion',
      alterationBy: 'AGENT',
      alteredFromId: first.imageId,
    });
    await seedOriginal(host.pool, {
      propertyId,
      position: 2,
      roomType: null,
      imageOf: 'Patio',
      alteration: 'Virtual Enhancements',
      alterationBy: 'AGENT',
      alteredFromId: (await seedOriginal(host.pool, { propertyId, position: 2 })).imageId,
    });
    await seedVariant(host.pool, first, { reviewStatus: 'APPROVED', roomType: 'TV_ROOM' });
    const shown = async (person: Person) =>
      (await detailOf(person, propertyId)).data.images.map(
        ({ roomType, imageOf, subject, altText }: Record<string, string | null>) => [
          roomType,
          imageOf,
          subject,
          altText,
        ],
      );
    expect(await shown(visitor)).toEqual([
      [null, 'Front of Structure', 'Front of the home', 'Front of the home'],
      [null, 'Front of Structure', 'Front of the home', 'Digitally altered: Front of the home'],
      ['TV_ROOM', 'Media Room', 'TV room', 'AI, virtually staged: TV room'],
      ['LIVING_ROOM', 'Living Room', 'Living room', 'Living room'],
      [null, 'Patio', 'Patio', 'Digitally altered: Patio'],
    ]);
    const [[, , subject, altText]] = await shown(await host.signedIn({ role: 'customer', locale: 'es' }));
    expect([subject, altText]).toEqual(['Fachada', 'Fachada']);
  });

  test('uses the language of the reader; the label is not translated', async () => {
    const propertyId = await create();
    const { imageId } = await seedOriginal(host.pool, { propertyId });
    await seedVariant(host.pool, { propertyId, imageId }, { reviewStatus: 'APPROVED' });
    const reader = await host.signedIn({ role: 'customer', locale: 'es' });
    const [, staged] = (await detailOf(reader, propertyId)).data.images;
    expect(staged).toMatchObject({
      disclosureLabel: 'AI · Virtually staged',
      disclosureText: 'IA · Amueblado virtual',
      style: 'Moderno',
      disclosure: { label: 'AI · Virtually staged' },
    });
    expect(staged.disclosure.linkText).not.toBe('Digitally altered. View the original photo');
    const input = encodeURIComponent(JSON.stringify({ json: { propertyId } }));
    const headers = { 'accept-language': 'es-MX,es;q=0.9' };
    const answer = await visitor.send('GET', `/api/trpc/properties.getDetail?input=${input}`, { headers });
    expect(answer.data.images[1].disclosure).toEqual(staged.disclosure);
  });
});

describe('the agent card', () => {
  const card = async (propertyId: string) =>
    (await visitor.query('properties.getAgentCard', { propertyId })).data;

  test('shows the fields required for advertising, and the email address only if the agent chose so', async () => {
    const propertyId = await create();
    const shown = {
      agentId: agent.id,
      fullName: 'Ada Agent',
      photoUrl: null,
      licenseNumber: 'L-77',
      officeName: 'Corner Office',
      phone: '+1 206 555 0100',
      email: null,
    };
    expect(await card(propertyId)).toEqual(shown);
    const me = (await agent.mutate('users.updateProfile', { emailPublic: true })).data;
    expect(me.agent.emailPublic).toBe(true);
    const withEmail = { ...shown, email: `${agent.id}@example.com` };
    expect(await card(propertyId)).toEqual(withEmail);
    expect((await detailOf(visitor, propertyId)).data.agent).toEqual(withEmail);
    // Other changes keep the choice.
    await agent.mutate('users.updateProfile', { locale: 'en' });
    expect(await card(propertyId)).toEqual(withEmail);
    await agent.mutate('users.updateProfile', { emailPublic: false });
    expect(await card(propertyId)).toEqual(shown);
  });
});

describe('similar listings', () => {
  test('have the same market and place, the nearest first', async () => {
    const place = { city: 'Tacoma', stateOrProvince: 'WA', postalCode: '98402' };
    const home = (more: object) => create({ ...place, ...more });
    const propertyId = await home({});
    const near = await home({ listPrice: 650_000 });
    const larger = await home({ listPrice: 700_000, bedroomsTotal: 5, livingArea: 2900 });
    const other = { propertyType: 'Residential Lease', listPrice: 640_000 };
    for (const hidden of [other, { listPrice: 1_290_000 }, { stateOrProvince: 'OR' }]) await home(hidden);
    // From before a change of the site's currency.
    const older = await home({});
    await host.rows(`update properties set currency = 'EUR' where id = $1`, [older]);
    const pending = await home({});
    await agent.mutate('properties.setStatus', { propertyId: pending, standardStatus: 'Pending' });
    await home({ standardStatus: 'Incomplete' });
    const { data } = await visitor.query('properties.listSimilar', { propertyId });
    expect(data.items.map((item: { propertyId: string }) => item.propertyId)).toEqual([near, larger]);
    const one = await visitor.query('properties.listSimilar', { propertyId, limit: 1 });
    expect(one.data.items).toHaveLength(1);
  });
});

const READS = ['getDetail', 'getPriceHistory', 'getNeighborhoodStats', 'getAgentCard', 'listSimilar'];
const seen = ({ status, text, headers }: Answer) => ({
  status,
  text,
  type: headers.get('content-type'),
  cache: headers.get('cache-control'),
});

describe.each(READS)('properties.%s', (name) => {
  const ask = (person: Person, propertyId: string) => person.query(`properties.${name}`, { propertyId });

  test.each(STANDARD_STATUSES)('of a listing that is %s', async (standardStatus) => {
    const ownerAgentId = agent.id;
    const propertyId = await seedProperty(host.pool, { ownerAgentId, standardStatus });
    await seedOriginal(host.pool, { propertyId });
    const isPublic = standardStatus !== 'Incomplete' && standardStatus !== 'Delete';
    for (const person of [visitor, otherUser]) {
      const answer = await ask(person, propertyId);
      expect(answer.status).toBe(isPublic ? 200 : 404);
      if (!isPublic) expect(seen(answer)).toEqual(seen(await ask(person, randomUUID())));
    }
  });

  test('rejects an invalid id', async () => {
    const answer = await ask(visitor, 'nothing');
    expect([answer.status, answer.errorCode]).toEqual([400, 'INVALID_INPUT']);
  });
});

test('a draft listing is shown only to its own agents, and only its page', async () => {
  const colleague = await host.signedIn();
  const propertyId = await create({ standardStatus: 'Incomplete' });
  await assignTo(agent, propertyId, colleague);
  for (const person of [agent, colleague])
    expect((await detailOf(person, propertyId)).data).toMatchObject({ propertyId, daysOnMarket: null });
  for (const name of READS.slice(1))
    expect((await agent.query(`properties.${name}`, { propertyId })).status).toBe(404);
  await agent.mutate('properties.setStatus', { propertyId, standardStatus: 'Delete' });
  expect((await detailOf(agent, propertyId)).status).toBe(404);
});
