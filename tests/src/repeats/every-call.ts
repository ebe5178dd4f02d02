import { randomUUID } from 'node:crypto';
import { seedComparison, seedOpenHouse, seedStagingJob, seedVariant } from '../../support/database/seed.ts';
import { seedThread } from '../../support/database/seed-messages.ts';
import { seedCompletedTour, seedReport } from '../../support/database/seed-report.ts';
import type { ApiHost } from '../../support/http/api-host.ts';
import type { Answer, Person } from '../../support/http/person.ts';
import { VAPID } from '../../support/http/push-service.ts';
import { TOUR_SLOTS } from '../../support/machines/event-catalogues.ts';
import { MANUAL_EPOCH as AT } from '../../support/manual-time.ts';
import { corners } from '../../support/pictures/photo-fixtures.ts';
import { assignTo, offerOf } from '../../support/worlds/listing-offers.ts';
import { type SetClock, type Visit, visit, wire } from '../../support/worlds/tour-visits.ts';

/** A successful call, ready to be sent with a key any number of times. */
type Repeatable = (key: string) => Promise<Answer>;
interface CallWorld {
  readonly host: ApiHost;
  readonly clock: SetClock;
}
type Prepare = (world: CallWorld) => Promise<Repeatable>;

const mutation =
  (person: Person, procedure: string, input: unknown): Repeatable =>
  (key) =>
    person.send('POST', `/api/trpc/${procedure}`, {
      body: JSON.stringify({ json: input }),
      headers: { 'idempotency-key': key },
    });
const route =
  (person: Person, method: string, path: string, body?: () => FormData | string): Repeatable =>
  (key) =>
    person.send(method, path, {
      headers: { 'idempotency-key': key },
      ...(body === undefined ? {} : { body: body() }),
    });

const signedIn = ({ host }: CallWorld) => host.signedIn();
/** A call of an agent about a listing with one photo. */
const ofListing =
  (procedure: string, inputOf: (home: Home) => unknown): Prepare =>
  async (world) => {
    const home = await homeOf(world);
    return mutation(home.owner, procedure, inputOf(home));
  };
interface Home {
  owner: Person;
  other: Person;
  propertyId: string;
  imageId: string;
}
async function homeOf({ host }: CallWorld): Promise<Home> {
  const [owner, other] = [await host.signedIn(), await host.signedIn()];
  return { owner, other, ...(await host.listing(owner)) };
}
const ofVariant =
  (procedure: string): Prepare =>
  async (world) => {
    const home = await homeOf(world);
    return mutation(home.owner, procedure, { imageId: await seedVariant(world.host.pool, home) });
  };

const { first, second } = TOUR_SLOTS;
const requested = async (scene: Visit) => ({
  tourId: String((await scene.request()).data.tourId),
  expectedVersion: 1,
});
const countered = async (scene: Visit) => {
  const seen = await requested(scene);
  await scene.agent.mutate('tours.proposeReschedule', { ...seen, slots: [wire(second)] });
  return { ...seen, expectedVersion: 2 };
};
const confirmed = async (scene: Visit) => {
  const seen = await requested(scene);
  await scene.agent.mutate('tours.confirm', { ...seen, startsAt: wire(first).startsAt });
  return { ...seen, expectedVersion: 2 };
};
const declined = async (scene: Visit) => {
  const seen = await requested(scene);
  await scene.agent.mutate('tours.decline', { ...seen, reason: 'No' });
  return { ...seen, expectedVersion: 2 };
};
const ofTour =
  (
    name: string,
    side: 'agent' | 'customer',
    before: (scene: Visit) => Promise<object>,
    { more = {}, at = AT }: { more?: object; at?: number } = {},
  ): Prepare =>
  async ({ host, clock }) => {
    clock.at = AT;
    const scene = await visit(host);
    const seen = await before(scene);
    clock.at = at;
    return mutation(scene[side], `tours.${name}`, { ...seen, ...more });
  };

const photo = await corners().jpeg().toBuffer();
const withPhoto = (fields: Record<string, string>) => () => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('file', new Blob([new Uint8Array(photo)]), 'photo.jpg');
  return form;
};
const AVATAR = '/api/users/avatar';

