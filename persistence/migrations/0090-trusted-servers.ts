import { OnlineMigration } from './online-migration.ts';

/**
 * When the pause switch began to trust its database server: after a comparison a silent server is trusted again, and its
 * heartbeat resumes. And the time span in which decisions may be lost, until an operator closes it
 * (ARCHITECTURE.md#failover).
 */
export class TrustedServers extends OnlineMigration {
  override up(): void {
    this.addSql(`alter table start_gate add column "trustedAt" timestamptz, add column "gapFrom" timestamptz,
      add column "gapUntil" timestamptz`);
  }
}
