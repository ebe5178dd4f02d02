import { LISTING_HASH } from '../../../persistence/feeds/listing-columns.ts';
import type { JobName, Life } from '../../support/worlds/life.ts';
import { dropCheck, dropIndex, GONE, type SeededViolation } from './seeded-violation.ts';

const REVIEW: SeededViolation[] = [
  {
    title: 'an approval without an operator',
    sql: ({ images }) =>
      `update property_images set "reviewStatus" = 'APPROVED' where id = '${images.waiting}'`,
    offender: ({ images }) => `image ${images.waiting} is approved without`,
    named: ['I16', 'I39'],
  },
  {
    title: 'an approval whose event is gone',
    sql: ({ images }) => `delete from property_image_review_events where "imageId" = '${images.approved}'`,
    offender: ({ images }) => `image ${images.approved} is approved without`,
    named: ['I16', 'I39'],
  },
  {
    title: 'a rejection whose event is gone',
    sql: ({ images }) => `delete from property_image_review_events where "imageId" = '${images.rejected}'`,
    offender: ({ images }) => `image ${images.rejected} was rejected without an event`,
    named: ['I16'],
    inState: false,
  },
  {
    title: 'a rejection that does not say of what',
    sql: ({ images }) => `update property_image_review_events set "objectKey" = null
      where "imageId" = '${images.rejected}'`,
    offender: ({ images }) => `the rejection of image ${images.rejected} does not say`,
    named: ['I16'],
    inState: false,
  },
  {
    title: 'an image that was approved twice',
    sql: ({
      images,
    }) => `${dropCheck('property_image_review_events', 'property_image_review_events_imageId_kind_key')}
      insert into property_image_review_events (kind, "imageId", at) values ('APPROVED', '${images.approved}', now())`,
    offender: ({ images }) => `review event APPROVED ${images.approved} twice`,
    named: ['I16'],
  },
  {
    title: 'an approval without a record',
    sql: ({ images }) => `delete from provenance_records where "stagedImageId" = '${images.approved}'`,
    offender: ({ images }) => `image ${images.approved} is approved without its original`,
    named: ['I39'],
  },
  {
    title: 'a record of another original',
    sql: ({ images, originals }) => `update provenance_records set "originalImageId" = '${originals.plain}'
      where "stagedImageId" = '${images.approved}'`,
    offender: ({ images }) => `image ${images.approved} is approved without its original`,
    named: ['I39'],
  },
  {
    title: 'a record of other bytes',
    sql: ({ images }) => `update provenance_records set "outputChecksum" = '${'0'.repeat(64)}'
      where "stagedImageId" = '${images.approved}'`,
    offender: ({ images }) => `image ${images.approved} is approved without its original`,
    named: ['I39'],
    inState: false,
  },
  {
    title: 'a record that names another person than the approval',
    sql: ({ images }) => `update provenance_records set "approvedByUserId" = gen_random_uuid()
      where "stagedImageId" = '${images.approved}'`,
    offender: ({ images }) => `image ${images.approved} is approved without its original`,
    named: ['I39'],
  },
  {
    title: 'a photo that is shown as two kinds of room',
    sql: ({ images, originals }) => `
      update property_images v set "reviewStatus" = 'APPROVED', "reviewedByUserId" = a."reviewedByUserId",
        "reviewedAt" = a."reviewedAt", "propertyId" = a."propertyId", "styledFromId" = a."styledFromId",
        "canonicalStyle" = 'LUXURY', "roomType" = 'BATHROOM'
      from property_images a where v.id = '${images.waiting}' and a.id = '${images.approved}';
      insert into property_image_review_events (kind, "imageId", "propertyId", "styledFromId", "actorUserId",
        "objectKey", at)
      select 'APPROVED', id, "propertyId", "styledFromId", "reviewedByUserId", "objectKey", "reviewedAt"
      from property_images where id = '${images.waiting}';
      insert into provenance_records ("stagedImageId", "propertyId", "originalImageId", "originalChecksum",
        "outputChecksum", "approvedByUserId", "approverRole", "disclosureLabel", "stagedAt", "approvedAt", "recordedAt")
      select v.id, v."propertyId", o.id, o."outputChecksum", v."outputChecksum", v."reviewedByUserId", 'agent',
        'AI · Virtually staged', v."createdAt", v."reviewedAt", v."reviewedAt"
      from property_images v join property_images o on o.id = v."styledFromId"
      where v.id = '${images.waiting}' and o.id = '${originals.staged}'`,
    offender: ({ originals }) => `photo ${originals.staged} is shown as`,
    named: ['I45'],
  },
  {
    title: 'a picture of an altered photo that is shown',
    sql: ({
      images,
    }) => `update property_images set alteration = 'Model Home', "alterationBy" = 'AGENT', "isMain" = false
      where id = (select "styledFromId" from property_images where id = '${images.approved}')`,
    offender: ({ images }) => `was altered and picture ${images.approved} of it is shown`,
    named: ['I46'],
    inState: false,
  },
  {
    title: 'an altered photo that is the cover',
    sql: ({ originals }) => `${dropCheck('property_images', 'property_images_alteration_check')}
      update property_images set alteration = 'Model Home', "alterationBy" = 'AGENT' where id = '${originals.plain}';
      update property_images set "isMain" = false where "propertyId" = (
        select "propertyId" from property_images where id = '${originals.plain}');
      update property_images set "isMain" = true where id = '${originals.plain}'`,
    offender: ({ originals }) => `photo ${originals.plain} was altered and is the cover`,
    named: ['I46'],
    inState: false,
  },
  {
    title: 'an altered photo that is being staged',
    sql: ({ jobs }) => `
      update property_images set alteration = 'Model Home', "alterationBy" = 'AGENT'
      where id = (select "originalImageId" from ai_room_staging_jobs where "aiJobId" = '${jobs.queued}')`,
    offender: ({ jobs }) => `was altered and has the open job ${jobs.queued}`,
    named: ['I46'],
    inState: false,
  },
  {
    title: 'a withdrawal that nobody noted',
    sql: ({ images }) => `update property_images set "withdrawnAt" = now(), "withdrawnBy" = 'AGENT'
      where id = '${images.approved}'`,
    offender: ({ images }) => `image ${images.approved} is withdrawn, its last event is none`,
    named: ['I40'],
  },
  {
    title: 'a withdrawal that was undone by hand',
    sql: ({ images }) => `insert into provenance_events ("stagedImageId", kind, by, at)
      values ('${images.approved}', 'WITHDRAWN', 'REPORTS', now())`,
    offender: ({ images }) => `image ${images.approved} is not withdrawn, its last event is WITHDRAWN`,
    named: ['I40'],
  },
  {
    title: 'a staged image without a review',
    sql: ({ images }) => `${dropCheck('property_images', 'property_images_review_status_check')}
      update property_images set "reviewStatus" = null where id = '${images.waiting}'`,
    offender: ({ images }) => `image ${images.waiting}`,
    named: ['I17'],
  },
  {
    title: 'a staged image as the cover',
    sql: ({ images }) => `${dropCheck('property_images', 'property_images_staged_cannot_be_main_check')}
      update property_images set "isMain" = true where id = '${images.approved}'`,
    offender: ({ images }) => `image ${images.approved} is staged and the cover`,
    named: ['I17'],
    inState: false,
  },
  {
    title: 'an original under review',
    sql: ({ originals }) => `${dropCheck('property_images', 'property_images_review_status_check')}
      update property_images set "reviewStatus" = 'PENDING_REVIEW' where id = '${originals.plain}'`,
    offender: ({ originals }) => `image ${originals.plain} is not staged`,
    named: ['I17'],
    inState: false,
  },
  {
    title: 'a discarded output without a deletion',
    sql: ({ attempts }) => `delete from storage_deletion_outbox where "objectKey" =
      (select "objectKey" from ai_provider_attempts where id = '${attempts.discarded}')`,
    offender: ({ attempts }) => `of attempt ${attempts.discarded} has no deletion`,
    named: ['I21'],
  },
];

