import { Migration } from '@mikro-orm/migrations';

/** Agents assigned to a listing beside its owner; both may stage and review (docs/contract.md#permission). */
export class PropertyAgents extends Migration {
  override up(): void {
    this.addSql(`
      create table property_agents (
        "propertyId" uuid not null references properties (id) on delete cascade,
        "agentId" uuid not null references "user" (id) on delete cascade,
        primary key ("propertyId", "agentId")
      )`);
    this.addSql(`create index "property_agents_agentId_idx" on property_agents ("agentId")`);
  }
}
