import { Migration } from '@mikro-orm/migrations';

/**
 * A text is bought by an attempt, as a picture is (`machines/purchase-kinds.ts`). From here on workers of the previous
 * release cannot write the state of a text's purchase: they would buy in parallel to the new workers. Their writes fail
 * as a temporary conflict, so their jobs wait for the new release; `0054` gives every job its attempt. The columns of
 * the old purchase stay for one release, because those workers read them.
 */
export class OnePurchase extends Migration {
  override up(): void {
    // A text has no object.
    this.addSql('alter table ai_provider_attempts drop constraint ai_provider_attempts_object_check');
    this.addSql(REFUSE);
    this.addSql(`
      create trigger ai_description_jobs_refuse_old_release before update on ai_description_jobs
      for each row when (new."sendState" is not null)
      execute function ai_description_jobs_refuse_old_release()`);
  }
}

const REFUSE = `
  create function ai_description_jobs_refuse_old_release() returns trigger language plpgsql as $function$
  begin
    raise exception 'workers of this release buy no descriptions any more' using errcode = 'serialization_failure';
  end $function$`;