const GROUP = '33333333-3333-4333-8333-333333333333';
/** A group that has ended, of the jobs that end up in one listing. */
const inGroup = ({ jobs }: Life, ...names: JobName[]): string => `
  update ai_room_staging_jobs set "groupId" = '${GROUP}'
    where "aiJobId" in (${names.map((name) => `'${jobs[name]}'`).join()});
  update ai_jobs set "propertyId" = (select "propertyId" from ai_jobs where id = '${jobs.approved}')
    where id in (${names.map((name) => `'${jobs[name]}'`).join()});`;
const sentWith = ({ jobs, images }: Life, name: JobName, image: keyof Life['images']): string => `
  update ai_room_staging_jobs set "groupId" = '${GROUP}',
    "referenceImageKey" = (select "objectKey" from property_images where id = '${images[image]}')
  where "aiJobId" = '${jobs[name]}';`;

const GROUPS: SeededViolation[] = [
  {
    title: 'jobs of two listings in a group',
    sql: ({ jobs, originals }) => `
      insert into room_groups select '${GROUP}', "propertyId", 1, 'LIVING_ROOM', 'MODERN', '{sofa}', '{linen}', '{cream}', now()
        from ai_jobs where id = '${jobs.approved}';
      insert into room_group_photos values ('${GROUP}', '${originals.staged}', 1);
      update ai_room_staging_jobs set "groupId" = '${GROUP}' where "aiJobId" in ('${jobs.approved}', '${jobs.waiting}')`,
    offender: () => GROUP,
    named: ['I36'],
  },
  {
    title: 'a photo of another listing in a group',
    sql: ({ jobs, originals }) => `
      insert into room_groups select '${GROUP}', "propertyId", 1, 'LIVING_ROOM', 'MODERN', '{sofa}', '{linen}', '{cream}', now()
        from ai_jobs where id = '${jobs.approved}';
      insert into room_group_photos values ('${GROUP}', '${originals.plain}', 1)`,
    offender: ({ originals }) => `picture ${originals.plain} is no original of the listing`,
    named: ['I36'],
    inState: false,
  },
  {
    title: 'a group without a photo',
    sql: ({ jobs }) => `
      insert into room_groups select '${GROUP}', "propertyId", 1, 'LIVING_ROOM', 'MODERN', '{sofa}', '{linen}', '{cream}', now()
        from ai_jobs where id = '${jobs.approved}'`,
    offender: () => `group ${GROUP} has no photo`,
    named: ['I36'],
    inState: false,
  },
  {
    title: 'a second input that no one has approved',
    sql: (life) => inGroup(life, 'waiting', 'queued') + sentWith(life, 'queued', 'waiting'),
    offender: ({ images }) => `picture ${images.waiting}, which is not approved`,
    named: ['I37'],
  },
  {
    title: 'a second input of no group',
    sql: (life) => sentWith(life, 'queued', 'approved'),
    offender: ({ images }) => `picture ${images.approved}, which is not of its group`,
    named: ['I37'],
  },
  {
    title: 'a second input that was approved after the submission',
    sql: (life) => inGroup(life, 'approved', 'running') + sentWith(life, 'running', 'approved'),
    offender: ({ images }) => `picture ${images.approved}, which was approved later`,
    named: ['I37'],
  },
];

