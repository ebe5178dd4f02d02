import type { DetailImage } from './listing-data.ts';

/** The label on a staged picture. */
export function StagedLabel({ image }: { readonly image: DetailImage }) {
  return image.disclosureLabel === null ? null : (
    <span className="picture-label">{image.disclosureLabel}</span>
  );
}
