import { OnlineMigration } from './online-migration.ts';

/**
 * What an agent confirmed about a listing's altered pictures for a market (docs/contract.md#market-profiles): who, when,
 * and about which pictures. The row belongs to the listing and is deleted with it. The deletion of the agent's account
 * keeps the row, which then refers to a tombstone, as reviews do: another agent of the listing may rely on it. Agents
 * find theirs in their export. A confirmation is kept as long as its listing, or until one about other pictures
 * replaces it, so a listing has at most one for each market and requirement.
 */
export class DisclosureConfirmations extends OnlineMigration {
  override up(): void {
    this.addSql(`
      create table disclosure_confirmations (
        id uuid primary key default gen_random_uuid(),
        "propertyId" uuid not null references properties (id) on delete cascade,
        market text not null,
        requirement text not null,
        pictures text not null,
        "agentId" uuid not null references "user" (id),
        at timestamptz not null,
        constraint disclosure_confirmations_key unique ("propertyId", market, requirement),
        constraint disclosure_confirmations_market_check check (char_length(market) between 1 and 40),
        constraint disclosure_confirmations_requirement_check check (char_length(requirement) between 1 and 40),
        constraint disclosure_confirmations_pictures_check check (pictures ~ '^[0-9a-f]{64}$')
      )`);
    this.addSql(
      'create index disclosure_confirmations_agent_idx on disclosure_confirmations ("agentId", id)',
    );
    this.addSql(
      `create trigger disclosure_confirmations_refuse_tombstones before insert or update on disclosure_confirmations
       for each row execute function refuse_tombstones('agentId')`,
    );
  }
}