const TOURS: SeededViolation[] = [
  {
    title: 'two open tours of a customer and a listing',
    sql: ({ tours }) => `${dropIndex('tours_one_open_uidx')}
      update tours t set "customerId" = o."customerId", "propertyId" = o."propertyId" from tours o
      where t.id = '${tours.requested}' and o.id = '${tours.confirmed}'`,
    offender: () => 'open tours of',
    named: ['T1'],
  },
  {
    title: 'an agent in two places',
    sql: ({ tours }) => `${dropCheck('tours', 'tours_held_slots_do_not_overlap')}
      ${dropCheck('tours', 'tours_status_check')} ${dropCheck('tours', 'tours_proposal_check')}
      update tours t set "agentId" = o."agentId", "heldEndsAt" = o."heldEndsAt" + interval '5 minutes',
        "heldStartsAt" = o."heldEndsAt" - interval '1 minute', status = 'CONFIRMED' from tours o
      where t.id = '${tours.requested}' and o.id = '${tours.confirmed}'`,
    offender: ({ tours }) => tours.requested,
    named: ['T2'],
  },
  {
    title: 'an open tour of a deleted account',
    sql: ({ tours }) => `${dropCheck('"user"', 'user_tombstone_check')}
      update "user" set email = null where id = (select "customerId" from tours where id = '${tours.requested}')`,
    offender: ({ tours }) => `open tour ${tours.requested} refers to`,
    named: ['T3'],
    inState: false,
  },
  {
    title: 'a picture with three open reports that the public sees',
    sql: ({
      images,
      tours,
    }) => `insert into mismatch_reports (id, "customerId", "tourId", "stagedImageId", "propertyId", status, "createdAt")
      select gen_random_uuid(), gen_random_uuid(), '${tours.requested}', i.id, i."propertyId", 'OPEN', now()
      from generate_series(1, 3), property_images i where i.id = '${images.approved}'`,
    offender: ({ images }) => images.approved,
    named: ['T4'],
  },
  {
    title: 'an open report of a picture that is gone',
    sql: ({ tours }) => `insert into mismatch_reports
        (id, "customerId", "tourId", "stagedImageId", "propertyId", status, "createdAt")
      select gen_random_uuid(), "customerId", id, '${GONE}', "propertyId", 'OPEN', now() from tours
      where id = '${tours.requested}'`,
    offender: () => GONE,
    named: ['T5'],
  },
];

