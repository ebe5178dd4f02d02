import { OnlineMigration } from './online-migration.ts';

/**
 * Since when the pause switch trusts its database server: a server that was silent is trusted anew after a comparison,
 * and its heartbeat goes on. And from when to when decisions may be forgotten, until an operator has looked at that
 * (ARCHITECTURE.md#failover).
 */
export class TrustedServers extends OnlineMigration {
  override up(): void {
    this.addSql(`alter table start_gate add column "trustedAt" timestamptz, add column "gapFrom" timestamptz,
      add column "gapUntil" timestamptz`);
  }
}
