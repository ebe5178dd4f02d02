/**
 * The triggers of 0012: they write a listing's history and its time on the market with each change, so that no writer
 * can forget either (docs/contract.md#price-history). The instant of a change is the row's `updatedAt`, which comes
 * from the application's clock. A statement that does not set it, such as one typed by an operator, gets now().
 *
 * A listing period begins when a listing comes on the market after its preparation, or after it had left the market for
 * good. It begins again when a Coming Soon listing is first offered, because it could not be bought before. Hold
 * interrupts a period without ending it, so that a pause hides no days.
 *
 * Transaction-local settings pass values that a row does not have: `proscenium.acting_user` (who),
 * `proscenium.price_correction` (the reason why a changed price is a correction and not a price change).
 */

/** The functions that the other functions share. */
export const MARKET_QUESTIONS = `
  create function property_market_phase(status text) returns text language sql immutable
  return case
    when status in ('Active', 'Active Under Contract', 'Coming Soon', 'Pending') then 'ON'
    when status = 'Hold' then 'PAUSED'
    else 'ENDED' end;

  create function property_is_lease(listing properties) returns boolean language sql immutable
  return coalesce(listing."propertyType" like '% Lease', false);

  -- Whether people could buy or rent the listing at any time since the instant.
  create function property_was_offered(listing properties, since timestamptz) returns boolean language sql stable
  return exists (select from property_price_events e where e."propertyId" = listing.id
    and e.event in ('LISTED', 'LISTED_FOR_RENT', 'RELISTED') and (since is null or e.at >= since));

  -- Whether this change of the status begins a listing period; "before" is null for a new row.
  create function property_period_begins(before properties, after properties) returns boolean language sql stable
  return property_market_phase(after."standardStatus") = 'ON' and (
    before.id is null
    or property_market_phase(before."standardStatus") = 'ENDED'
    or before."listedAt" is null
    or (before."standardStatus" = 'Coming Soon' and after."standardStatus" <> 'Coming Soon'
      and not property_was_offered(before, before."listedAt")));

  -- A sale is dated by its day, at noon UTC so that every time zone shows that day; never before what it ended.
  create function property_sold_at(listing properties, recorded timestamptz, not_before timestamptz)
  returns timestamptz language sql immutable
  return case when listing."closeDate" is null then recorded
    else least(recorded, greatest((listing."closeDate" + time '12:00') at time zone 'UTC', not_before)) end`;

// Notes that the statement sets `updatedAt`. Without the note, a second change in the same millisecond would look like
// a statement that does not set it.
export const MARKET_TIME_TRIGGER = `
  create function properties_note_clock() returns trigger language plpgsql as $$
  begin
    perform set_config('proscenium.clock_of', new.id::text, true);
    return new;
  end $$;
  -- Fires before properties_keep_market_time: triggers fire by name.
  create trigger properties_clock before update of "updatedAt" on properties
    for each row execute function properties_note_clock();

  create function properties_keep_market_time() returns trigger language plpgsql as $$
  declare
    instant timestamptz;
    phase constant text := property_market_phase(new."standardStatus");
  begin
    if tg_op = 'UPDATE' and new."updatedAt" = old."updatedAt"
      and current_setting('proscenium.clock_of', true) is distinct from new.id::text
      and (old."standardStatus", old."listPrice", old.currency, old."closePrice")
        is distinct from (new."standardStatus", new."listPrice", new.currency, new."closePrice") then
      new."updatedAt" := greatest(new."updatedAt", now());
    end if;
    instant := new."updatedAt";
    if tg_op = 'INSERT' then
      new."statusChangedAt" := coalesce(new."statusChangedAt", instant);
      if phase = 'ON' then
        new."listedAt" := coalesce(new."listedAt", instant);
        new."offMarketAt" := null;
      elsif new."listedAt" is not null then
        new."offMarketAt" := coalesce(new."offMarketAt", new."statusChangedAt");
      end if;
      if new."listedAt" is not null then
        new."originalListPrice" := coalesce(new."originalListPrice", new."listPrice");
      end if;
      return new;
    end if;

    if nullif(current_setting('proscenium.price_correction', true), '') is not null
      and old."originalListPrice" = old."listPrice" then
      new."originalListPrice" := new."listPrice";
    end if;
    if new."standardStatus" = old."standardStatus" then
      return new;
    end if;

    new."statusChangedAt" := instant;
    if old."standardStatus" = 'Closed' and new."standardStatus" <> 'Delete' then
      new."closePrice" := null;
      new."closeDate" := null;
    end if;
    if phase <> 'ON' then
      if old."listedAt" is not null and old."offMarketAt" is null then
        new."offMarketAt" := case when new."standardStatus" = 'Closed'
          then property_sold_at(new, instant, old."statusChangedAt") else instant end;
      end if;
      return new;
    end if;
    if property_period_begins(old, new) then
      if property_market_phase(old."standardStatus") = 'ENDED' then
        if property_was_offered(old, old."listedAt") then
          new."marketDaysBefore" := old."marketDaysBefore" + greatest(0, floor(extract(epoch from
            coalesce(old."offMarketAt", instant) - old."listedAt") / 86400))::integer;
        end if;
        new."originalListPrice" := new."listPrice";
      else
        new."originalListPrice" := coalesce(old."originalListPrice", new."listPrice");
      end if;
      new."listedAt" := instant;
    end if;
    new."offMarketAt" := null;
    return new;
  end $$;
  create trigger properties_keep_market_time before insert or update on properties
    for each row execute function properties_keep_market_time()`;