const CONSENT: SeededViolation[] = [
  {
    title: 'an agent who was assigned without an answer',
    sql: ({ images }) => `insert into property_agents ("propertyId", "agentId")
      select p.id, u.id from properties p, "user" u
      where p.id = (select "propertyId" from property_images where id = '${images.approved}') and u.role = 'agent'
        and u.id <> p."ownerAgentId" limit 1`,
    offender: () => 'without an answer',
    named: ['I50'],
    inState: false,
  },
  {
    title: 'an owner whom the last answer does not name',
    sql: ({ images }) => `insert into listing_offers
        ("propertyId", kind, "fromAgentId", "toAgentId", status, "createdAt", "expiresAt", "endedAt")
      select p.id, 'OWNERSHIP', p."ownerAgentId", u.id, 'ACCEPTED', now(), now() + interval '1 day', now()
      from properties p, "user" u
      where p.id = (select "propertyId" from property_images where id = '${images.approved}')
        and u.id <> p."ownerAgentId" and u.email is not null limit 1`,
    offender: () => 'accepted it last',
    named: ['I50'],
    inState: false,
  },
];

const INTAKE: readonly SeededViolation[] = [
  {
    title: 'a photo without a check',
    sql: ({ originals }) => `delete from photo_checks where "imageId" = '${originals.staged}'`,
    offender: ({ originals }) => `photo ${originals.staged} has no check`,
    named: ['I42'],
    inState: false,
  },
  {
    title: 'a staged picture that is shown as a photo',
    sql: ({ originals, images }) => `alter table photo_checks disable trigger photo_checks_set_state;
      update photo_checks set verdict = 'STAGED_PICTURE', "nearestId" = '${images.approved}', "checkedAt" = now(),
        "nextTryAt" = null where "imageId" = '${originals.staged}'`,
    offender: ({ originals }) => `photo ${originals.staged} is PHOTO, and its check says STAGED_PICTURE`,
    named: ['I42'],
    inState: false,
  },
];

/** A feed with one record, of which a listing that exists is made. */
const withFeed = (imageId: string, more: string) => `
  insert into "user" (id, name, email, role, "feedUser") values
    ('${FEED_USER}', 'Feed', 'feed@feed.invalid', 'agent', true);
  insert into feeds (id, name, profile, "baseUrl", "userId", status, version, task, failures, "heldDeletions",
    "heldListings", "createdAt") values ('${FEED}', 'Feed', 'generic', 'https://feed.example/', '${FEED_USER}', 'IDLE', 0,
    'REPLICATE', 0, 0, 0, now());
  update properties set "feedId" = '${FEED}' where id = (select "propertyId" from property_images where id = '${imageId}');
  ${more}`;
const FEED = '00000000-0000-4000-8000-0000000fee01';
const FEED_USER = '00000000-0000-4000-8000-0000000fee02';

const FEEDS: readonly SeededViolation[] = [
  {
    title: 'a listing of a feed without a record',
    sql: ({ images }) => withFeed(images.approved, ''),
    offender: () => `of feed ${FEED} has no current record`,
    named: ['I47'],
    inState: false,
  },
  {
    title: 'a record without a listing',
    sql: ({ images }) =>
      withFeed(
        images.approved,
        `update properties set "feedId" = null where "feedId" = '${FEED}';
         insert into feed_records ("feedId", resource, key, raw, hash, state, "seenAt")
         values ('${FEED}', 'Property', 'k1', '{}', '', 'CURRENT', now())`,
      ),
    offender: () => `record k1 of feed ${FEED} has no listing`,
    named: ['I47'],
    inState: false,
  },
  {
    title: 'a picture that its record forbids',
    sql: ({ images }) =>
      withFeed(
        images.approved,
        `set local session_replication_role = replica;
         insert into feed_records ("feedId", resource, key, raw, hash, state, "seenAt", "propertyId", "mappedHash")
         select '${FEED}', 'Property', 'k1', '{"Media": [{"MediaKey": "m1", "Permission": ["Private"]}]}', '', 'CURRENT',
           now(), p.id, ${LISTING_HASH} from property_images i join properties p on p.id = i."propertyId"
         where i.id = '${images.approved}';
         insert into feed_media ("propertyId", key, "feedId", position, "isPreferred", "isFirst", url, state, checksum,
           "imageId")
         select "propertyId", 'm1', '${FEED}', 0, true, true, 'https://feed.example/1.jpg', 'TAKEN', '', id
         from property_images where id = '${images.approved}'`,
      ),
    offender: ({ images }) => `picture ${images.approved} of listing`,
    named: ['I48'],
    inState: false,
  },
  {
    title: 'a session of the user of a feed',
    sql: ({ images }) =>
      withFeed(
        images.approved,
        `update properties set "feedId" = null where "feedId" = '${FEED}';
         set local session_replication_role = replica;
         insert into session (id, "userId", token, "expiresAt", "createdAt", "updatedAt")
         values ('${FEED}', '${FEED_USER}', 'feed', now() + interval '1 day', now(), now())`,
      ),
    offender: () => `session ${FEED} is of the user of a feed`,
    named: ['I48'],
    inState: false,
  },
];

