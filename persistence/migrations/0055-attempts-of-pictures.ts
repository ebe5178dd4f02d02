import { Migration } from '@mikro-orm/migrations';

/**
 * From COLLECTING on, the attempt of a picture has an object. A check enforced this until `0053` dropped it. Only the
 * row of the job tells whether the attempt is a picture's. A check cannot read that row, so this is a trigger, with the
 * check's name. It runs only for attempts without an object, and only when their
 * status or object is written: a price estimate for an older row never fails.
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
