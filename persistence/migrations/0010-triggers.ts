/**
 * The triggers of 0010: a safety net under the services. It covers a row that is removed by hand, by a cascade or by a
 * faulty service: its file is queued for deletion, its jobs are canceled, and its listing is marked for the index.
 */

// When variants are deleted by cascade, their original is already gone. This distinguishes the two reasons.
export const DELETION_TRIGGER = `
  create function property_images_schedule_deletion() returns trigger language plpgsql as $$
  declare
    why storage_deletion_reason := 'ORIGINAL_IMAGE_DELETED';
  begin
    if old."isStyled" and exists (select from property_images where id = old."styledFromId") then
      why := 'STAGED_IMAGE_DELETED';
    end if;
    insert into storage_deletion_outbox ("objectKey", reason)
    select key, why from unnest(array[old."objectKey", old."providerInputKey"]) as key where key is not null;
    return null;
  end $$;
  create trigger property_images_schedule_deletion after delete on property_images
    for each row execute function property_images_schedule_deletion()`;

// Does exactly what the staging-job machine does on ORIGINAL_DELETED (docs/charts/staging-job.md): state, instants,
// version, journal. Milliseconds, because the journalled event has milliseconds and a replay must give the row's own
// instants.
export const CANCELLATION_TRIGGER = `
  create function property_images_cancel_jobs() returns trigger language plpgsql as $$
  declare
    job record;
    instant constant timestamptz := date_trunc('milliseconds', now());
    target ai_job_status;
  begin
    for job in
      select j.id, j.status, j.phase, j.version
      from ai_jobs j join ai_room_staging_jobs s on s."aiJobId" = j.id
      where s."originalImageId" = old.id and j.type = 'ROOM_STAGING'
        and j.status in ('PENDING', 'PROCESSING', 'RETRYING')
      order by j.id for update of j
    loop
      if job.status = 'PENDING' then
        target := 'CANCELED';
        update ai_jobs set status = target, phase = null, "retryAt" = null,
          "cancelRequestedAt" = coalesce("cancelRequestedAt", instant), "canceledAt" = instant, "finishedAt" = instant,
          "leaseOwner" = null, "leaseExpiresAt" = null,
          "heartbeatAt" = instant, version = version + 1, "updatedAt" = instant
        where id = job.id;
      else
        target := 'CANCEL_REQUESTED';
        update ai_jobs set status = target, phase = null, "retryAt" = null,
          "cancelRequestedAt" = coalesce("cancelRequestedAt", instant),
          "heartbeatAt" = instant, version = version + 1, "updatedAt" = instant
        where id = job.id;
      end if;
      insert into actor_transitions
        ("actorKind", "actorId", seq, "eventType", event, "fromState", "toState", at, "actedBy")
      values ('stagingJob', job.id, job.version + 1, 'ORIGINAL_DELETED',
        jsonb_build_object('type', 'ORIGINAL_DELETED', 'at', (extract(epoch from instant) * 1000)::bigint),
        concat_ws('.', job.status, job.phase), target::text, instant, 'database');
    end loop;
    return old;
  end $$;
  create trigger property_images_cancel_jobs before delete on property_images
    for each row when (not old."isStyled") execute function property_images_cancel_jobs()`;

// A private picture (PENDING_REVIEW) does not change the public search.
// A new column of a listing counts as a listing column unless it is named here.
export const SEARCH_TRIGGERS = `
  create function property_images_mark_search_dirty() returns trigger language plpgsql as $$
  begin
    update properties set "searchDirtyAt" = now(), "searchVersion" = "searchVersion" + 1
    where (tg_op <> 'INSERT' and id = old."propertyId") or (tg_op <> 'DELETE' and id = new."propertyId");
    return null;
  end $$;
  create trigger property_images_inserted_mark_search_dirty after insert on property_images
    for each row when (not new."isStyled" or new."reviewStatus" = 'APPROVED')
    execute function property_images_mark_search_dirty();
  create trigger property_images_updated_mark_search_dirty after update on property_images
    for each row when (
      (not old."isStyled" or not new."isStyled" or old."reviewStatus" = 'APPROVED' or new."reviewStatus" = 'APPROVED')
      and (old."propertyId", old."objectKey", old.position, old."isMain", old."isStyled", old."styledFromId",
           old."reviewStatus")
        is distinct from
          (new."propertyId", new."objectKey", new.position, new."isMain", new."isStyled", new."styledFromId",
           new."reviewStatus"))
    execute function property_images_mark_search_dirty();
  create trigger property_images_deleted_mark_search_dirty after delete on property_images
    for each row when (not old."isStyled" or old."reviewStatus" = 'APPROVED')
    execute function property_images_mark_search_dirty();

  create function properties_mark_search_dirty() returns trigger language plpgsql as $$
  declare
    bookkeeping constant text[] := '{searchDirtyAt,searchVersion,searchIndexedAt,updatedAt}';
  begin
    if tg_op = 'INSERT' or to_jsonb(new) - bookkeeping is distinct from to_jsonb(old) - bookkeeping then
      new."searchDirtyAt" := now();
      new."searchVersion" := coalesce(new."searchVersion", 0) + 1;
    end if;
    return new;
  end $$;
  create trigger properties_mark_search_dirty before insert or update on properties
    for each row execute function properties_mark_search_dirty();

  create function properties_leave_search_tombstone() returns trigger language plpgsql as $$
  begin
    insert into search_tombstones ("propertyId", "deletedAt") values (old.id, now())
    on conflict ("propertyId") do update set "deletedAt" = excluded."deletedAt";
    return null;
  end $$;
  create trigger properties_leave_search_tombstone after delete on properties
    for each row execute function properties_leave_search_tombstone()`;

// History may be pruned by age but never rewritten.
export const AUDIT_TRIGGERS = `
  create function refuse_rewrite_of_history() returns trigger language plpgsql as $$
  begin
    raise exception 'rows of % are never changed', tg_table_name using errcode = 'restrict_violation';
  end $$;
  create trigger actor_transitions_never_change before update on actor_transitions
    for each row execute function refuse_rewrite_of_history();
  create trigger property_image_review_events_never_change before update on property_image_review_events
    for each row execute function refuse_rewrite_of_history()`;
