import { randomUUID } from 'node:crypto';
import type { Answer, Person, SendInit } from '../../support/http/person.ts';
import { VAPID } from '../../support/http/push-service.ts';
import type { Kind, LeakWorld } from '../../support/worlds/leak-world.ts';

/** One call of the API host that takes an id. */
export interface Way {
  readonly kind: Kind;
  readonly ask: (person: Person, id: string, world: LeakWorld) => Promise<Answer>;
  /** The public answer for a public id differs from the answer for an unknown one. */
  readonly isOpen?: true;
  /** The reason why even the owners of the id get the answer for an unknown one. */
  readonly sameForInsiders?: string;
}
/** Takes no id: called once, to check the answer. */
type Plain = (person: Person) => Promise<Answer>;
export interface LeakRequest {
  readonly ways: readonly Way[];
  readonly plain?: readonly Plain[];
}

const SLOTS = [{ startsAt: '2099-06-01T17:00:00.000Z', endsAt: '2099-06-01T18:00:00.000Z' }];
const NO_IDS = (...plain: Plain[]): LeakRequest => ({ ways: [], plain });
const only = (...ways: Way[]): LeakRequest => ({ ways });
type More = Omit<Way, 'kind' | 'ask'>;

const query =
  (procedure: string, input?: unknown): Plain =>
  (person) =>
    person.query(procedure, input);
const asking = (procedure: string, kind: Kind, inputOf: InputOf, more: More = {}): Way => ({
  kind,
  ...more,
  ask: (person, id, world) => person.query(procedure, inputOf(id, world)),
});
const doing = (procedure: string, kind: Kind, inputOf: InputOf, more: More = {}): Way => ({
  kind,
  ...more,
  ask: (person, id, world) => person.mutate(procedure, inputOf(id, world)),
});
type InputOf = (id: string, world: LeakWorld) => unknown;
const open = { isOpen: true } as const;
const cursor = { sameForInsiders: 'A cursor is a place in an order, whether something stands there or not.' };
const property: InputOf = (propertyId) => ({ propertyId });
const openHouse: InputOf = (openHouseId) => ({ openHouseId });
const image: InputOf = (imageId) => ({ imageId });
const job: InputOf = (aiJobId) => ({ aiJobId });
const tour = (procedure: string, more: object = {}): LeakRequest =>
  only(doing(procedure, 'tour', (tourId) => ({ tourId, expectedVersion: 1, ...more })));
const thread = (procedure: string, more: object = {}): LeakRequest =>
  only(doing(procedure, 'thread', (threadId) => ({ threadId, ...more })));
const search = (procedure: string, { more = {}, ...way }: More & { more?: object } = {}): LeakRequest =>
  only(doing(procedure, 'search', (id) => ({ id, ...more }), way));
const webhook = (procedure: string, more: object = {}, way: More = {}): LeakRequest =>
  only(doing(procedure, 'webhook', (webhookId) => ({ webhookId, ...more }), way));
const BROWSER = { endpoint: 'https://push.example.com/1', p256dh: VAPID.publicKey };
const written = () => ({ messageId: randomUUID(), text: 'Is the roof new?' });
const tourLists = (procedure: string): LeakRequest => ({
  ways: [
    asking(procedure, 'property', property),
    asking(procedure, 'tour', (id) => ({ cursor: `${Date.UTC(2099, 0)}_${id}` }), cursor),
  ],
  plain: [query(procedure, {})],
});
/** Names the owner, so that a call of the owner changes nothing. */
const listingAgent = (procedure: string): Way[] => [
  doing(procedure, 'property', (propertyId, { insiders }) => ({ propertyId, agentId: insiders[0]?.id })),
];
const UNKNOWN_SECRET = 'x'.repeat(43);
/** The caller's own list, as anyone with its address sees it. */
const shared: Plain = async (person) => {
  const { data } = await person.mutate('favorites.share', { name: 'Ours', withNotes: true });
  // Who may not share has no list.
  return person.query('favorites.getShared', { secret: data?.url.split('/').at(-1) ?? UNKNOWN_SECRET });
};
const ROOM = { roomType: 'BEDROOM', style: 'MODERN' };
const ANY = '00000000-0000-4000-8000-000000000000';
const everywhere = { bbox: [-180, -85, 180, 85], zoom: 10 };