const ofOpenHouse =
  (procedure: string, more: object = {}): Prepare =>
  async (world) => {
    const { owner, propertyId } = await homeOf(world);
    return mutation(owner, procedure, {
      openHouseId: await seedOpenHouse(world.host.pool, { propertyId }),
      ...more,
    });
  };

const BROWSER = { endpoint: 'https://push.example.com/1', p256dh: VAPID.publicKey };

const ofThread =
  (procedure: string, more: object): Prepare =>
  async (world) => {
    const { owner, other, propertyId } = await homeOf(world);
    const threadId = await seedThread(world.host.pool, { propertyId, customerId: other.id });
    return mutation(owner, procedure, { threadId, ...more });
  };

const SEARCH = { filters: { beds: { min: 2 } }, cadence: 'INSTANT', channels: ['MAIL'] };
const ofSearch =
  (procedure: string, more: object = {}): Prepare =>
  async (world) => {
    const person = await signedIn(world);
    const { id } = (await person.mutate('searches.save', SEARCH)).data;
    return mutation(person, procedure, { id, ...more });
  };

const webhookOf = async ({ host }: CallWorld) => {
  const agent = await host.signedIn({ role: 'agent' });
  const made = { url: 'https://hooks.example.com/1', events: ['tour.requested'] };
  const { webhookId } = (await agent.mutate('webhooks.create', made)).data.webhook;
  return { agent, webhookId };
};
const ofWebhook =
  (procedure: string, more: object = {}): Prepare =>
  async (world) => {
    const { agent, webhookId } = await webhookOf(world);
    return mutation(agent, procedure, { webhookId, ...more });
  };

const approvedOf = ({ host }: CallWorld, home: Home) =>
  seedVariant(host.pool, home, { reviewStatus: 'APPROVED' });
const ofApproved =
  (procedure: string): Prepare =>
  async (world) => {
    const home = await homeOf(world);
    return mutation(home.owner, procedure, { imageId: await approvedOf(world, home) });
  };

