import { Migration } from '@mikro-orm/migrations';

/** What decides or notes that something becomes public, and refuses what accounts may not do. */
const GATE = [
  'property_images_public_check',
  'property_images_state_follows',
  'property_images_note_provenance',
  'photo_checks_set_state',
  'provenance_due_closed',
  'refuse_suspended',
  'refuse_tombstones',
];

/**
 * The gate reads the platform's tables with the owner's rights. A session's temporary table of the same name is found
 * last (docs/contract.md#database-roles).
 */
export class GateRights extends Migration {
  override up(): void {
    for (const name of GATE)
      this.addSql(`alter function ${name}() security definer set search_path = pg_catalog, public, pg_temp`);
  }
}
