import { ALTERED_PHOTOS_IN_USE } from '../../persistence/console/invariant-sql.ts';
import { isShownVariant } from '../../persistence/database/listing-visibility.ts';
import { each, type Invariant, repeated, singlesOf } from './pipeline-state.ts';

export const REVIEW_INVARIANTS: readonly Invariant[] = [
  {
    id: 'I16',
    sentence: 'An approved image has one APPROVED event; every rejection left its event.',
    when: 'always',
    sql: `
      select format('image %s is approved without an event', i.id) from property_images i
      where i."reviewStatus" = 'APPROVED' and not exists (
        select from property_image_review_events e where e."imageId" = i.id and e.kind = 'APPROVED')
      union all
      select format('image %s was rejected without an event', t."actorId") from actor_transitions t
      where t."actorKind" = 'imageReview' and t."eventType" = 'REJECT' and not exists (
        select from property_image_review_events e where e."imageId" = t."actorId" and e.kind = 'REJECTED')
      union all
      select format('the rejection of image %s does not say what was rejected', e."imageId")
      from property_image_review_events e where e.kind = 'REJECTED'
        and num_nulls(e."propertyId", e."styledFromId", e."objectKey") > 0
      union all
      select format('review event %s %s twice', kind, "imageId") from property_image_review_events
      group by kind, "imageId" having count(*) > 1`,
    breaches: (pipeline) => {
      const { reviewEvents, journal } = pipeline;
      const events = reviewEvents.map(({ kind, imageId }) => `${kind} ${imageId}`);
      const known = new Set(events);
      return [
        ...repeated(events).map((event) => `review event ${event} twice`),
        ...each(singlesOf(pipeline, 'imageReview'), ({ id, state }) =>
          isApproved(state) && !known.has(`APPROVED ${id}`)
            ? `image ${id} is approved without an event`
            : null,
        ),
        ...each([...journal.values()].flat(), ({ kind, id, event }) =>
          kind === 'imageReview' && event.type === 'REJECT' && !known.has(`REJECTED ${id}`)
            ? `image ${id} was rejected without an event`
            : null,
        ),
      ];
    },
  },
  {
    id: 'I17',
    sentence: 'A staged image is never the cover and has a review status; an original has none.',
    when: 'always',
    sql: `
      select format('image %s is%s staged%s with review status %s', id, case when "isStyled" then '' else ' not' end,
        case when "isMain" then ' and the cover' else '' end, "reviewStatus") from property_images
      where ("isStyled" and "isMain") or "isStyled" <> ("reviewStatus" is not null)`,
    breaches: (pipeline) =>
      each(singlesOf(pipeline, 'imageReview'), ({ id, state }) =>
        ['PENDING_REVIEW', 'APPROVED', 'WITHDRAWN'].includes(state)
          ? null
          : `image ${id} has review status ${state}`,
      ),
  },
  {
    id: 'I39',
    sentence:
      'An approved picture has its original, its record with both checksums, and an APPROVED event by a person, or it is listed for its record.',
    when: 'always',
    sql: `
      select format('image %s is approved without its original, its record or a person', v.id) from property_images v
      left join property_images o on o.id = v."styledFromId" and not o."isStyled" and o."propertyId" = v."propertyId"
      left join provenance_records r on r."stagedImageId" = v.id and r."originalImageId" = o.id
        and r."outputChecksum" = v."outputChecksum" and r."originalChecksum" = o."outputChecksum"
      where v."reviewStatus" = 'APPROVED' and (o.id is null
        or (not exists (select from provenance_due d where d."stagedImageId" = v.id)
          and (r."stagedImageId" is null or not exists (
            select from property_image_review_events e where e."imageId" = v.id and e.kind = 'APPROVED'
              and e."actorUserId" is not distinct from r."approvedByUserId"
              and (e."actorUserId" is not null or e.reason = 'MIGRATED')))))`,
    breaches: (pipeline) => {
      const records = new Map(pipeline.provenance.map((line) => [line.imageId, line]));
      const approvals = new Set(pipeline.reviewEvents.map(({ kind, imageId }) => `${kind} ${imageId}`));
      return each(singlesOf(pipeline, 'imageReview'), ({ id, state, styledFromId, context }) => {
        if (!isApproved(state)) return null;
        const record = records.get(id);
        return record?.due ||
          (approvals.has(`APPROVED ${id}`) &&
            record?.originalImageId === styledFromId &&
            record.approvedByUserId === context.reviewedByUserId)
          ? null
          : `image ${id} is approved without its original, its record or a person`;
      });
    },
  },
  {
    id: 'I40',
    sentence:
      'A picture is withdrawn exactly when the last of its provenance events says so; only approved pictures are.',
    when: 'always',
    sql: `
      select format('image %s is %s, its last event is %s', v.id,
        case when v."withdrawnAt" is null then 'not withdrawn' else 'withdrawn' end, coalesce(last.kind, 'none'))
      from property_images v left join lateral (
        select kind from provenance_events e where e."stagedImageId" = v.id order by e.id desc limit 1) last on true
      where v."isStyled" and (v."withdrawnAt" is not null) <> (coalesce(last.kind, '') = 'WITHDRAWN')
      union all
      select format('image %s is withdrawn and was never approved', id) from property_images
      where "withdrawnAt" is not null and "reviewStatus" is distinct from 'APPROVED'`,
    breaches: (pipeline) => {
      const withdrawn = new Map(pipeline.provenance.map(({ imageId, lastEvent }) => [imageId, lastEvent]));
      return each(singlesOf(pipeline, 'imageReview'), ({ id, state }) => {
        const last = withdrawn.get(id) ?? null;
        return (state === 'WITHDRAWN') === (last === 'WITHDRAWN')
          ? null
          : `image ${id} is ${state === 'WITHDRAWN' ? 'withdrawn' : 'not withdrawn'}, its last event is ${last ?? 'none'}`;
      });
    },
  },
  {
    id: 'I45',
    sentence:
      'One photo is not shown as two kinds of room, except by pictures that were shown before this was a rule.',
    when: 'always',
    sql: `
      select format('photo %s is shown as %s and as %s', a."styledFromId", a."roomType", b."roomType")
      from property_images a join property_images b on b."styledFromId" = a."styledFromId" and b.id > a.id
        and b."roomType" <> a."roomType"
      where ${isShownVariant('a')} and ${isShownVariant('b')} and not (
        a.id in (select "stagedImageId" from room_differences) and b.id in (select "stagedImageId" from room_differences))`,
    breaches: (pipeline) => {
      const shown = singlesOf(pipeline, 'imageReview').filter(({ state }) => state === 'APPROVED');
      const roomOf = new Map<string, string>();
      return each(shown, ({ styledFromId, roomType }) => {
        if (roomType === null) return null;
        const known = roomOf.get(styledFromId) ?? roomType;
        roomOf.set(styledFromId, known);
        return known === roomType ? null : `photo ${styledFromId} is shown as ${known} and as ${roomType}`;
      });
    },
  },
  {
    id: 'I46',
    sentence:
      'No altered photo is a cover, has an open job that is not being canceled, or a staged picture that is shown.',
    when: 'always',
    sql: ALTERED_PHOTOS_IN_USE,
    // The photos of a PipelineState are all unaltered.
    breaches: () => [],
  },
];

