import type { Outputs } from '../../typescript/procedures.ts';
import { pictureUrl } from '../pictures/picture-files.ts';
import type { Site } from '../site/site.ts';
import type { PageHead } from './page-head.ts';

/** What previews of links take well. */
const PREVIEW_WIDTH = 1280;

/** The head of a picture's provenance page: its preview is the photo, never the staged picture. */
export function provenanceHead(
  { language, settings }: Pick<Site, 'language' | 'settings'>,
  record: Outputs['provenance']['get'],
): PageHead {
  const { t } = language.text;
  const what = record.room ?? t('room.unknown');
  return {
    title: t('provenance.pageTitle', { what }),
    description: t('provenance.lead'),
    path: `/provenance/${record.stagedImageId}`,
    image:
      record.originalImageId === null
        ? undefined
        : settings.origin + pictureUrl(record.originalImageId, PREVIEW_WIDTH),
  };
}
