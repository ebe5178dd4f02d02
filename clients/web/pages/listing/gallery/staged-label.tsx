import { pathIn } from '../../../../../i18n/languages.ts';
import { useSite, useText } from '../../../site/use-site.ts';
import type { LargePicture } from '../listing-data.ts';

/** The label on a staged or altered picture; that of a staged one leads to the page that says how it was made. */
export function StagedLabel({
  image,
  isPassed = false,
}: {
  readonly image: Pick<LargePicture, 'disclosureLabel' | 'provenanceUrl'>;
  /** The keyboard passes it by, where the same link is in another place of the page. */
  readonly isPassed?: boolean;
}) {
  const { t } = useText();
  const page = useProvenancePage(image);
  if (image.disclosureLabel === null) return null;
  if (page === null) return <span className="picture-label">{image.disclosureLabel}</span>;
  return (
    <a className="picture-label picture-label-link" href={page} tabIndex={isPassed ? -1 : undefined}>
      {image.disclosureLabel}
      <span className="visually-hidden">{t('gallery.provenance')}</span>
    </a>
  );
}

/** The address of the page that says how a staged picture was made, in the reader's language; null for photos. */
export function useProvenancePage({ provenanceUrl }: Pick<LargePicture, 'provenanceUrl'>): string | null {
  const { settings } = useSite();
  const { locale } = useText();
  return provenanceUrl === null ? null : pathIn(settings.site, new URL(provenanceUrl).pathname, locale);
}
