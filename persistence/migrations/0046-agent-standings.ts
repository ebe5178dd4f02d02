import { Migration } from '@mikro-orm/migrations';

/**
 * Since when somebody is an agent, and who approved them. Agents who are there already are approved. One whom a role of
 * the release before makes while it still runs has no row: their account's age counts, and an operator may approve them.
 */
export class AgentStandings extends Migration {
  override up(): void {
    this.addSql(`
      create table agent_standings (
        "agentId" uuid primary key references "user" (id) on delete cascade,
        "agentSince" timestamptz not null,
        "approvedAt" timestamptz,
        "approvedBy" text,
        "approvalReason" text,
        constraint agent_standings_approval_check check (
          ("approvedAt" is null) = ("approvedBy" is null) and ("approvedAt" is null) = ("approvalReason" is null))
      )`);
    this.addSql(`
      create index agent_standings_waiting_idx on agent_standings ("agentSince", "agentId")
        where "approvedAt" is null`);
    this.addSql(`
      insert into agent_standings ("agentId", "agentSince", "approvedAt", "approvedBy", "approvalReason")
      select id, "createdAt", now(), 'migration', 'An agent before approvals began.' from "user" where role = 'agent'`);
  }
}