export const PROCEDURES: Record<string, LeakRequest> = {
  'addresses.findSame': only(
    asking(
      'addresses.findSame',
      'property',
      (propertyId) => ({ propertyId, address: '1 Dock Street', city: 'Tacoma', country: 'US' }),
      { sameForInsiders: 'Of a listing with another address nothing is said.' },
    ),
  ),
  'addresses.locate': only(
    asking('addresses.locate', 'property', (propertyId) => ({ propertyId, city: 'Tacoma', country: 'US' }), {
      sameForInsiders: 'It says where public homes are, and only that.',
    }),
  ),
  'addresses.suggest': NO_IDS(query('addresses.suggest', { text: 'Dock Street', country: 'US' })),
  'ai.approveStagedVariant': only(doing('ai.approveStagedVariant', 'image', image)),
  'ai.approveStagedVariants': only(
    doing('ai.approveStagedVariants', 'image', (imageId) => ({ imageIds: [imageId] })),
  ),
  'ai.cancelStagingJob': only(doing('ai.cancelStagingJob', 'job', job)),
  'ai.createRoomGroup': only(
    doing('ai.createRoomGroup', 'property', (propertyId) => ({
      ...ROOM,
      propertyId,
      originalImageIds: [ANY],
    })),
    doing(
      'ai.createRoomGroup',
      'image',
      (id, { own }) => ({ ...ROOM, propertyId: own.propertyId, originalImageIds: [id] }),
      { sameForInsiders: 'Only photos of the same listing make a group.' },
    ),
  ),
  'ai.getDescriptionJob': only(asking('ai.getDescriptionJob', 'job', job)),
  'ai.getQuota': NO_IDS(query('ai.getQuota')),
  'ai.getStagingCatalog': NO_IDS(query('ai.getStagingCatalog')),
  'ai.getStagingJob': only(asking('ai.getStagingJob', 'job', job)),
  'ai.liftWithdrawal': only(doing('ai.liftWithdrawal', 'image', image)),
  'ai.listRoomGroups': only(asking('ai.listRoomGroups', 'property', property)),
  'ai.listStagedVariants': only(
    asking('ai.listStagedVariants', 'property', property),
    asking('ai.listStagedVariants', 'image', (originalImageId) => ({ originalImageId })),
  ),
  'ai.listStagingJobs': only(
    asking('ai.listStagingJobs', 'property', property),
    asking('ai.listStagingJobs', 'property', (propertyId) => ({ propertyId, statuses: ['SUCCESS'] })),
    asking('ai.listStagingJobs', 'job', (id, { own }) => ({ propertyId: own.propertyId, cursor: id }), {
      sameForInsiders: 'Only a job of the same listing is a cursor.',
    }),
  ),
  'ai.rejectStagedVariant': only(doing('ai.rejectStagedVariant', 'image', image)),
  'ai.requestDescription': only(
    doing('ai.requestDescription', 'property', (propertyId) => ({ propertyId, locale: 'en' })),
  ),
  'ai.submitRoomStaging': only(
    doing('ai.submitRoomStaging', 'image', (originalImageId) => ({
      assignments: [{ originalImageId, roomType: 'LIVING_ROOM', style: 'TRADITIONAL' }],
    })),
    {
      kind: 'group',
      // With a photo of the caller, so that only the group decides.
      ask: (person, groupId, { photoOf }) =>
        person.mutate('ai.submitRoomStaging', {
          groupId,
          assignments: [{ ...ROOM, originalImageId: photoOf(person) }],
        }),
    },
  ),
  'ai.withdrawStagedVariant': only(doing('ai.withdrawStagedVariant', 'image', image)),
  'alerts.getSettings': NO_IDS(query('alerts.getSettings')),
  'alerts.unsubscribe': NO_IDS((person) => person.mutate('alerts.unsubscribe', { token: UNKNOWN_SECRET })),
  'alerts.updateSettings': NO_IDS((person) =>
    person.mutate('alerts.updateSettings', { cadence: 'INSTANT', channels: ['MAIL'] }),
  ),
  'commute.area': NO_IDS(
    query('commute.area', { to: { latitude: 47.6, longitude: -122.3 }, mode: 'CAR', minutes: 30 }),
  ),
  'commute.times': only(
    asking(
      'commute.times',
      'property',
      (id) => ({ propertyIds: [id], to: { latitude: 47.6, longitude: -122.3 }, mode: 'CAR' }),
      { sameForInsiders: 'Times are those of public homes.' },
    ),
  ),
  'disclosure.check': only(
    asking('disclosure.check', 'property', property),
    asking('disclosure.check', 'property', (propertyId) => ({ propertyId, market: 'EU' })),
    asking('disclosure.check', 'image', image),
  ),
  'disclosure.confirm': only(
    doing('disclosure.confirm', 'property', (propertyId) => ({
      propertyId,
      market: 'GB',
      conditions: ['NOT_MISLEADING'],
      alteredPictures: '0'.repeat(64),
    })),
  ),
  'disclosure.listProfiles': NO_IDS(query('disclosure.listProfiles')),
  'favorites.add': only(doing('favorites.add', 'property', property, open)),
  'favorites.getShared': {
    ways: [
      asking(
        'favorites.getShared',
        'property',
        (id) => ({ secret: UNKNOWN_SECRET, cursor: `${Date.UTC(2099, 0)}_${id}` }),
        cursor,
      ),
    ],
    plain: [query('favorites.getShared', { secret: UNKNOWN_SECRET }), shared],
  },
  'favorites.getSharing': NO_IDS(query('favorites.getSharing')),
  'favorites.list': {
    ways: [asking('favorites.list', 'property', (id) => ({ cursor: `${Date.UTC(2099, 0)}_${id}` }), cursor)],
    plain: [query('favorites.list', {})],
  },
  'favorites.listIds': NO_IDS(query('favorites.listIds')),
  'favorites.remove': only(
    doing('favorites.remove', 'property', property, { sameForInsiders: 'Idempotent, for any id.' }),
  ),
  'favorites.setNote': only(
    doing('favorites.setNote', 'property', (propertyId) => ({ propertyId, note: 'A note.' })),
  ),
  'favorites.share': NO_IDS((person) => person.mutate('favorites.share', { name: 'Ours', withNotes: true })),
  'favorites.unshare': NO_IDS((person) => person.mutate('favorites.unshare')),
  'properties.reportData': only(
    doing(
      'properties.reportData',
      'property',
      (propertyId) => ({ propertyId, subject: 'PRICE', note: 'Sold.' }),
      open,
    ),
  ),
  'homes.countView': only(
    doing('homes.countView', 'property', property, { sameForInsiders: 'The same for any id.' }),
  ),
  'homes.listCards': only(
    asking('homes.listCards', 'property', (id) => ({ propertyIds: [id] }), {
      ...open,
      sameForInsiders: 'Only homes with a public page have cards.',
    }),
  ),
  'homes.merge': only(
    doing('homes.merge', 'property', (id) => ({ seen: [id], hidden: [id] }), {
      ...open,
      sameForInsiders: 'Only homes with a public page are kept.',
    }),
    doing('homes.merge', 'property', (id) => ({ restored: [id] }), {
      sameForInsiders: 'Idempotent, for any id.',
    }),
  ),
  'home.getFeatured': NO_IDS(query('home.getFeatured', {})),
  'home.getNearby': NO_IDS(query('home.getNearby', { latitude: 47.6, longitude: -122.3 })),
  'home.getPlaces': NO_IDS(query('home.getPlaces')),
  'messages.block': thread('messages.block', { isBlocked: false }),
  'messages.countUnread': NO_IDS(query('messages.countUnread')),
  'messages.list': only(
    asking('messages.list', 'person', (customerId, { shown }) => ({
      propertyId: shown.property[0],
      customerId,
    })),
    {
      kind: 'property',
      sameForInsiders: 'A thread that no one has begun is the same for any home.',
      ask: (person, propertyId) => person.query('messages.list', { propertyId, customerId: person.id }),
    },
  ),
  'messages.listThreads': {
    ways: [
      asking('messages.listThreads', 'thread', (id) => ({ cursor: `${Date.UTC(2099, 0)}_${id}` }), cursor),
    ],
    plain: [query('messages.listThreads', {})],
  },
  'messages.markRead': thread('messages.markRead', { seq: 1 }),
  'messages.open': only(
    doing('messages.open', 'property', (propertyId) => ({ propertyId, ...written() }), {
      ...open,
      sameForInsiders: 'A home without a public page has no questions, and its agents ask none.',
    }),
  ),
  'messages.report': thread('messages.report'),
  'messages.send': only(doing('messages.send', 'thread', (threadId) => ({ threadId, ...written() }))),
  'openHouses.cancel': only(doing('openHouses.cancel', 'openHouse', openHouse)),
  'openHouses.create': only(
    doing('openHouses.create', 'property', (propertyId) => ({
      propertyId,
      startsAt: '2099-01-03T18:00:00.000Z',
      endsAt: '2099-01-03T20:00:00.000Z',
    })),
  ),
  'openHouses.get': only(
    asking('openHouses.get', 'openHouse', openHouse, {
      ...open,
      sameForInsiders: 'Only open houses of homes on the market are shown.',
    }),
  ),
  'openHouses.list': only(asking('openHouses.list', 'property', property)),
  'openHouses.update': only(
    doing('openHouses.update', 'openHouse', (openHouseId) => ({ openHouseId, remarks: 'A note.' })),
  ),
  'properties.answerOffer': only(
    doing('properties.answerOffer', 'offer', (offerId) => ({ offerId, accept: false })),
  ),
  'properties.create': only(
    doing(
      'properties.create',
      'person',
      (id) => ({ listPrice: 1, address: 'A', city: 'B', assignedAgentIds: [id] }),
      { sameForInsiders: 'A customer cannot be assigned.' },
    ),
  ),
  'properties.declareAltered': only(
    doing('properties.declareAltered', 'image', (imageId) => ({ imageId, kind: 'Model Home' })),
    {
      kind: 'image',
      sameForInsiders: 'Only an unaltered photo of the same listing is an original.',
      // With a photo of the caller, so that only the original decides.
      ask: (person, originalImageId, { photoOf }) =>
        person.mutate('properties.declareAltered', {
          imageId: photoOf(person),
          kind: 'Model Home',
          originalImageId,
        }),
    },
  ),
  'properties.getAgentCard': only(asking('properties.getAgentCard', 'property', property, open)),
  'properties.getDetail': only(asking('properties.getDetail', 'property', property, open)),
  'properties.getFigures': only(asking('properties.getFigures', 'property', property)),
  'properties.getMine': only(asking('properties.getMine', 'property', property)),
  'properties.getNeighborhoodStats': only(
    asking('properties.getNeighborhoodStats', 'property', property, open),
  ),
  'properties.getPriceHistory': only(asking('properties.getPriceHistory', 'property', property, open)),
  'properties.leave': only(doing('properties.leave', 'property', property)),
  'properties.listAgents': only(asking('properties.listAgents', 'property', property)),
  'properties.listMine': {
    ways: [asking('properties.listMine', 'property', (id) => ({ cursor: id }), cursor)],
    plain: [query('properties.listMine', {})],
  },
  'properties.listSimilar': only(asking('properties.listSimilar', 'property', property, open)),
  'properties.offerAssignment': only(
    ...listingAgent('properties.offerAssignment'),
    doing('properties.offerAssignment', 'person', (agentId, { own }) => ({ ...own, agentId }), {
      sameForInsiders: 'A customer cannot be assigned.',
    }),
  ),
  'properties.offerOwnership': only(
    ...listingAgent('properties.offerOwnership'),
    doing('properties.offerOwnership', 'person', (agentId, { own }) => ({ ...own, agentId }), {
      sameForInsiders: 'A customer cannot own a listing.',
    }),
  ),
  'properties.setStatus': only(
    doing('properties.setStatus', 'property', (propertyId) => ({ propertyId, standardStatus: 'Pending' })),
    doing('properties.setStatus', 'property', (propertyId) => ({ propertyId, standardStatus: 'Delete' })),
  ),
  'properties.unassignAgent': only(...listingAgent('properties.unassignAgent')),
  'properties.update': only(
    doing('properties.update', 'property', (propertyId) => ({ propertyId, city: 'Elsewhere' })),
  ),
  'properties.withdrawOffer': only(doing('properties.withdrawOffer', 'offer', (offerId) => ({ offerId }))),
  'provenance.get': only(
    asking('provenance.get', 'stagedPicture', (stagedImageId) => ({ stagedImageId }), open),
  ),
  'provenance.log': NO_IDS(query('provenance.log', {})),
  'provenance.prove': only(
    asking('provenance.prove', 'stagedPicture', (stagedImageId) => ({ stagedImageId }), open),
  ),
  'searches.list': NO_IDS(query('searches.list')),
  'searches.markSeen': search('searches.markSeen'),
  'searches.remove': search('searches.remove', { sameForInsiders: 'Idempotent, for any id.' }),
  'searches.save': NO_IDS((person) =>
    person.mutate('searches.save', { filters: {}, cadence: 'NONE', channels: ['MAIL'] }),
  ),
  'searches.update': search('searches.update', { more: { cadence: 'INSTANT' } }),
  'push.getKey': NO_IDS(query('push.getKey')),
  'push.subscribe': NO_IDS((person) => person.mutate('push.subscribe', { ...BROWSER, auth: 'A'.repeat(22) })),
  'push.unsubscribe': NO_IDS((person) => person.mutate('push.unsubscribe', { endpoint: BROWSER.endpoint })),
  'search.featureCounts': NO_IDS(query('search.featureCounts', {})),
  'search.getFilterCatalog': NO_IDS(query('search.getFilterCatalog')),
  'search.list': NO_IDS(
    query('search.list', {}),
    query('search.list', { filters: { statuses: ['Active', 'Closed', 'Pending'] }, sort: 'NEWEST' }),
    query('search.list', { filters: { words: 'secret' } }),
    query('search.list', { filters: { soldWithinDays: 1095 }, sort: 'RECENTLY_SOLD' }),
  ),
  'search.map': NO_IDS(query('search.map', everywhere), query('search.map', { ...everywhere, zoom: 20 })),
  'search.placeNames': NO_IDS(query('search.placeNames', everywhere)),
  'search.suggestLocations': NO_IDS(
    query('search.suggestLocations', { text: 'secret' }),
    query('search.suggestLocations', { text: '1 test' }),
  ),
  'tours.acceptReschedule': tour('tours.acceptReschedule'),
  'tours.answerMismatch': only(
    doing('tours.answerMismatch', 'report', (reportId) => ({ reportId, answer: 'acknowledge' })),
  ),
  'tours.cancel': tour('tours.cancel'),
  'tours.complete': tour('tours.complete'),
  'tours.confirm': tour('tours.confirm'),
  'tours.contestNoShow': only(doing('tours.contestNoShow', 'tour', (tourId) => ({ tourId }))),
  'tours.countUnread': NO_IDS(query('tours.countUnread')),
  'tours.decline': tour('tours.decline', { reason: 'No' }),
  'tours.get': only(asking('tours.get', 'tour', (tourId) => ({ tourId }))),
  'tours.listForAgent': tourLists('tours.listForAgent'),
  'tours.listMine': tourLists('tours.listMine'),
  'tours.listThreads': {
    ways: [asking('tours.listThreads', 'tour', (id) => ({ cursor: `${Date.UTC(2099, 0)}_${id}` }), cursor)],
    plain: [query('tours.listThreads', {})],
  },
  'tours.markRead': only(doing('tours.markRead', 'tour', (tourId) => ({ tourId, version: 1 }))),
  'tours.listMismatchReports': only(
    asking('tours.listMismatchReports', 'property', property),
    asking(
      'tours.listMismatchReports',
      'report',
      (id, { own }) => ({ ...own, cursor: `${Date.UTC(2099, 0)}_${id}` }),
      cursor,
    ),
  ),
  'tours.markNoShow': tour('tours.markNoShow'),
  'tours.proposeReschedule': tour('tours.proposeReschedule', { slots: SLOTS }),
  'tours.refuseReschedule': tour('tours.refuseReschedule'),
  'tours.reportMismatch': only(
    doing('tours.reportMismatch', 'tour', (tourId, { shown }) => ({
      tourId,
      imageIds: shown.image.slice(-1),
    })),
  ),
  'tours.request': only(
    doing('tours.request', 'property', (propertyId) => ({ propertyId, slots: SLOTS }), open),
  ),
  'tours.undo': tour('tours.undo'),
  'users.becomeAgent': NO_IDS((person) =>
    person.mutate('users.becomeAgent', { licenseNumber: 'L-1', officeName: 'An office' }),
  ),
  'users.confirmDeletion': NO_IDS((person) => person.mutate('users.confirmDeletion', { code: '000000' })),
  'users.exportMyData': NO_IDS((person) => person.mutate('users.exportMyData', { code: '000000' })),
  'users.findAgent': NO_IDS(query('users.findAgent', { email: 'nobody@example.com' })),
  'users.getMe': NO_IDS(query('users.getMe')),
  'users.inviteColleague': NO_IDS((person) =>
    person.mutate('users.inviteColleague', { email: 'invited@example.com' }),
  ),
  'users.listOffers': {
    ways: [
      asking('users.listOffers', 'property', property, { sameForInsiders: 'A filter of the own offers.' }),
      asking('users.listOffers', 'offer', (id) => ({ cursor: `${Date.UTC(2099, 0)}_${id}` }), cursor),
    ],
    plain: [query('users.listOffers', {})],
  },
  'users.listSessions': NO_IDS(query('users.listSessions')),
  'users.requestDeletion': NO_IDS((person) => person.mutate('users.requestDeletion')),
  'users.requestExport': NO_IDS((person) => person.mutate('users.requestExport')),
  'users.requestVerification': NO_IDS((person) => person.mutate('users.requestVerification')),
  'users.revokeOtherSessions': NO_IDS((person) => person.mutate('users.revokeOtherSessions')),
  // Takes the id of a session, which only its own person can read.
  'users.revokeSession': NO_IDS((person) => person.mutate('users.revokeSession', { sessionId: person.id })),
  'users.updateProfile': NO_IDS((person) => person.mutate('users.updateProfile', { locale: 'en' })),
  'users.verifySession': NO_IDS((person) => person.mutate('users.verifySession', { code: '000000' })),
  'webhooks.create': NO_IDS((person) =>
    person.mutate('webhooks.create', {
      url: `https://hooks.example.com/${randomUUID()}`,
      events: ['tour.requested'],
    }),
  ),
  'webhooks.list': NO_IDS(query('webhooks.list')),
  'webhooks.listDeliveries': only(
    asking('webhooks.listDeliveries', 'webhook', (webhookId) => ({ webhookId })),
  ),
  'webhooks.remove': webhook('webhooks.remove', {}, { sameForInsiders: 'Idempotent, for any id.' }),
  'webhooks.resend': only(doing('webhooks.resend', 'delivery', (deliveryId) => ({ deliveryId }))),
  'webhooks.rotateSecret': webhook('webhooks.rotateSecret'),
  'webhooks.sendTest': webhook('webhooks.sendTest'),
  'webhooks.update': webhook('webhooks.update', { events: ['tour.confirmed'] }),
};

