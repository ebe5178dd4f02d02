import { randomUUID } from 'node:crypto';
import { seedOpenHouse, seedStagingJob, seedVariant } from '../../support/database/seed.ts';
import { seedDescription } from '../../support/database/seed-description.ts';
import { seedThread } from '../../support/database/seed-messages.ts';
import { seedReport } from '../../support/database/seed-report.ts';
import type { ApiHost } from '../../support/http/api-host.ts';
import type { Person } from '../../support/http/person.ts';
import { MANUAL_EPOCH } from '../../support/manual-time.ts';
import { corners } from '../../support/pictures/photo-fixtures.ts';
import { storedDrift, storedVariant } from '../../support/pictures/stored-pictures.ts';
import { offerOf } from '../../support/worlds/listing-offers.ts';

/**
 * All kinds of callers, seen from one listing: `customer` and `other` (an agent) have nothing to do with it, `guest` is
 * the customer of its tour, `assigned` and `owner` are its agents, and `operator` has the console's password and no
 * account.
 */
export const CALLERS = ['nobody', 'operator', 'customer', 'guest', 'other', 'assigned', 'owner'] as const;
export type Caller = (typeof CALLERS)[number];

/** A listing with everything that belongs to it, made on first use. */
export interface Home {
  readonly propertyId: string;
  readonly imageId: string;
  readonly people: Readonly<Record<Caller, Person>>;
  /** An agent who could be assigned. */
  readonly newcomerId: string;
  readonly photo: Buffer;
  variant(): Promise<string>;
  approvedVariant(): Promise<string>;
  /** The name of the altered pictures after one was approved, as its owner sees it. */
  alteredPictures(): Promise<string>;
  /** The same with its picture. */
  storedVariant(): Promise<string>;
  /** A staged picture with a heat map. */
  comparedVariant(): Promise<string>;
  stagingJob(): Promise<string>;
  description(): Promise<string>;
  tour(): Promise<string>;
  /** An offer of the owner to `other`. */
  offer(): Promise<string>;
  /** An open house of the listing. */
  openHouse(): Promise<string>;
  /** A thread of messages of the guest. */
  thread(): Promise<string>;
  /** A customer's report about an approved variant. */
  report(): Promise<string>;
  /** The listing, which everyone who is signed in has saved. */
  saved(): Promise<string>;
  /** A webhook of the owner, and a delivery of it. */
  webhook(): Promise<string>;
  delivery(): Promise<string>;
  /** A search that the guest has saved. */
  search(): Promise<string>;
  /** The secret in the address of the guest's list. */
  sharedSecret(): Promise<string>;
}

const SLOT = {
  startsAt: new Date(MANUAL_EPOCH + 24 * 3_600_000).toISOString(),
  endsAt: new Date(MANUAL_EPOCH + 25 * 3_600_000).toISOString(),
};
export const SLOTS = [SLOT];
const photo = await corners().jpeg().toBuffer();

/** New people and a new listing, so that no call depends on an earlier one. */
export async function createHome(host: ApiHost): Promise<Home> {
  const [customer, guest, other, assigned, owner, newcomer] = await Promise.all([
    host.signedIn({ role: 'customer' }),
    host.signedIn({ role: 'customer' }),
    host.signedIn(),
    host.signedIn(),
    host.signedIn(),
    host.signedIn(),
  ] as const);
  const nobody = host.anonymous();
  const home = await host.listing(owner);
  const { propertyId } = home;
  await host.rows(
    'insert into property_agents ("propertyId", "agentId", "assignedAt") values ($1, $2, null)',
    [propertyId, assigned.id],
  );
  const original = { ...home, objectKey: '', providerInputKey: '' };
  const webhook = async (): Promise<string> => {
    await host.rows('delete from webhook_endpoints where "userId" = $1', [owner.id]);
    const made = { url: `https://hooks.example.com/${randomUUID()}`, events: ['tour.requested'] };
    return String((await owner.mutate('webhooks.create', made)).data.webhook.webhookId);
  };
  const waitingVariant = () =>
    storedVariant(host, home, { reviewStatus: 'PENDING_REVIEW', bytes: photo, format: 'jpeg' });
  return {
    ...home,
    photo,
    newcomerId: newcomer.id,
    people: { nobody, operator: nobody, customer, guest, other, assigned, owner },
    variant: () => seedVariant(host.pool, home),
    storedVariant: waitingVariant,
    async comparedVariant() {
      const imageId = await waitingVariant();
      await storedDrift(host, imageId);
      return imageId;
    },
    approvedVariant: () => seedVariant(host.pool, home, { reviewStatus: 'APPROVED' }),
    async alteredPictures() {
      await seedVariant(host.pool, home, { reviewStatus: 'APPROVED' });
      return String((await owner.query('disclosure.check', { propertyId })).data.alteredPictures);
    },
    stagingJob: async () => (await seedStagingJob(host.pool, { original })).jobId,
    description: async () => (await seedDescription(host.pool, { propertyId })).jobId,
    offer: () => offerOf(owner, { kind: 'Ownership', propertyId, to: other }),
    openHouse: () => seedOpenHouse(host.pool, { propertyId }),
    thread: () => seedThread(host.pool, { propertyId, customerId: guest.id }),
    async report() {
      const reportId = randomUUID();
      const imageId = await seedVariant(host.pool, home, { reviewStatus: 'APPROVED' });
      await seedReport(host.pool, { reportId, imageId, propertyId, customerId: guest.id });
      return reportId;
    },
    async saved() {
      for (const person of [customer, guest, other, assigned, owner])
        await person.mutate('favorites.add', { propertyId });
      return propertyId;
    },
    webhook,
    async delivery() {
      const sent = await owner.mutate('webhooks.sendTest', { webhookId: await webhook() });
      return String(sent.data.deliveryId);
    },
    async search() {
      const search = { filters: {}, cadence: 'NONE', channels: ['MAIL'] };
      return String((await guest.mutate('searches.save', search)).data.id);
    },
    async sharedSecret() {
      const { data } = await guest.mutate('favorites.share', { name: 'Ours', withNotes: true });
      return String(data.url).split('/').at(-1) ?? '';
    },
    async tour() {
      const asked = await guest.mutate('tours.request', { propertyId, slots: SLOTS });
      if (asked.status !== 200) throw new Error(`no tour was made: ${asked.text}`);
      return String(asked.data.tourId);
    },
  };
}
