import { OnlineMigration } from './online-migration.ts';

/**
 * The C2PA manifests with which a camera or program has signed an uploaded photo (docs/contract.md#intake). The photo
 * itself is stored without metadata, so its manifests are an object of their own. A row belongs to its photo and is
 * deleted with it, also when the owner's account is deleted; a trigger queues the object. An export of the account
 * leaves it out: the owner has the file that was uploaded.
 */
export class PhotoCredentials extends OnlineMigration {
  static override readonly online = [
    // Uploads are looked up by the manifests that they carry.
    { index: 'provenance_manifests_id_idx', on: 'provenance_manifests ("manifestId")' },
  ];

  override up(): void {
    this.addSql(`
      create table photo_credentials (
        "imageId" uuid primary key references property_images (id) on delete cascade,
        "objectKey" text not null constraint "photo_credentials_objectKey_key" unique,
        generator text,
        signer text
      )`);
    this.addSql(`
      create trigger photo_credentials_schedule_deletion after delete on photo_credentials
      for each row execute function schedule_deletion_of_object()`);
  }
}