const isApproved = (state: string): boolean => state === 'APPROVED' || state === 'WITHDRAWN';

export const STORAGE_INVARIANTS: readonly Invariant[] = [
  {
    id: 'I21',
    sentence: 'Every discarded or failed output that may have reached storage was queued for deletion.',
    when: 'always',
    sql: `
      select format('object %s of attempt %s has no deletion', a."objectKey", a.id) from ai_provider_attempts a
      where a.status in ('DISCARDED', 'FAILED') and a."objectKey" is not null
        and a."finishedAt" >= (select before from retention_cuts where what = 'outbox')
        and not exists (select from storage_deletion_outbox d where d."objectKey" = a."objectKey")`,
    breaches: (pipeline) => {
      const queued = new Set(singlesOf(pipeline, 'deletionItem').map(({ objectKey }) => objectKey));
      return each(pipeline.attempts, ({ id, state, context: { objectKey } }) =>
        (state === 'DISCARDED' || state === 'FAILED') && objectKey !== null && !queued.has(objectKey)
          ? `object ${objectKey} of attempt ${id} has no deletion`
          : null,
      );
    },
  },
  {
    id: 'I19',
    sentence: 'Every object is needed by a row, still being collected, or queued for deletion.',
    when: 'quiet',
    sql: null,
    breaches: (pipeline) => {
      const { world, attempts, originalKeys } = pipeline;
      const accounted = new Set([
        ...originalKeys,
        ...singlesOf(pipeline, 'imageReview').map(({ objectKey }) => objectKey),
        ...attempts.flatMap(({ state, context }) =>
          state === 'COLLECTING' ? (context.objectKey ?? []) : [],
        ),
        ...singlesOf(pipeline, 'deletionItem').flatMap(({ state, objectKey }) =>
          state === 'DELETED' ? [] : objectKey,
        ),
      ]);
      return each([...(world?.objectKeys ?? [])], (key) =>
        accounted.has(key) ? null : `object ${key} belongs to no row`,
      );
    },
  },
  {
    id: 'I20',
    sentence: 'Every object that a row needs is there.',
    when: 'always',
    sql: null,
    breaches: (pipeline) => {
      const { world, originalKeys } = pipeline;
      return world === null
        ? []
        : [
            ...each(singlesOf(pipeline, 'imageReview'), ({ id, jobId, objectKey }) =>
              jobId !== null && !world.objectKeys.has(objectKey) ? `image ${id} has lost ${objectKey}` : null,
            ),
            ...each([...originalKeys], (key) => (world.objectKeys.has(key) ? null : `${key} is lost`)),
          ];
    },
  },
];
