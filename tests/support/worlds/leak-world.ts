import { randomUUID } from 'node:crypto';
import {
  seedOpenHouse,
  seedOriginal,
  seedProperty,
  seedRoomGroup,
  seedStagingJob,
} from '../database/seed.ts';
import { seedDescription } from '../database/seed-description.ts';
import { seedThread } from '../database/seed-messages.ts';
import { seedReport } from '../database/seed-report.ts';
import type { ApiHost } from '../http/api-host.ts';
import type { Person } from '../http/person.ts';
import { MANUAL_EPOCH } from '../manual-time.ts';
import { corners } from '../pictures/photo-fixtures.ts';
import { storedDrift, storedOriginal, storedVariant } from '../pictures/stored-pictures.ts';
import { offerOf } from './listing-offers.ts';

/** What an id names; every call declares which kinds it takes. */
const KINDS = [
  'property',
  'image',
  'stagedPicture',
  'group',
  'job',
  'tour',
  'report',
  'attempt',
  'offer',
  'openHouse',
  'thread',
  'search',
  'webhook',
  'delivery',
  'person',
] as const;
export type Kind = (typeof KINDS)[number];

/** An agent with data of every kind, and outsiders without access to it. */
export interface LeakWorld {
  readonly hidden: Record<Kind, readonly string[]>;
  /** Public procedures that read private data. */
  readonly shown: Record<'property' | 'image' | 'stagedPicture', readonly string[]>;
  /** Texts that no answer to an outsider may hold. */
  readonly secrets: readonly string[];
  readonly outsiders: readonly (readonly [string, Person])[];
  /** The owning agent and the customer of the tour. */
  readonly insiders: readonly Person[];
  /** The listing of the other agent, who asks about it with ids of the first. */
  readonly own: { readonly propertyId: string };
  /** A photo that the person may stage; any other one for those who may stage none. */
  photoOf(person: Person): string;
  readonly photo: Buffer;
}

/** A word that occurs only in a private text column. */
const word = (): string => `secret-${randomUUID()}`;

export async function createLeakWorld(host: ApiHost): Promise<LeakWorld> {
  const [owner, other] = [await host.signedIn({ name: 'Olga Owner' }), await host.signedIn()];
  const guest = await host.signedIn({ role: 'customer', name: word() });
  const customer = await host.signedIn({ role: 'customer' });
  const photo = await corners().jpeg().toBuffer();
  const open = await listing(host, { ownerAgentId: owner.id, standardStatus: 'Active' }, photo);
  const draft = { standardStatus: 'Incomplete', address: word(), city: word(), publicRemarks: word() };
  const incomplete = await listing(host, { ownerAgentId: owner.id, ...draft }, photo);
  const deleted = await listing(host, { ownerAgentId: owner.id, standardStatus: 'Delete' }, photo);
  const own = await listing(host, { ownerAgentId: other.id, standardStatus: 'Active' }, photo);
  const gone = await rejected(host, owner, open);
  const homes = [open, incomplete, deleted];
  const tours = [await tour(host, open.propertyId, [owner, guest])];
  const to = await host.signedIn();
  const offers = [
    await offerOf(owner, { kind: 'Ownership', propertyId: open.propertyId, to }),
    await offerOf(owner, { kind: 'Assignment', propertyId: incomplete.propertyId, to }),
  ];
  const reportId = randomUUID();
  await seedReport(host.pool, { reportId, ...open, imageId: open.approved, customerId: guest.id });
  const [note, sharedAs] = [word(), word()];
  const saved = [[guest, open] as const, ...[customer, other].map((person) => [person, own] as const)];
  for (const [person, home] of saved) {
    const sql = `insert into favorites values ($1, $2, now(), 250000, 'Active', $3)`;
    await host.rows(sql, [person.id, home.propertyId, person === guest ? note : null]);
  }
  await guest.mutate('favorites.share', { name: sharedAs, withNotes: true });
  const searched = { filters: { words: word() }, name: word(), cadence: 'INSTANT', channels: ['MAIL'] };
  const { data: search } = await guest.mutate('searches.save', searched);
  const made = { url: `https://hooks.example.com/${word()}`, events: ['tour.requested'] };
  const { webhookId } = (await owner.mutate('webhooks.create', made)).data.webhook;
  const openHouseOf = new Map<string, string>();
  for (const { propertyId } of [incomplete, deleted])
    openHouseOf.set(propertyId, await seedOpenHouse(host.pool, { propertyId, remarks: word() }));
  const hidden: LeakWorld['hidden'] = {
    property: [incomplete.propertyId, deleted.propertyId],
    image: [
      open.pending,
      gone,
      ...[incomplete, deleted].flatMap((one) => [one.original, one.pending, one.approved]),
    ],
    // Where a picture comes from stays public forever once it was approved.
    stagedPicture: [gone, incomplete.original, ...homes.map(({ pending }) => pending)],
    group: homes.map(({ group }) => group),
    job: homes.flatMap(({ jobs }) => jobs),
    attempt: homes.flatMap(({ attempts }) => attempts),
    tour: tours,
    report: [reportId],
    offer: offers,
    // Of listings that are not on the market.
    openHouse: [incomplete, deleted].map(({ propertyId }) => openHouseOf.get(propertyId) ?? ''),
    thread: [await seedThread(host.pool, { ...open, customerId: guest.id, text: word() })],
    search: [search.id],
    webhook: [webhookId],
    delivery: [(await owner.mutate('webhooks.sendTest', { webhookId })).data.deliveryId],
    person: [guest.id],
  };
  return {
    hidden,
    photo,
    insiders: [owner, guest],
    own,
    photoOf: ({ id }) => (id === owner.id ? open.stageable : own.stageable),
    shown: {
      property: [open.propertyId],
      image: [open.original, open.approved],
      stagedPicture: homes.map(({ approved }) => approved),
    },
    secrets: [
      ...Object.values(hidden).flat(),
      ...(await privateTexts(host, [owner, guest])),
      'PENDING_REVIEW',
    ],
    outsiders: [
      ['nobody', host.anonymous()],
      ['a customer', customer],
      ['another agent', other],
    ],
  };
}

