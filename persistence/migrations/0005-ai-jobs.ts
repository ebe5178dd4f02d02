import { Migration } from '@mikro-orm/migrations';

/**
 * The legacy job table: type and status are free text, everything else is in `payload`
 * (`imageId`, `style`, `roomType`, ... for `stage-room`). Texts that were generated went straight to
 * `properties."publicRemarks"`, so the table holds no results.
 */
export class AiJobs extends Migration {
  override up(): void {
    this.addSql(`
      create table ai_jobs (
        id uuid primary key default gen_random_uuid(),
        type text not null,
        status text not null,
        "userId" uuid,
        "propertyId" uuid,
        payload jsonb not null default '{}',
        error text,
        "createdAt" timestamptz not null default now(),
        "updatedAt" timestamptz not null default now(),
        "startedAt" timestamptz,
        "finishedAt" timestamptz
      )`);
  }
}