const sending =
  (method: string, pathOf: (id: string) => string, init?: SendInit): Way['ask'] =>
  (person, id) =>
    person.send(method, pathOf(id), init);
const patching = (change: object): Way => ({
  kind: 'image',
  ask: sending('PATCH', (id) => `/api/property-images/${id}`, { body: JSON.stringify(change) }),
});
const showing = (search: string, method = 'GET', headers: Record<string, string> = {}): Way => ({
  kind: 'image',
  isOpen: true,
  ask: sending(method, (id) => `/api/images/${id}${search}`, { headers }),
});
const plainly =
  (method: string, path: string): Plain =>
  (person) =>
    person.send(method, path);

/** All routes of the API host, as `<methods> <path>`. */
export const ROUTES: Record<string, LeakRequest> = {
  // Procedures: the table above.
  '* /api/trpc/*': NO_IDS(plainly('GET', '/api/trpc/users.getMe')),
  // No part of sign-in takes an id.
  '* /api/auth/*': NO_IDS(plainly('GET', '/api/auth/get-session')),
  'POST /api/property-images': only({
    kind: 'property',
    ask: (person, propertyId, { photo }) => person.upload(photo, { propertyId }),
  }),
  'PATCH /api/property-images/:imageId': only(
    patching({ isMain: true }),
    patching({ position: 3 }),
    patching({ roomType: 'OFFICE' }),
  ),
  'DELETE /api/property-images/:imageId': only({
    kind: 'image',
    ask: sending('DELETE', (id) => `/api/property-images/${id}`),
  }),
  'GET /api/images/:imageId': only(
    showing(''),
    showing('', 'HEAD'),
    showing('?w=64'),
    showing('?w=64', 'HEAD'),
    showing('?w=48&h=48&fit=contain&format=webp&q=40'),
    { ...showing('?w=64&format=png'), sameForInsiders: 'There is no such format to ask for.' },
    showing('', 'GET', { 'if-none-match': '*' }),
    showing('?w=64', 'GET', { 'if-none-match': '*' }),
    showing('', 'GET', { range: 'bytes=0-9' }),
  ),
  'GET /api/images/:imageId/drift': only(
    showing('/drift'),
    showing('/drift', 'HEAD'),
    showing('/drift', 'GET', { 'if-none-match': '*' }),
  ),
  'POST /api/alert-switches/:token': NO_IDS(plainly('POST', '/api/alert-switches/unknown')),
  'GET /api/alert-switches/:token': NO_IDS(plainly('GET', '/api/alert-switches/unknown')),
  'POST /api/mail-switches/:name': NO_IDS(plainly('POST', '/api/mail-switches/unknown')),
  'GET /api/mail-switches/:name': NO_IDS(plainly('GET', '/api/mail-switches/unknown')),
  'PUT /api/users/avatar': NO_IDS(plainly('PUT', '/api/users/avatar')),
  'DELETE /api/users/avatar': NO_IDS(plainly('DELETE', '/api/users/avatar')),
  'GET /api/avatars/:avatarId': only(
    ...(['image', 'person'] as const).map(
      (kind): Way => ({
        kind,
        ask: sending('GET', (id) => `/api/avatars/${id}`),
        sameForInsiders: 'An avatar has a public id of its own.',
      }),
    ),
  ),
  'GET /api/disclosure/:file': only(
    ...(['GET', 'HEAD'] as const).map(
      (method): Way => ({ kind: 'property', ask: sending(method, (id) => `/api/disclosure/${id}.zip`) }),
    ),
    {
      kind: 'property',
      ask: sending('GET', (id) => `/api/disclosure/${id}.zip?market=nowhere`),
    },
  ),
  'GET /api/provenance/:imageId/qr.svg': only({
    kind: 'stagedPicture',
    isOpen: true,
    ask: sending('GET', (id) => `/api/provenance/${id}/qr.svg`),
  }),
  'POST /api/webhooks/provider/staging/:providerAttemptId': only({
    kind: 'attempt',
    ask: sending('POST', (id) => `/api/webhooks/provider/staging/${id}`, {
      body: JSON.stringify({ id: 'p', status: 'succeeded' }),
    }),
    sameForInsiders: 'Unsigned, whichever client sends it.',
  }),
  'GET /reso/odata': NO_IDS(plainly('GET', '/reso/odata')),
  'GET /reso/odata/*': only({
    kind: 'property',
    ask: sending('GET', (id) => `/reso/odata/Property('${id}')`),
    sameForInsiders: 'Without a token nothing is looked up.',
  }),
  'POST /reso/oauth2/token': NO_IDS(plainly('POST', '/reso/oauth2/token')),
  'GET /healthz': NO_IDS(plainly('GET', '/healthz')),
  'GET /.well-known/security.txt': NO_IDS(plainly('GET', '/.well-known/security.txt')),
  'GET /readyz': NO_IDS(plainly('GET', '/readyz')),
};

/** An unused id with the same place as the given one in every sort order. */
export function twinOf(id: string): string {
  for (;;) {
    const twin = id.slice(0, -6) + randomUUID().slice(-6);
    if (twin !== id) return twin;
  }
}
