import { Migration } from '@mikro-orm/migrations';

/**
 * What a running process says of its settings: a hash for each that must be equal everywhere, and when it last said so.
 * Rows of processes of an older release have neither; those are compared as a whole, by people in the console.
 */
export class SettingFingerprints extends Migration {
  override up(): void {
    this.addSql('alter table role_fingerprints add column settings jsonb, add column "beatAt" timestamptz');
  }
}
