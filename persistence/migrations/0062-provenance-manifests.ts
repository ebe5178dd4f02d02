import { OnlineMigration } from './online-migration.ts';

/**
 * The ids of the signed manifests in public copies of staged pictures (docs/contract.md#marks). Without foreign keys:
 * a file that left the platform can be recognized when its picture is gone.
 */
export class ProvenanceManifests extends OnlineMigration {
  override up(): void {
    this.addSql(`
      create table provenance_manifests (
        "stagedImageId" uuid not null,
        variant text not null,
        "manifestId" text not null,
        "signedAt" timestamptz not null,
        constraint provenance_manifests_pkey primary key ("stagedImageId", "manifestId"),
        constraint "provenance_manifests_manifestId_check" check ("manifestId" ~ '^urn:c2pa:[0-9a-f-]{36}$')
      )`);
    this.addSql(REFUSE_CHANGES);
    this.addSql(`
      create trigger provenance_manifests_refuse_changes before update or delete on provenance_manifests
      for each row execute function provenance_manifests_refuse_changes()`);
  }
}

const REFUSE_CHANGES = `
  create function provenance_manifests_refuse_changes() returns trigger language plpgsql as $function$
  begin
    raise exception 'manifest % is recorded for ever', old."manifestId"
      using errcode = 'check_violation', table = 'provenance_manifests',
        constraint = 'provenance_manifests_refuse_changes';
  end $function$`;
