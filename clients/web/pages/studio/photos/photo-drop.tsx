import { type ChangeEvent, useEffect, useRef, useState } from 'react';
import { PHOTO_ACCEPT } from '../../../../../machines/vocabulary.ts';
import { Button } from '../../../primitives/button.tsx';
import { useText } from '../../../site/use-site.ts';
import { droppedFiles, hasFiles } from './dropped-files.ts';

/** A file that is dropped outside its place would be opened instead of the page. */
function holdBack(event: DragEvent): void {
  const { dataTransfer, defaultPrevented } = event;
  if (dataTransfer === null || defaultPrevented || !dataTransfer.types.includes('Files')) return;
  event.preventDefault();
  dataTransfer.dropEffect = 'none';
}

/** Takes photos: dropped files and folders, chosen files, a chosen folder, and the camera of a phone. */
export function PhotoDrop({
  isSmall,
  onFiles,
}: {
  /** One line, where there are photos already. */
  readonly isSmall: boolean;
  readonly onFiles: (files: readonly File[]) => void;
}) {
  const { t } = useText();
  const [isOver, setOver] = useState(false);
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const camera = useRef<HTMLInputElement>(null);
  const chosen = ({ currentTarget }: ChangeEvent<HTMLInputElement>): void => {
    const all = [...(currentTarget.files ?? [])].filter(({ name }) => !name.startsWith('.'));
    currentTarget.value = '';
    if (all.length > 0) onFiles(all);
  };
  useEffect(() => {
    addEventListener('dragover', holdBack);
    addEventListener('drop', holdBack);
    return () => {
      removeEventListener('dragover', holdBack);
      removeEventListener('drop', holdBack);
    };
  }, []);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping repeats what the buttons do
    <div
      className={[
        'studio-drop',
        ...(isOver ? ['studio-drop-over'] : []),
        ...(isSmall ? ['studio-drop-small'] : []),
      ].join(' ')}
      onDragOver={(event) => {
        if (!hasFiles(event.dataTransfer)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        if (!hasFiles(event.dataTransfer)) return;
        event.preventDefault();
        setOver(false);
        void droppedFiles(event.dataTransfer).then(onFiles);
      }}
    >
      <p>{t('studio.photo.drop')}</p>
      <div className="row">
        <Button kind={isSmall ? 'secondary' : 'primary'} onPress={() => files.current?.click()}>
          {t('studio.photo.chooseFiles')}
        </Button>
        <Button onPress={() => folder.current?.click()}>{t('studio.photo.chooseFolder')}</Button>
        <span className="studio-camera">
          <Button onPress={() => camera.current?.click()}>{t('studio.photo.camera')}</Button>
        </span>
      </div>
      <p className="muted">{t('studio.photo.kinds')}</p>
      {[
        {
          ref: files,
          label: 'studio.photo.chooseFiles',
          given: { accept: PHOTO_ACCEPT, multiple: true },
        },
        { ref: folder, label: 'studio.photo.chooseFolder', given: { webkitdirectory: '' } },
        {
          ref: camera,
          label: 'studio.photo.camera',
          given: { accept: 'image/*', capture: 'environment' as const },
        },
      ].map(({ ref, label, given }) => (
        <input
          key={label}
          ref={ref}
          className="visually-hidden"
          type="file"
          tabIndex={-1}
          aria-label={t(label)}
          onChange={chosen}
          {...given}
        />
      ))}
    </div>
  );
}