/** One for each line of `src/repeats/repeat-rules.ts`. */
export const EVERY_CALL: Readonly<Record<string, Prepare>> = {
  'ai.approveStagedVariant': ofVariant('ai.approveStagedVariant'),
  'ai.approveStagedVariants': async (world) => {
    const home = await homeOf(world);
    const imageId = await seedVariant(world.host.pool, home);
    await seedComparison(world.host.pool, imageId);
    return mutation(home.owner, 'ai.approveStagedVariants', { imageIds: [imageId, randomUUID()] });
  },
  'ai.cancelStagingJob': async (world) => {
    const home = await homeOf(world);
    const original = { ...home, objectKey: '', providerInputKey: '' };
    const { jobId } = await seedStagingJob(world.host.pool, { original });
    return mutation(home.owner, 'ai.cancelStagingJob', { aiJobId: jobId });
  },
  'ai.createRoomGroup': ofListing('ai.createRoomGroup', ({ propertyId, imageId }) => ({
    propertyId,
    roomType: 'OFFICE',
    style: 'MODERN',
    originalImageIds: [imageId],
  })),
  'ai.liftWithdrawal': ofApproved('ai.liftWithdrawal'),
  'ai.rejectStagedVariant': ofVariant('ai.rejectStagedVariant'),
  'ai.requestDescription': ofListing('ai.requestDescription', ({ propertyId }) => ({
    propertyId,
    locale: 'en',
  })),
  'ai.submitRoomStaging': ofListing('ai.submitRoomStaging', ({ imageId: originalImageId }) => ({
    assignments: [
      { originalImageId, roomType: 'OFFICE', style: 'MODERN' },
      { originalImageId, roomType: 'OFFICE', style: 'LUXURY' },
    ],
  })),
  'ai.withdrawStagedVariant': ofApproved('ai.withdrawStagedVariant'),
  'alerts.updateSettings': async (world) =>
    mutation(await signedIn(world), 'alerts.updateSettings', { cadence: 'DAILY', channels: ['PUSH'] }),
  'disclosure.confirm': async (world) => {
    const home = await homeOf(world);
    const { propertyId } = home;
    await approvedOf(world, home);
    const market = 'GB';
    const { data } = await home.owner.query('disclosure.check', { propertyId, market });
    return mutation(home.owner, 'disclosure.confirm', {
      propertyId,
      market,
      conditions: ['NOT_MISLEADING'],
      alteredPictures: data.alteredPictures,
    });
  },
  'favorites.add': ofListing('favorites.add', ({ propertyId }) => ({ propertyId })),
  'favorites.remove': ofListing('favorites.remove', ({ propertyId }) => ({ propertyId })),
  'favorites.setNote': async (world) => {
    const { owner, propertyId } = await homeOf(world);
    await owner.mutate('favorites.add', { propertyId });
    return mutation(owner, 'favorites.setNote', { propertyId, note: 'A quiet street.' });
  },
  'favorites.unshare': async (world) => mutation(await signedIn(world), 'favorites.unshare', {}),
  'homes.merge': ofListing('homes.merge', ({ propertyId }) => ({ hidden: [propertyId] })),
  'messages.block': ofThread('messages.block', { isBlocked: true }),
  'messages.markRead': ofThread('messages.markRead', { seq: 1 }),
  'messages.open': async (world) => {
    const { propertyId } = await homeOf(world);
    const customer = await world.host.signedIn({ role: 'customer' });
    return mutation(customer, 'messages.open', { propertyId, messageId: randomUUID(), text: 'New roof?' });
  },
  'messages.report': ofThread('messages.report', { note: 'Rude.' }),
  'messages.send': ofThread('messages.send', { messageId: randomUUID(), text: 'Yes.' }),
  'openHouses.cancel': ofOpenHouse('openHouses.cancel'),
  'openHouses.create': ofListing('openHouses.create', ({ propertyId }) => ({
    propertyId,
    startsAt: '2099-01-03T18:00:00.000Z',
    endsAt: '2099-01-03T20:00:00.000Z',
  })),
  'openHouses.update': ofOpenHouse('openHouses.update', { remarks: 'Ring twice.' }),
  'properties.answerOffer': async (world) => {
    const { owner, other, propertyId } = await homeOf(world);
    const offerId = await offerOf(owner, { kind: 'Ownership', propertyId, to: other });
    return mutation(other, 'properties.answerOffer', { offerId, accept: true, keepFormerOwner: true });
  },
  'properties.create': async (world) =>
    mutation(await signedIn(world), 'properties.create', { listPrice: 1, address: randomUUID(), city: 'X' }),
  'properties.declareAltered': ofListing('properties.declareAltered', ({ imageId }) => ({
    imageId,
    kind: 'Model Home',
  })),
  'properties.leave': async (world) => {
    const { owner, other, propertyId } = await homeOf(world);
    await assignTo(owner, propertyId, other);
    return mutation(other, 'properties.leave', { propertyId });
  },
  'properties.offerAssignment': ofListing('properties.offerAssignment', agentOf),
  'properties.offerOwnership': ofListing('properties.offerOwnership', agentOf),
  'properties.setStatus': ofListing('properties.setStatus', ({ propertyId }) => ({
    propertyId,
    standardStatus: 'Pending',
  })),
  'properties.unassignAgent': ofListing('properties.unassignAgent', agentOf),
  'properties.update': ofListing('properties.update', ({ propertyId }) => ({
    propertyId,
    listPrice: 260_000,
    city: 'Oslo',
  })),
  'properties.withdrawOffer': async (world) => {
    const { owner, other, propertyId } = await homeOf(world);
    const offerId = await offerOf(owner, { kind: 'Assignment', propertyId, to: other });
    return mutation(owner, 'properties.withdrawOffer', { offerId });
  },
  'searches.markSeen': ofSearch('searches.markSeen'),
  'searches.remove': ofSearch('searches.remove'),
  'searches.save': async (world) => mutation(await signedIn(world), 'searches.save', SEARCH),
  'searches.update': ofSearch('searches.update', { cadence: 'WEEKLY', name: 'Ours' }),
  'push.subscribe': async (world) =>
    mutation(await signedIn(world), 'push.subscribe', { ...BROWSER, auth: 'A'.repeat(22) }),
  'push.unsubscribe': async (world) =>
    mutation(await signedIn(world), 'push.unsubscribe', { endpoint: BROWSER.endpoint }),
  'tours.acceptReschedule': ofTour('acceptReschedule', 'customer', countered),
  'tours.answerMismatch': async (world) => {
    const home = await homeOf(world);
    const [imageId, reportId] = [await approvedOf(world, home), randomUUID()];
    const { id: customerId } = await world.host.signedIn({ role: 'customer' });
    await seedReport(world.host.pool, { ...home, imageId, reportId, customerId });
    return mutation(home.owner, 'tours.answerMismatch', { reportId, answer: 'withdraw' });
  },
  'tours.cancel': ofTour('cancel', 'customer', confirmed),
  'tours.complete': ofTour('complete', 'agent', confirmed, { at: first.startsAt }),
  'tours.confirm': ofTour('confirm', 'agent', requested, { more: { startsAt: wire(first).startsAt } }),
  'tours.contestNoShow': async ({ host, clock }) => {
    clock.at = AT;
    const scene = await visit(host);
    const seen = await confirmed(scene);
    clock.at = first.startsAt;
    await scene.agent.mutate('tours.markNoShow', { ...seen, note: null });
    return mutation(scene.customer, 'tours.contestNoShow', { tourId: seen.tourId });
  },
  'tours.decline': ofTour('decline', 'agent', requested, { more: { reason: 'No' } }),
  'tours.markNoShow': ofTour('markNoShow', 'agent', confirmed, { at: first.startsAt + 3_600_000 }),
  'tours.markRead': async ({ host, clock }) => {
    clock.at = AT;
    const scene = await visit(host);
    const { tourId } = await requested(scene);
    return mutation(scene.agent, 'tours.markRead', { tourId, version: 1 });
  },
  'tours.proposeReschedule': ofTour('proposeReschedule', 'agent', requested, {
    more: { slots: [wire(second)] },
  }),
  'tours.refuseReschedule': ofTour('refuseReschedule', 'customer', countered),
  'tours.reportMismatch': async (world) => {
    world.clock.at = AT;
    const home = await homeOf(world);
    const imageIds = [await approvedOf(world, home)];
    const visitor = await world.host.signedIn({ role: 'customer' });
    const tourId = await seedCompletedTour(world.host.pool, { ...home, customerId: visitor.id });
    return mutation(visitor, 'tours.reportMismatch', { tourId, imageIds });
  },
  'tours.request': async ({ host, clock }) => {
    clock.at = AT;
    const { customer, propertyId } = await visit(host);
    return mutation(customer, 'tours.request', { propertyId, slots: [wire(first)] });
  },
  'tours.undo': ofTour('undo', 'agent', declined),
  'users.becomeAgent': async ({ host }) =>
    mutation(await host.signedIn({ role: 'customer' }), 'users.becomeAgent', {
      licenseNumber: 'L-1',
      officeName: 'Office',
    }),
  'users.inviteColleague': async ({ host }) =>
    mutation(await host.signedIn({ role: 'agent' }), 'users.inviteColleague', {
      email: 'new@office.example',
    }),
  'webhooks.remove': ofWebhook('webhooks.remove'),
  'webhooks.resend': async (world) => {
    const { agent, webhookId } = await webhookOf(world);
    const { deliveryId } = (await agent.mutate('webhooks.sendTest', { webhookId })).data;
    return mutation(agent, 'webhooks.resend', { deliveryId });
  },
  'webhooks.sendTest': ofWebhook('webhooks.sendTest'),
  'webhooks.update': ofWebhook('webhooks.update', { events: ['tour.confirmed'] }),
  'users.updateProfile': async (world) =>
    mutation(await signedIn(world), 'users.updateProfile', { name: 'Zoë' }),
  'POST /api/property-images': async (world) => {
    const { owner, propertyId } = await homeOf(world);
    return route(owner, 'POST', '/api/property-images', withPhoto({ propertyId }));
  },
  'PATCH /api/property-images/:imageId': async (world) => {
    const { owner, imageId } = await homeOf(world);
    return route(owner, 'PATCH', `/api/property-images/${imageId}`, () => '{"roomType":"OFFICE"}');
  },
  'DELETE /api/property-images/:imageId': async (world) => {
    const { owner, imageId } = await homeOf(world);
    return route(owner, 'DELETE', `/api/property-images/${imageId}`);
  },
  'PUT /api/users/avatar': async (world) => route(await signedIn(world), 'PUT', AVATAR, withPhoto({})),
  'DELETE /api/users/avatar': async (world) => route(await signedIn(world), 'DELETE', AVATAR),
};

function agentOf({ propertyId, other }: Home) {
  return { propertyId, agentId: other.id };
}