export const RECORD_EVENT = `
  -- One row of the history. "corrected" is the row that a CORRECTION puts right.
  create function property_record_price_event(listing properties, what property_price_event, instant timestamptz,
    amount numeric, corrected bigint default null, reason text default null)
  returns void language plpgsql as $$
  declare
    is_sale constant boolean := what in ('SOLD', 'RENTED');
    previous numeric;
    under_contract timestamptz;
    days integer;
  begin
    if corrected is not null then
      select e.price into previous from property_price_events e
      where e.id = corrected or e."correctsId" = corrected order by e.id desc limit 1;
    else
      previous := (select e.price from property_price_events e
        where e.id = property_last_list_event(listing.id) and e.currency = listing.currency);
      if not is_sale and previous = amount then
        previous := null;
      end if;
    end if;
    if is_sale and listing."listedAt" is not null then
      select min(e.at) into under_contract from property_price_events e
      where e."propertyId" = listing.id and e.event in ('UNDER_CONTRACT', 'PENDING') and e.at >= listing."listedAt"
        and e.id > coalesce((select max(b.id) from property_price_events b
          where b."propertyId" = listing.id and b.event = 'BACK_ON_MARKET'), 0);
      days := greatest(0, floor(extract(epoch from
        coalesce(under_contract, instant) - listing."listedAt") / 86400));
    end if;
    insert into property_price_events ("propertyId", event, at, price, "previousPrice", "changePct", currency,
      "pricePerArea", "areaUnits", "daysOnMarket", source, "correctsId", note, "recordedByUserId", "recordedAt")
    values (listing.id, what, instant, amount, previous,
      case when previous > 0 then round((amount - previous) / previous * 100, 2) end, listing.currency,
      case when listing."livingArea" > 0 then round(amount / listing."livingArea", 2) end,
      listing."livingAreaUnits", days, 'listing', corrected, reason,
      nullif(current_setting('proscenium.acting_user', true), '')::uuid, listing."updatedAt");
  end $$;

  -- The last row that told what the listing is offered for; sales and their corrections do not.
  create function property_last_list_event(property uuid) returns bigint language sql stable
  return (select e.id from property_price_events e left join property_price_events c on c.id = e."correctsId"
    where e."propertyId" = property and e.event not in ('SOLD', 'RENTED')
      and (c.id is null or c.event not in ('SOLD', 'RENTED'))
    order by e.id desc limit 1)`;

