import { Migration } from '@mikro-orm/migrations';

/**
 * The sample town of a new local installation (docs/contract.md#sample). `sample_town` belongs to the platform: one row,
 * which is there once a sample was begun and stays when it was removed, so that it never comes back by itself. It names
 * no person, is in no export, and is not deleted.
 *
 * A staged picture of the sample is no picture that was bought: it gets no fingerprint, so no true photo can be taken
 * for it. Its model says so, a name that no provider's model can have.
 */
export class SampleTown extends Migration {
  override up(): void {
    this.addSql(`
      create table sample_town (
        id boolean primary key default true,
        state text not null,
        "changedAt" timestamptz not null default clock_timestamp(),
        constraint sample_town_one_row_check check (id),
        constraint sample_town_state_check check (state in ('LOADING', 'LOADED', 'REMOVED'))
      )`);
    this.addSql('drop trigger property_images_begin_fingerprint on property_images');
    this.addSql(`
      create trigger property_images_begin_fingerprint after insert on property_images
      for each row when (new."isStyled" and new."providerModel" is distinct from 'sample')
      execute function property_images_begin_fingerprint()`);
  }
}
