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

/**
 * Search and suggestions leave such listings out. Their functions are changed where they name the statuses, so that
 * other migrations may change the rest.
 */
const leaveOut = (name: string): string => `
  do $do$
  declare
    old constant text := pg_get_functiondef('${name}'::regproc);
    new constant text := replace(old, 'where listing."standardStatus"',
      'where not listing."awaitsApproval" and listing."standardStatus"');
  begin
    if new = old then raise exception '${name} does not name the statuses'; end if;
    execute new;
  end $do$`;

const GATE = [
  leaveOut('search_listing_of'),
  leaveOut('listing_address_of'),
  `create trigger properties_approved_keep_address after update on properties for each row
   when (old."awaitsApproval" is distinct from new."awaitsApproval") execute function properties_keep_address()`,
];
