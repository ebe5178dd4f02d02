import { OnlineMigration } from './online-migration.ts';

/**
 * With AGENT_APPROVAL=manual nothing of a new agent is public before an operator's approval. `needsApproval` says that
 * an agent became one under that setting; `awaitsApproval` of a listing follows from it and from the approval, whoever
 * writes. Agents with a public listing at the upgrade count as approved. Both columns belong to rows whose owner,
 * deletion, export and retention stay as they were.
 */
export class ApprovalOfAgents extends OnlineMigration {
  static override readonly online = [
    { column: '"needsApproval"', on: 'agent_standings', type: 'boolean not null default false' },
    { column: '"awaitsApproval"', on: 'properties', type: 'boolean not null default false' },
    { index: 'properties_awaiting_approval_idx', on: 'properties (id) where "awaitsApproval"' },
    {
      backfill: `update agent_standings set "approvedAt" = now(), "approvedBy" = 'migration',
          "approvalReason" = 'Had a public listing before approvals covered listings.'
        where "agentId" in (
          select s."agentId" from agent_standings s where s."approvedAt" is null and exists (
            select from properties p
            where p."ownerAgentId" = s."agentId" and p."standardStatus" not in ('Incomplete', 'Delete')) limit $1)`,
    },
  ];

  override up(): void {
    for (const statement of [FOLLOW_OWNER, FOLLOW_APPROVAL, ...GATE]) this.addSql(statement);
  }
}

/** The lock makes a listing and the approval of its owner wait for each other, so neither misses the other. */
const FOLLOW_OWNER = `
  create function properties_await_approval() returns trigger language plpgsql as $$
  begin
    select s."needsApproval" and s."approvedAt" is null into new."awaitsApproval"
    from agent_standings s where s."agentId" = new."ownerAgentId" for share;
    new."awaitsApproval" := coalesce(new."awaitsApproval", false);
    return new;
  end $$;
  create trigger properties_inserted_await_approval before insert on properties
    for each row execute function properties_await_approval();
  create trigger properties_handed_await_approval before update on properties for each row
    when (old."ownerAgentId" is distinct from new."ownerAgentId") execute function properties_await_approval()`;

const FOLLOW_APPROVAL = `
  create function agent_standings_release_listings() returns trigger language plpgsql as $$
  declare
    awaits constant boolean := new."needsApproval" and new."approvedAt" is null;
  begin
    update properties set "awaitsApproval" = awaits
    where "ownerAgentId" = new."agentId" and "awaitsApproval" is distinct from awaits;
    return null;
  end $$;
  create trigger agent_standings_release_listings after insert or update on agent_standings
    for each row execute function agent_standings_release_listings()`;

/** Search leaves such listings out. */
const ROW_OF_LISTING = `
  create or replace function search_listing_of(listing properties)
 returns setof search_listings
 language sql
 stable
as $function$
    select listing.id,
      listing."standardStatus" <> 'Closed',
      listing."standardStatus",
      (case when exists (select from property_images i where i."propertyId" = listing.id and not i."isStyled")
        then 2 else 0 end
        + case when listing."standardStatus" in ('Active', 'Coming Soon') then 1 else 0 end)::smallint,
      listing."listPrice"::float8,
      listing.currency::text,
      coalesce(listing."originalListPrice" > listing."listPrice", false),
      listing."bedroomsTotal",
      listing."bathroomsTotal"::float8,
      area.living,
      area.lot,
      case when area.living > 0 then listing."listPrice"::float8 / area.living end,
      listing."yearBuilt",
      listing."propertyType",
      listing.features,
      place.latitude,
      place.longitude,
      case when place.latitude is not null
        then floor((place.longitude / 360 + 0.5) * 838860.8)::integer end,
      case when place.latitude is not null then floor(least(greatest(
        0.5 - ln(tan(pi() / 4 + radians(least(greatest(place.latitude, -85.06), 85.06)) / 2)) / (2 * pi()),
        0), 1) * 838860.8)::integer end,
      date_trunc('milliseconds', listing."listedAt"),
      date_trunc('milliseconds', listing."offMarketAt"),
      date_trunc('milliseconds', listing."updatedAt"),
      search_feature_bits(listing.features),
      concat_ws(':', lower(listing.country), lower(listing."stateOrProvince"), place_slug(listing.city)),
      lower(listing.country) || ':' || place_slug(listing."postalCode")
    from (select
        listing."livingArea"::float8
          / case listing."livingAreaUnits" when 'Square Meters' then 0.09290304::float8 else 1 end as living,
        listing."lotSizeArea"::float8
          * case listing."lotSizeUnits" when 'Acres' then 43560 when 'Hectares' then 10000 else 1 end
          / case when listing."lotSizeUnits" in ('Hectares', 'Square Meters') then 0.09290304::float8
            else 1 end as lot) area
      -- Half a position is none. What is nearly 0 is 0: PostgreSQL refuses to reckon with the smallest numbers.
      left join lateral (select
          case when abs(listing.latitude) < 1e-9 then 0 else listing.latitude end as latitude,
          case when abs(listing.longitude) < 1e-9 then 0 else listing.longitude end as longitude) place
        on listing.latitude is not null and listing.longitude is not null
    where not listing."awaitsApproval" and listing."standardStatus" in ('Active', 'Active Under Contract', 'Coming Soon', 'Pending', 'Closed')
  $function$`;

/** So do suggestions. */
const ADDRESS_OF_LISTING = `
  create or replace function listing_address_of(listing properties)
 returns setof listing_addresses
 language sql
 stable
as $function$
    select listing.id, search_text(concat_ws(' ', listing.address, listing."unitNumber")),
      search_text(concat_ws(' ', listing.city, listing."stateOrProvince", listing."postalCode")),
      listing.city, listing."stateOrProvince", listing."postalCode", listing.country,
      -- What is nearly 0 is 0: PostgreSQL refuses to reckon with the smallest numbers.
      case when listing.longitude is null then null when abs(listing.latitude) < 1e-9 then 0
        else listing.latitude end,
      case when listing.latitude is null then null when abs(listing.longitude) < 1e-9 then 0
        else listing.longitude end
    where not listing."awaitsApproval" and listing."standardStatus" not in ('Incomplete', 'Delete')
  $function$`;

const GATE = [
  ROW_OF_LISTING,
  ADDRESS_OF_LISTING,
  `create trigger properties_approved_keep_address after update on properties for each row
   when (old."awaitsApproval" is distinct from new."awaitsApproval") execute function properties_keep_address()`,
];