interface Home {
  propertyId: string;
  original: string;
  pending: string;
  approved: string;
  group: string;
  /** A photo of unknown size; the others are too small to be staged. */
  stageable: string;
  jobs: string[];
  attempts: string[];
}

/** A listing with pictures that are really stored, and a job in each of several states. */
async function listing(host: ApiHost, columns: Record<string, unknown>, bytes: Buffer): Promise<Home> {
  const { pool } = host;
  const propertyId = await seedProperty(pool, { latitude: 47.6, longitude: -122.3, ...columns });
  const original = await storedOriginal(host, { propertyId, bytes, format: 'jpeg' });
  // One after the other, because an original has one staged image of a style, and these begin as MODERN.
  const variant = async (reviewStatus: string, style: string) => {
    const id = await storedVariant(host, original, { reviewStatus, bytes, format: 'jpeg' });
    const sql = `update property_images set "canonicalStyle" = $2, "providerPredictionId" = $3 where id = $1`;
    await host.rows(sql, [id, style, word()]);
    await storedDrift(host, id);
    return id;
  };
  const pending = await variant('PENDING_REVIEW', 'TRADITIONAL');
  const approved = await variant('APPROVED', 'LUXURY');
  const jobs: string[] = [];
  const attempts: string[] = [];
  const states = [
    { status: 'PENDING', phase: 'QUEUED' },
    { status: 'PROCESSING', phase: 'ATTEMPT' },
    { status: 'SUCCESS', phase: null },
    { status: 'FAILED', phase: null },
  ] as const;
  const styles = ['SCANDINAVIAN', 'INDUSTRIAL', 'MODERN', 'FARMHOUSE'] as const;
  for (const [index, job] of states.entries()) {
    const style = styles[index] ?? 'LUXURY';
    const details = { prompt: word(), ...(job.status === 'SUCCESS' ? { resultImageId: pending } : {}) };
    const seeded = await seedStagingJob(pool, { original, canonicalStyle: style, job, details });
    jobs.push(seeded.jobId);
    if (job.status === 'PENDING') continue;
    const [row] = await host.rows<{ id: string }>(
      `insert into ai_provider_attempts ("aiJobId", "attemptNumber", status, "providerPredictionId", "objectKey")
       values ($1, 1, 'RUNNING', $2, $3) returning id`,
      [seeded.jobId, word(), `attempts/${word()}`],
    );
    attempts.push(row?.id ?? '');
  }
  const description = await seedDescription(pool, { propertyId });
  await host.rows(
    `update ai_description_jobs set text = $2, "providerPredictionId" = $3 where "aiJobId" = $1`,
    [description.jobId, word(), word()],
  );
  jobs.push(description.jobId);
  const group = await seedRoomGroup(pool, { propertyId, imageIds: [original.imageId] });
  const { imageId: stageable } = await seedOriginal(pool, { propertyId, position: 1 });
  return { propertyId, original: original.imageId, pending, approved, group, stageable, jobs, attempts };
}

