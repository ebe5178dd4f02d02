import { OnlineMigration } from './online-migration.ts';

/**
 * Since when the pause switch trusts its database server: a server that was silent is trusted anew after a comparison,
 * and its heartbeat goes on (ARCHITECTURE.md#failover).
 */
export class TrustedServers extends OnlineMigration {
  override up(): void {
    this.addSql(`alter table start_gate add column "trustedAt" timestamptz`);
  }
}
