import { randomUUID } from 'node:crypto';
import type { Guard } from '../../../src/api/procedure-meta.ts';
import type { PublicErrorCode } from '../../../src/errors/public-errors.ts';
import { createAlertTokens } from '../../../src/mail/alerts/alert-tokens.ts';
import { createMailSwitches } from '../../../src/mail/mail-switches.ts';
import type { Answer, Person, SendInit } from '../../support/http/person.ts';
import { VAPID } from '../../support/http/push-service.ts';
import { sharedStack } from '../../support/platform/stack.ts';
import { type Caller, type Home, SLOTS } from './access-world.ts';

/**
 * Who may call what: one line for each procedure and each route of the API host. `access.test.ts` calls each
 * of them as every caller, and fails for one without a line here.
 */
export type Told = 'in' | PublicErrorCode;
interface Audience {
  readonly who: Guard;
  readonly told: Readonly<Record<Caller, Told>>;
}

const all = (told: Told): Audience['told'] => ({
  nobody: told,
  operator: told,
  customer: told,
  guest: told,
  other: told,
  assigned: told,
  owner: told,
});
const unauthorized = { nobody: 'UNAUTHORIZED', operator: 'UNAUTHORIZED' } as const;
const noAgents = { customer: 'AGENT_REQUIRED', guest: 'AGENT_REQUIRED' } as const;

const anyone: Audience = { who: 'public', told: all('in') };
const signedIn: Audience = { who: 'session', told: { ...all('in'), ...unauthorized } };
const agents: Audience = { who: 'agent', told: { ...signedIn.told, ...noAgents } };
const agentsOfListing: Audience = { who: 'agent', told: { ...agents.told, other: 'NOT_FOUND' } };
const owner: Audience = { who: 'agent', told: { ...agentsOfListing.told, assigned: 'FORBIDDEN' } };
/** The owner cannot leave. */
const assigned: Audience = { who: 'agent', told: { ...agentsOfListing.told, owner: 'FORBIDDEN' } };
/** An offer of the owner to `other`: each has a decision, and no one else is told of it. */
const offered: Audience = {
  who: 'agent',
  told: { ...agents.told, assigned: 'NOT_FOUND', owner: 'FORBIDDEN' },
};
const offering: Audience = {
  who: 'agent',
  told: { ...agents.told, assigned: 'NOT_FOUND', other: 'FORBIDDEN' },
};
const sidesOfTour: Audience = {
  who: 'session',
  told: { ...signedIn.told, customer: 'NOT_FOUND', other: 'NOT_FOUND' },
};
/** Only who visited the home; its agents are told of no such tour. */
const visitorOfTour: Audience = {
  who: 'session',
  told: { ...sidesOfTour.told, assigned: 'NOT_FOUND', owner: 'NOT_FOUND' },
};
/** Only who saved the search. */
const searcher: Audience = {
  who: 'session',
  told: { ...all('NOT_FOUND'), ...unauthorized, guest: 'in' },
};
/** A webhook belongs to one agent, not to a listing. */
const webhookOwner: Audience = {
  who: 'agent',
  told: { ...agents.told, other: 'NOT_FOUND', assigned: 'NOT_FOUND' },
};
/** Agents cannot request a tour of their own listing. */
const visitors: Audience = {
  who: 'session',
  told: { ...signedIn.told, assigned: 'FORBIDDEN', owner: 'FORBIDDEN' },
};
/** A route that exists only for agents of the listing; others get 404. */
const routeOfListing: Audience = {
  who: 'agent',
  told: { ...agentsOfListing.told, customer: 'NOT_FOUND', guest: 'NOT_FOUND' },
};
/** A session of another person is answered as not found. */
const unknownSession: Audience = { who: 'session', told: { ...all('NOT_FOUND'), ...unauthorized } };
const provider: Audience = { who: 'public', told: all('WEBHOOK_SIGNATURE_INVALID') };

export interface Access {
  readonly audience: Audience;
  readonly input: (home: Home) => unknown;
}
/** No input: the procedure takes none. The input must be valid, or the answer does not show who may call. */
const to = (audience: Audience, input: Access['input'] = () => undefined): Access => ({ audience, input });

