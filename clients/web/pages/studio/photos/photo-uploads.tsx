import { lazy, Suspense } from 'react';
import { PhotoDrop } from './photo-drop.tsx';
import { useUploads } from './use-uploads.ts';

const UploadList = lazy(() => import('./upload-list.tsx'));

interface PhotoUploadsProps {
  readonly agentId: string;
  readonly propertyId: string;
  /** One line, where there are photos already. */
  readonly isSmall: boolean;
}

/** Takes photos and shows those on their way. By itself: they change many times a second, and the photos do not. */
export default function PhotoUploads({ agentId, propertyId, isSmall }: PhotoUploadsProps) {
  const { items, add, retry, dismiss } = useUploads(agentId, propertyId);
  return (
    <>
      <PhotoDrop isSmall={isSmall} onFiles={add} />
      {items.length === 0 ? null : (
        <Suspense>
          <UploadList items={items} retry={retry} dismiss={dismiss} />
        </Suspense>
      )}
    </>
  );
}
