/** What the camera or program of a photo has signed (docs/contract.md#intake). */
export interface PhotoCredentials {
  /** The camera or program that its C2PA manifests name; null when they name none. */
  generator: string | null;
  /** Who has signed them, as the certificate says; the signature is not checked. */
  signer: string | null;
}

/** SQL: the `credentials` of the image with this alias. */
export const credentialsColumn = (image: string): string => `(
  SELECT jsonb_build_object('generator', c.generator, 'signer', c.signer) FROM photo_credentials c
  WHERE c."imageId" = ${image}.id) AS credentials`;
