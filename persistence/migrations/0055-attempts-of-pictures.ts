import { Migration } from '@mikro-orm/migrations';

/**
 * From COLLECTING on, the attempt of a picture has an object, as the check says that `0053` has dropped. Whether it is a
 * picture's stands in the row of its job, which a check cannot read, so this is a trigger, with the check's name. Only
 * attempts without an object reach it, and only when their state or object is written: a note about the price of an older
 * row never fails.
 */
export class AttemptsOfPictures extends Migration {
  override up(): void {
    this.addSql(REFUSE);
    this.addSql(`
      create trigger ai_provider_attempts_object_check before insert or update of status, "objectKey"
      on ai_provider_attempts
      for each row when (new.status in ('COLLECTING', 'SUCCEEDED') and new."objectKey" is null)
      execute function ai_provider_attempts_object_check()`);
  }
}

const REFUSE = `
  create function ai_provider_attempts_object_check() returns trigger language plpgsql as $function$
  begin
    if exists (select from ai_jobs where id = new."aiJobId" and type = 'ROOM_STAGING') then
      raise exception 'attempt % of a picture is % without an object', new.id, new.status
        using errcode = 'check_violation', table = 'ai_provider_attempts', constraint = 'ai_provider_attempts_object_check';
    end if;
    return new;
  end $function$`;
