import { Migration } from '@mikro-orm/migrations';

/**
 * Since when an account is an agent's, and who approved the agent. Existing agents are approved. An agent whom a role
 * of the previous release creates while it still runs has no row: the age of the account counts, and an operator may
 * approve the agent.
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