export const HISTORY_TRIGGER = `
  create function properties_write_price_history() returns trigger language plpgsql as $$
  declare
    instant constant timestamptz := new."updatedAt";
    why constant text := nullif(current_setting('proscenium.price_correction', true), '');
    is_new constant boolean := tg_op = 'INSERT';
    begins constant boolean := case when is_new then new."listedAt" is not null
      else new."standardStatus" <> old."standardStatus" and property_period_begins(old, new) end;
    is_repriced constant boolean :=
      not is_new and (new."listPrice", new.currency) is distinct from (old."listPrice", old.currency);
    corrected bigint;
    what property_price_event;
  begin
    if is_repriced and why is not null then
      corrected := property_last_list_event(new.id);
      if corrected is not null then
        perform property_record_price_event(new, 'CORRECTION', instant, new."listPrice", corrected, why);
      end if;
    elsif is_repriced and not begins and property_market_phase(new."standardStatus") = 'ON' then
      perform property_record_price_event(new, 'PRICE_CHANGED', instant, new."listPrice");
    end if;

    if begins then
      what := case when new."standardStatus" = 'Coming Soon' then 'COMING_SOON'
        when property_was_offered(new, null) then 'RELISTED'
        when property_is_lease(new) then 'LISTED_FOR_RENT'
        else 'LISTED' end;
      perform property_record_price_event(new, what, new."listedAt",
        case when is_new then new."originalListPrice" else new."listPrice" end);
      if is_new and new."originalListPrice" <> new."listPrice" then
        perform property_record_price_event(new, 'PRICE_CHANGED', instant, new."listPrice");
      end if;
    end if;

    if new."standardStatus" is distinct from old."standardStatus" then
      what := property_status_event(old, new, begins);
      if what in ('SOLD', 'RENTED') then
        perform property_record_price_event(new, what,
          property_sold_at(new, instant, case when is_new then new."listedAt" else old."statusChangedAt" end),
          new."closePrice");
      elsif what is not null then
        perform property_record_price_event(new, what, new."statusChangedAt", new."listPrice");
      end if;
    elsif new."standardStatus" = 'Closed' and new."closePrice" is distinct from old."closePrice" then
      select max(e.id) into corrected from property_price_events e
      where e."propertyId" = new.id and e.event in ('SOLD', 'RENTED') and e.source = 'listing';
      if corrected is not null then
        perform property_record_price_event(new, 'CORRECTION', instant, new."closePrice", corrected,
          coalesce(why, 'The sale price was recorded anew.'));
      end if;
    end if;
    return null;
  end $$;
  create trigger properties_inserted_write_price_history after insert on properties
    for each row execute function properties_write_price_history();
  create trigger properties_updated_write_price_history after update on properties
    for each row when ((old."standardStatus", old."listPrice", old.currency, old."closePrice")
      is distinct from (new."standardStatus", new."listPrice", new.currency, new."closePrice"))
    execute function properties_write_price_history()`;

// The event of a status change, apart from the beginning of a period. A listing that was never public gets no event.
export const STATUS_EVENT = `
  create function property_status_event(before properties, after properties, begins boolean)
  returns property_price_event language sql stable
  return case after."standardStatus"
    when 'Active' then case when not begins then 'BACK_ON_MARKET' end
    when 'Coming Soon' then case when not begins then 'COMING_SOON' end
    when 'Active Under Contract' then 'UNDER_CONTRACT'
    when 'Pending' then 'PENDING'
    when 'Closed' then case when before.id is null and after."closeDate" is null then null
      when property_is_lease(after) then 'RENTED' else 'SOLD' end
    when 'Hold' then case when after."listedAt" is not null then 'HOLD' end
    when 'Withdrawn' then case when after."listedAt" is not null then 'WITHDRAWN' end
    when 'Canceled' then case when after."listedAt" is not null then 'CANCELED' end
    when 'Expired' then case when after."listedAt" is not null then 'EXPIRED' end
    else case when property_market_phase(before."standardStatus") in ('ON', 'PAUSED')
      and after."listedAt" is not null then 'WITHDRAWN' end
  end::property_price_event`;

// Only deleting the property deletes its history.
export const APPEND_ONLY_TRIGGERS = `
  create trigger property_price_events_never_change before update on property_price_events
    for each row execute function refuse_rewrite_of_history();
  create function property_price_events_stay() returns trigger language plpgsql as $$
  begin
    if exists (select from properties where id = old."propertyId") then
      raise exception 'rows of % are never deleted', tg_table_name using errcode = 'restrict_violation';
    end if;
    return old;
  end $$;
  create trigger property_price_events_stay before delete on property_price_events
    for each row execute function property_price_events_stay()`;