/** A rejected staged image: its row is deleted, its review event and its object's deletion item exist. */
async function rejected(host: ApiHost, owner: Person, home: Home): Promise<string> {
  const bytes = await corners().jpeg().toBuffer();
  const original = { imageId: home.original, propertyId: home.propertyId };
  const imageId = await storedVariant(host, original, {
    reviewStatus: 'PENDING_REVIEW',
    bytes,
    format: 'jpeg',
  });
  const answer = await owner.mutate('ai.rejectStagedVariant', { imageId, reason: word() });
  if (answer.status !== 200) throw new Error(`the variant was not rejected: ${answer.text}`);
  return imageId;
}

async function tour(host: ApiHost, propertyId: string, [agent, guest]: [Person, Person]): Promise<string> {
  const day = MANUAL_EPOCH + 400 * 86_400_000;
  const slot = { startsAt: day, endsAt: day + 3_600_000 };
  const id = randomUUID();
  await host.rows(
    `insert into tours (id, "customerId", "propertyId", "agentId", kind, note, status, "proposedSlots",
       "proposedBy", "proposedById", "proposalExpiresAt", version, "createdAt", "updatedAt")
     values ($1, $2, $3, $4, 'VIRTUAL', $5, 'REQUESTED', $6, 'customer', $2, $7, 1, now(), now())`,
    [id, guest.id, propertyId, agent.id, word(), JSON.stringify([slot]), new Date(day)],
  );
  return id;
}

/** Read from the rows, so that later additions are searched as well. */
async function privateTexts(host: ApiHost, people: readonly Person[]): Promise<string[]> {
  const texts = await host.rows<{ text: string | null }>(
    `select unnest(array["objectKey", "providerInputKey", "paddedInputKey", "providerPredictionId"]) as text from property_images
     union select unnest(array["objectKey", "providerPredictionId"]) from ai_provider_attempts
     union select unnest(array[prompt, "providerInputKey"]) from ai_room_staging_jobs
     union select unnest(array[prompt, text, "providerPredictionId"]) from ai_description_jobs
     union select note from tours
     union select note from favorites
     union select text from messages
     union select unnest(array[name, "secretHash"]) from shared_lists
     union select "objectKey" from storage_deletion_outbox
     union select unnest(array[reason, "objectKey"]) from property_image_review_events
     union select unnest(array[address, city, "publicRemarks"]) from properties where "standardStatus" = 'Incomplete'
     union select token from session where "userId" = any($1)
     union select email from "user" where id = any($1)
     union select name from "user" where id = any($1) and role = 'customer'`,
    [people.map(({ id }) => id)],
  );
  return texts.flatMap(({ text }) => (text === null ? [] : [text]));
}

/** All rows of all tables but the host's own beat and the views that it counts, and but for those in which one of the given texts stands. */
export async function everyRow(
  host: ApiHost,
  except: readonly string[] = [],
): Promise<Record<string, string[]>> {
  const tables = await host.rows<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public'
     and table_type = 'BASE TABLE' and table_name not in ('role_fingerprints', 'listing_views') order by 1`,
  );
  const found: Record<string, string[]> = {};
  for (const { name } of tables) {
    const rows = await host.rows<{ row: string }>(
      `select to_jsonb(t)::text as row from "${name}" t order by 1`,
    );
    found[name] = rows.map(({ row }) => row).filter((row) => !except.some((text) => row.includes(text)));
  }
  return found;
}