const listing = ({ propertyId }: Home) => ({ propertyId });
const newcomer = ({ propertyId, newcomerId: agentId }: Home) => ({ propertyId, agentId });
const variant = async (home: Home) => ({ imageId: await home.variant() });
const approvedVariant = async (home: Home) => ({ imageId: await home.approvedVariant() });
const stagingJob = async (home: Home) => ({ aiJobId: await home.stagingJob() });
const tour =
  (more: object = {}) =>
  async (home: Home) => ({ tourId: await home.tour(), expectedVersion: 1, ...more });
const thread =
  (more: object = {}) =>
  async (home: Home) => ({ threadId: await home.thread(), ...more });
const WRITTEN = { messageId: '6f1f7f0a-3f7a-4b0e-9f0e-2a7d6f1c9b01', text: 'Is the roof new?' };
const BROWSER = {
  endpoint: 'https://push.example.com/1',
  p256dh: VAPID.publicKey,
  auth: 'A'.repeat(22),
};
const given = (input: unknown) => () => input;

export const PROCEDURE_ACCESS: Readonly<Record<string, Access>> = {
  'addresses.findSame': to(agents, given({ address: '1 Dock Street', city: 'Tacoma', country: 'US' })),
  'addresses.locate': to(agents, given({ city: 'Tacoma', country: 'US' })),
  'addresses.suggest': to(agents, given({ text: 'Dock Street', country: 'US' })),
  'ai.approveStagedVariant': to(agentsOfListing, variant),
  'ai.approveStagedVariants': to(agents, async (home) => ({ imageIds: [await home.variant()] })),
  'ai.cancelStagingJob': to(agentsOfListing, stagingJob),
  'ai.createRoomGroup': to(agentsOfListing, ({ propertyId, imageId }) => ({
    propertyId,
    roomType: 'OFFICE',
    style: 'MODERN',
    originalImageIds: [imageId],
  })),
  'ai.getDescriptionJob': to(agentsOfListing, async (home) => ({ aiJobId: await home.description() })),
  'ai.getQuota': to(agents),
  'ai.getStagingCatalog': to(anyone),
  'ai.getStagingJob': to(agentsOfListing, stagingJob),
  'ai.liftWithdrawal': to(agentsOfListing, approvedVariant),
  'ai.listRoomGroups': to(agentsOfListing, listing),
  'ai.listStagedVariants': to(agentsOfListing, listing),
  'ai.listStagingJobs': to(agentsOfListing, listing),
  'ai.rejectStagedVariant': to(agentsOfListing, variant),
  'ai.requestDescription': to(agentsOfListing, ({ propertyId }) => ({ propertyId, locale: 'en' })),
  'ai.submitRoomStaging': to(agentsOfListing, ({ imageId: originalImageId }) => ({
    assignments: [{ originalImageId, roomType: 'OFFICE', style: 'MODERN' }],
  })),
  'ai.withdrawStagedVariant': to(agentsOfListing, approvedVariant),
  'alerts.getSettings': to(signedIn),
  'alerts.unsubscribe': to(anyone, ({ people }) => ({ token: alertTokenOf(people.owner.id) })),
  'alerts.updateSettings': to(signedIn, given({ cadence: 'DAILY' })),
  'commute.area': to(anyone, given({ to: { latitude: 47.6, longitude: -122.3 }, mode: 'CAR', minutes: 30 })),
  'commute.times': to(anyone, ({ propertyId }) => ({
    propertyIds: [propertyId],
    to: { latitude: 47.6, longitude: -122.3 },
    mode: 'CAR',
  })),
  'disclosure.check': to(agentsOfListing, listing),
  'disclosure.confirm': to(agentsOfListing, async (home) => ({
    propertyId: home.propertyId,
    market: 'GB',
    conditions: ['NOT_MISLEADING'],
    alteredPictures: await home.alteredPictures(),
  })),
  'disclosure.listProfiles': to(agents),
  'favorites.add': to(signedIn, listing),
  'favorites.getShared': to(anyone, async (home) => ({ secret: await home.sharedSecret() })),
  'favorites.getSharing': to(signedIn),
  'favorites.list': to(signedIn, given({})),
  'favorites.listIds': to(signedIn),
  'favorites.remove': to(signedIn, listing),
  'favorites.setNote': to(signedIn, async (home) => ({ propertyId: await home.saved(), note: 'A note.' })),
  'favorites.share': to(signedIn, given({ name: 'Ours', withNotes: true })),
  'favorites.unshare': to(signedIn),
  'home.getFeatured': to(anyone, given({})),
  'home.getNearby': to(anyone, given({ latitude: 47.6, longitude: -122.3 })),
  'home.getPlaces': to(anyone, given(undefined)),
  'homes.countView': to(anyone, listing),
  'properties.reportData': to(anyone, ({ propertyId }) => ({ propertyId, subject: 'PRICE', note: 'Sold.' })),
  'homes.listCards': to(anyone, ({ propertyId }) => ({ propertyIds: [propertyId] })),
  'homes.merge': to(signedIn, ({ propertyId }) => ({ seen: [propertyId] })),
  'messages.block': to(sidesOfTour, thread({ isBlocked: true })),
  'messages.countUnread': to(signedIn),
  'messages.list': to(sidesOfTour, async (home) => {
    await home.thread();
    return { propertyId: home.propertyId, customerId: home.people.guest.id };
  }),
  'messages.listThreads': to(signedIn, given({})),
  'messages.markRead': to(sidesOfTour, thread({ seq: 1 })),
  'messages.open': to(visitors, ({ propertyId }) => ({ propertyId, ...WRITTEN })),
  'messages.report': to(sidesOfTour, thread()),
  'messages.send': to(sidesOfTour, thread(WRITTEN)),
  'openHouses.cancel': to(agentsOfListing, async (home) => ({ openHouseId: await home.openHouse() })),
  'openHouses.create': to(agentsOfListing, ({ propertyId }) => ({
    propertyId,
    startsAt: '2099-01-03T18:00:00.000Z',
    endsAt: '2099-01-03T20:00:00.000Z',
  })),
  'openHouses.get': to(anyone, async (home) => ({ openHouseId: await home.openHouse() })),
  'openHouses.list': to(agentsOfListing, listing),
  'openHouses.update': to(agentsOfListing, async (home) => ({
    openHouseId: await home.openHouse(),
    remarks: 'Parking behind the house.',
  })),
  'properties.answerOffer': to(offered, async (home) => ({ offerId: await home.offer(), accept: true })),
  'properties.create': to(agents, given({ listPrice: 1, address: 'A', city: 'B' })),
  'properties.declareAltered': to(agentsOfListing, ({ imageId }) => ({ imageId, kind: 'Model Home' })),
  'properties.getAgentCard': to(anyone, listing),
  'properties.getDetail': to(anyone, listing),
  'properties.getFigures': to(agentsOfListing, listing),
  'properties.getMine': to(agentsOfListing, listing),
  'properties.getNeighborhoodStats': to(anyone, listing),
  'properties.getPriceHistory': to(anyone, listing),
  'properties.leave': to(assigned, listing),
  'properties.listAgents': to(agentsOfListing, listing),
  'properties.listMine': to(agents, given({})),
  'properties.listSimilar': to(anyone, listing),
  'properties.offerAssignment': to(owner, newcomer),
  'properties.offerOwnership': to(owner, newcomer),
  'properties.setStatus': to(agentsOfListing, ({ propertyId }) => ({
    propertyId,
    standardStatus: 'Pending',
  })),
  'properties.unassignAgent': to(owner, newcomer),
  'properties.update': to(agentsOfListing, ({ propertyId }) => ({ propertyId, city: 'Elsewhere' })),
  'properties.withdrawOffer': to(offering, async (home) => ({ offerId: await home.offer() })),
  'provenance.get': to(anyone, async (home) => ({ stagedImageId: await home.approvedVariant() })),
  'provenance.log': to(anyone, given({})),
  'provenance.prove': to(anyone, async (home) => ({ stagedImageId: await home.approvedVariant() })),
  'searches.list': to(signedIn),
  'searches.markSeen': to(searcher, async (home) => ({ id: await home.search() })),
  'searches.remove': to(signedIn, async (home) => ({ id: await home.search() })),
  'searches.save': to(signedIn, given({ filters: {}, cadence: 'NONE', channels: ['MAIL'] })),
  'searches.update': to(searcher, async (home) => ({ id: await home.search(), name: 'Ours' })),
  'push.getKey': to(signedIn),
  'push.subscribe': to(signedIn, given(BROWSER)),
  'push.unsubscribe': to(signedIn, given({ endpoint: BROWSER.endpoint })),
  'search.featureCounts': to(anyone, given({})),
  'search.getFilterCatalog': to(anyone),
  'search.list': to(anyone, given({})),
  'search.map': to(anyone, given({ bbox: [-180, -85, 180, 85], zoom: 10 })),
  'search.placeNames': to(anyone, given({ bbox: [-180, -85, 180, 85], zoom: 10 })),
  'search.suggestLocations': to(anyone, given({ text: 'spring' })),
  'tours.acceptReschedule': to(sidesOfTour, tour()),
  'tours.answerMismatch': to(agentsOfListing, async (home) => ({
    reportId: await home.report(),
    answer: 'acknowledge',
  })),
  'tours.cancel': to(sidesOfTour, tour()),
  'tours.complete': to(sidesOfTour, tour()),
  'tours.confirm': to(sidesOfTour, tour()),
  'tours.contestNoShow': to(sidesOfTour, async (home) => ({ tourId: await home.tour() })),
  'tours.countUnread': to(signedIn),
  'tours.decline': to(sidesOfTour, tour({ reason: 'No' })),
  'tours.get': to(sidesOfTour, async (home) => ({ tourId: await home.tour() })),
  'tours.listForAgent': to(signedIn, given({})),
  'tours.listMismatchReports': to(agentsOfListing, listing),
  'tours.listMine': to(signedIn, given({})),
  'tours.listThreads': to(signedIn, given({})),
  'tours.markNoShow': to(sidesOfTour, tour()),
  'tours.markRead': to(sidesOfTour, async (home) => ({ tourId: await home.tour(), version: 1 })),
  'tours.proposeReschedule': to(sidesOfTour, tour({ slots: SLOTS })),
  'tours.refuseReschedule': to(sidesOfTour, tour()),
  'tours.reportMismatch': to(visitorOfTour, async (home) => ({
    tourId: await home.tour(),
    imageIds: [await home.approvedVariant()],
  })),
  'tours.request': to(visitors, ({ propertyId }) => ({ propertyId, slots: SLOTS })),
  'tours.undo': to(sidesOfTour, tour()),
  'users.becomeAgent': to(signedIn, given({ licenseNumber: 'L-1', officeName: 'Office' })),
  'users.confirmDeletion': to(signedIn, given({ code: '000000' })),
  'users.exportMyData': to(signedIn, given({ code: '000000' })),
  'users.findAgent': to(agents, ({ newcomerId }) => ({ email: `${newcomerId}@example.com` })),
  'users.getMe': to(signedIn),
  'users.inviteColleague': to(agents, given({ email: 'invited@example.com' })),
  'users.listOffers': to(agents, given({})),
  'users.listSessions': to(signedIn),
  'users.requestDeletion': to(signedIn),
  'users.requestExport': to(signedIn),
  'users.requestVerification': to(signedIn),
  'users.revokeOtherSessions': to(signedIn),
  'users.revokeSession': to(unknownSession, () => ({ sessionId: randomUUID() })),
  'users.updateProfile': to(signedIn, given({ locale: 'en' })),
  'users.verifySession': to(signedIn, given({ code: '000000' })),
  'webhooks.create': to(agents, () => ({
    url: `https://hooks.example.com/${randomUUID()}`,
    events: ['tour.requested'],
  })),
  'webhooks.list': to(agents),
  'webhooks.listDeliveries': to(webhookOwner, async (home) => ({ webhookId: await home.webhook() })),
  'webhooks.remove': to(agents, async (home) => ({ webhookId: await home.webhook() })),
  'webhooks.resend': to(webhookOwner, async (home) => ({ deliveryId: await home.delivery() })),
  'webhooks.rotateSecret': to(webhookOwner, async (home) => ({ webhookId: await home.webhook() })),
  'webhooks.sendTest': to(webhookOwner, async (home) => ({ webhookId: await home.webhook() })),
  'webhooks.update': to(webhookOwner, async (home) => ({ webhookId: await home.webhook(), isOn: false })),
};