const LOG: readonly SeededViolation[] = [
  {
    title: 'an entry of the log that does not follow the one before',
    sql: () => `insert into provenance_log (number, day, records, root, previous, head) values
      (1, '2026-01-01', 0, '00', null, 'aa'), (2, '2026-01-02', 0, '00', 'bb', 'cc')`,
    offender: () => 'entry 2 of the provenance log',
    named: ['I51'],
    inState: false,
  },
  {
    title: 'an entry of the log that has lost a record',
    sql: () => `insert into provenance_log (number, day, records, root, previous, head)
      values (1, '2026-01-01', 1, '00', null, 'aa')`,
    offender: () => 'is for 1 records and holds 0',
    named: ['I51'],
    inState: false,
  },
];

const ALERTS: readonly SeededViolation[] = [
  {
    title: 'an event in two alerts of the same saved homes',
    sql: ({ images }) => `insert into alerts (id, "userId", items, more, "createdAt")
      select gen_random_uuid(), u.id, jsonb_build_array(jsonb_build_object('eventId', '7', 'propertyId', i."propertyId")),
        0, now()
      from (select id from "user" where email is not null limit 1) u, property_images i, generate_series(1, 2)
      where i.id = '${images.approved}'`,
    offender: () => 'is in 2 alerts',
    named: ['I52'],
    inState: false,
  },
  {
    title: 'a match that no alert takes',
    sql: ({
      images,
    }) => `insert into favorite_matches ("userId", "propertyId", "eventId", kind, "createdAt", "dueAt")
      select u.id, i."propertyId", 7, 'SOLD', now() - interval '1 hour', now() - interval '1 hour'
      from (select id from "user" where email is not null limit 1) u, property_images i
      where i.id = '${images.approved}'`,
    offender: () => 'has waited for an alert',
    named: ['I53'],
    inState: false,
  },
];

/** Of the order of changes in the feed. */
const CHANGES: readonly SeededViolation[] = [
  {
    title: 'a number that no turn has given',
    sql: () => `insert into published_records (resource, key, seq, "modifiedAt")
      values ('Property', gen_random_uuid(), 9000000, to_timestamp(0))`,
    offender: () => 'beyond the last one',
    named: ['I49'],
    inState: false,
  },
  {
    title: 'a later number at an earlier time',
    sql: () => `with moved as (update listing_change_cursor set "lastSeq" = 9000002, "lastAt" = now())
      insert into published_records (resource, key, seq, "modifiedAt")
      values ('Media', gen_random_uuid(), 9000001, now()),
        ('Media', gen_random_uuid(), 9000002, now() - interval '1 second')`,
    offender: () => 'has a later number at an earlier time',
    named: ['I49'],
    inState: false,
  },
  {
    title: 'a withdrawal that no turn numbers',
    sql: () => `insert into listing_changes (resource, key, "isUrgent", "ofPhotos", "notedAt")
      values ('Media', gen_random_uuid(), true, false, now() - interval '2 minutes')`,
    offender: () => 'has had no number',
    named: ['I49'],
    inState: false,
  },
];

/** Of reviewed pictures, room groups, tours, the agents of listings, checks of photos, the log, and alerts. */
export const LISTING_VIOLATIONS: readonly SeededViolation[] = [
  ...REVIEW,
  ...GROUPS,
  ...TOURS,
  ...CONSENT,
  ...INTAKE,
  ...LOG,
  ...FEEDS,
  ...ALERTS,
  ...CHANGES,
];
