import { OnlineMigration } from './online-migration.ts';

/**
 * With AGENT_APPROVAL=manual nothing of a new agent is public before an operator's approval. `needsApproval` says that
 * an agent became one under that setting. A listing is hidden while `hiddenFor` has a reason, whatever its status, so
 * lifting one keeps the others. `AWAITS_APPROVAL` follows from the owner's standing, whatever code writes. Agents with a public listing at the upgrade count as approved. Both columns belong to rows whose owner,
 * deletion, export and retention stay as they were.
 */
export class ApprovalOfAgents extends OnlineMigration {
  static override readonly online = [
    { column: '"needsApproval"', on: 'agent_standings', type: 'boolean not null default false' },
    { column: '"hiddenFor"', on: 'properties', type: `text[] not null default '{}'` },
    // Similar homes are read from an index without the column; these few are left out by their ids.
    { index: 'properties_hidden_idx', on: `properties (id) where "hiddenFor" <> '{}'` },
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
    for (const statement of [FOLLOW_OWNER, FOLLOW_APPROVAL, ...HIDDEN_EVERYWHERE]) this.addSql(statement);
  }
}

/** The lock makes a listing and the approval of its owner wait for each other, so neither misses the other. */
const FOLLOW_OWNER = `
  create function properties_await_approval() returns trigger language plpgsql as $$
  declare
    awaits boolean;
  begin
    select s."needsApproval" and s."approvedAt" is null into awaits
    from agent_standings s where s."agentId" = new."ownerAgentId" for share;
    new."hiddenFor" := array_remove(new."hiddenFor", 'AWAITS_APPROVAL')
      || case when awaits then array['AWAITS_APPROVAL'] else '{}' end;
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
    update properties set "hiddenFor" = array_remove("hiddenFor", 'AWAITS_APPROVAL')
      || case when awaits then array['AWAITS_APPROVAL'] else '{}' end
    where "ownerAgentId" = new."agentId" and awaits is distinct from ('AWAITS_APPROVAL' = any ("hiddenFor"));
    return null;
  end $$;
  create trigger agent_standings_release_listings after insert or update on agent_standings
    for each row execute function agent_standings_release_listings()`;

/** Puts a condition around a function that exists, so that what other migrations have made of it stays. */
const unlessHidden = (fn: string, { as, rows }: { as: string; rows: string }) => [
  `alter function ${fn}(properties) rename to ${as}`,
  `create function ${fn}(listing properties) returns setof ${rows} language sql stable as $$
     select * from ${as}(listing) where listing."hiddenFor" = '{}' $$`,
];

/** Search and suggestions leave hidden listings out. */
const HIDDEN_EVERYWHERE = [
  ...unlessHidden('search_listing_of', { as: 'search_listing_by_status', rows: 'search_listings' }),
  ...unlessHidden('listing_address_of', { as: 'listing_address_by_status', rows: 'listing_addresses' }),
  `create trigger properties_hidden_keep_address after update on properties for each row
   when (old."hiddenFor" is distinct from new."hiddenFor") execute function properties_keep_address()`,
];