export interface RouteAccess {
  readonly audience: Audience;
  readonly ask: (send: Send, home: Home) => Promise<Answer>;
}
export type Send = Person['send'];
const by = (audience: Audience, ask: RouteAccess['ask']): RouteAccess => ({ audience, ask });
const sent =
  (method: string, pathOf: (home: Home) => string, init: SendInit = {}): RouteAccess['ask'] =>
  (send, home) =>
    send(method, pathOf(home), init);

const withPhoto =
  (method: string, path: string, fields: (home: Home) => Record<string, string>): RouteAccess['ask'] =>
  (send, home) => {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields(home))) body.set(name, value);
    body.set('file', new Blob([new Uint8Array(home.photo)]), 'photo.jpg');
    return send(method, path, { body });
  };
const anImage = ({ imageId }: Home) => `/api/property-images/${imageId}`;
const OWN_PICTURE = '/api/users/avatar';
const switchOf = (userId: string): string =>
  createMailSwitches(sharedStack().secrets.authSecret).sign({ userId, kind: 'LISTING_OFFER' });

const alertTokenOf = (userId: string): string =>
  createAlertTokens(sharedStack().secrets.authSecret).sign({ userId, about: 'ALL' });

/** As `<methods> <path>`. */
export const ROUTE_ACCESS: Readonly<Record<string, RouteAccess>> = {
  // Procedures: the table above.
  '* /api/trpc/*': by(
    anyone,
    sent('GET', () => '/api/trpc/ai.getStagingCatalog'),
  ),
  '* /api/auth/*': by(
    anyone,
    sent('GET', () => '/api/auth/get-session'),
  ),
  'POST /api/property-images': by(
    routeOfListing,
    withPhoto('POST', '/api/property-images', ({ propertyId }) => ({ propertyId })),
  ),
  'PATCH /api/property-images/:imageId': by(
    routeOfListing,
    sent('PATCH', anImage, { body: '{"position":0}' }),
  ),
  'DELETE /api/property-images/:imageId': by(routeOfListing, sent('DELETE', anImage)),
  // A staged picture that is not approved.
  'GET /api/images/:imageId': by(
    { who: 'public', told: { ...all('NOT_FOUND'), assigned: 'in', owner: 'in' } },
    async (send, home) => send('GET', `/api/images/${await home.storedVariant()}`),
  ),
  // The heat map of a staged picture that is not approved.
  'GET /api/images/:imageId/drift': by(
    { who: 'public', told: { ...all('NOT_FOUND'), assigned: 'in', owner: 'in' } },
    async (send, home) => send('GET', `/api/images/${await home.comparedVariant()}/drift`),
  ),
  'PUT /api/users/avatar': by(
    signedIn,
    withPhoto('PUT', OWN_PICTURE, () => ({})),
  ),
  'DELETE /api/users/avatar': by(
    signedIn,
    sent('DELETE', () => OWN_PICTURE),
  ),
  'GET /api/avatars/:avatarId': by(anyone, async (send, { people, photo }) => {
    const body = new FormData();
    body.set('file', new Blob([new Uint8Array(photo)]), 'photo.jpg');
    const { image } = (await people.other.send('PUT', OWN_PICTURE, { body })).body;
    return send('GET', new URL(image).pathname);
  }),
  // The listing's photo has no object, so agents of the listing are told that it is lost.
  'GET /api/disclosure/:file': by(
    routeOfListing,
    sent('GET', ({ propertyId }) => `/api/disclosure/${propertyId}.zip`),
  ),
  'GET /api/provenance/:imageId/qr.svg': by(anyone, async (send, home) =>
    send('GET', `/api/provenance/${await home.approvedVariant()}/qr.svg`),
  ),
  'POST /api/webhooks/provider/staging/:providerAttemptId': by(
    provider,
    sent('POST', ({ imageId: anyId }) => `/api/webhooks/provider/staging/${anyId}`, {
      body: '{"id":"p","status":"succeeded"}',
    }),
  ),
  'GET /healthz': by(
    anyone,
    sent('GET', () => '/healthz'),
  ),
  'POST /api/alert-switches/:token': by(
    anyone,
    sent('POST', ({ people }) => `/api/alert-switches/${alertTokenOf(people.owner.id)}`),
  ),
  'GET /api/alert-switches/:token': by(
    { who: 'public', told: all('NOT_FOUND') },
    sent('GET', () => '/api/alert-switches/unknown'),
  ),
  // Whoever has the mail has the name; any other one is unknown.
  'POST /api/mail-switches/:name': by(
    anyone,
    sent('POST', ({ people }) => `/api/mail-switches/${switchOf(people.owner.id)}`),
  ),
  'GET /api/mail-switches/:name': by(
    { who: 'public', told: all('NOT_FOUND') },
    sent('GET', () => '/api/mail-switches/unknown'),
  ),
  'GET /.well-known/security.txt': by(
    anyone,
    sent('GET', () => '/.well-known/security.txt'),
  ),
  'GET /readyz': by(
    anyone,
    sent('GET', () => '/readyz'),
  ),
};
