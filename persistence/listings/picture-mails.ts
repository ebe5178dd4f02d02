import type { Pool } from 'pg';
import { publicPhoto } from '../database/listing-visibility.ts';
import { dueMails } from '../mails/due-mails.ts';

/** A picture that reports have withdrawn, about which the listing's owner gets a mail (0063). */
export interface PictureMail {
  readonly imageId: string;
  /** The version of the picture that the withdrawal made. */
  readonly seq: number;
}

export const pictureMails = dueMails<PictureMail>('picture_mails', ['imageId', 'seq']);

/** What the mail is about. */
export interface WithdrawnPicture {
  readonly propertyId: string;
  readonly ownerAgentId: string;
  readonly address: string;
  readonly unitNumber: string | null;
  readonly city: string;
  /** A photo of the home that everyone may see. */
  readonly photoId: string | null;
}

/** Null when the withdrawal was lifted, or when the picture or its listing was deleted. */
export async function pictureWithdrawnByReports(
  pool: Pool,
  imageId: string,
): Promise<WithdrawnPicture | null> {
  const { rows } = await pool.query<WithdrawnPicture>(
    `SELECT p.id AS "propertyId", p."ownerAgentId", p.address, p."unitNumber", p.city,
       ${publicPhoto('p')} AS "photoId"
     FROM property_images i JOIN properties p ON p.id = i."propertyId"
     WHERE i.id = $1 AND i."withdrawnBy" = 'REPORTS' AND p."standardStatus" <> 'Delete'`,
    [imageId],
  );
  return rows[0] ?? null;
}
