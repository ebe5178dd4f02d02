import { limitText } from '../../../api/failures.ts';
import { Button } from '../../../primitives/button.tsx';
import { Icon } from '../../../primitives/icon.tsx';
import { useText } from '../../../site/use-site.ts';
import type { Upload } from './uploads.ts';

interface UploadListProps {
  readonly items: readonly Upload[];
  readonly retry: (key: string) => void;
  readonly dismiss: (key: string) => void;
}

const isOnItsWay = ({ state }: Upload): boolean => state === 'waiting' || state === 'sending';

/** Files on their way: how far all are, how far each is, and why some were refused. */
export default function UploadList({ items, retry, dismiss }: UploadListProps) {
  const text = useText();
  const { t } = text;
  const open = items.filter(isOnItsWay);
  const bytes = open.reduce((sum, { file }) => sum + file.size, 0);
  const sent = open.reduce((sum, { file, sent: share }) => sum + file.size * share, 0);
  return (
    <section className="panel" aria-label={t('studio.upload.title')}>
      {open.length === 0 ? null : (
        <div className="studio-progress">
          <p role="status">{t('studio.upload.left', { count: open.length })}</p>
          <progress max={1} value={bytes === 0 ? 0 : sent / bytes} aria-label={t('studio.upload.all')} />
        </div>
      )}
      <ul className="studio-uploads">
        {items.map((upload) => {
          const { key, name, state, sent: share, problem, resetsAt } = upload;
          return (
            <li key={key} className="studio-upload">
              {/* Marks in a name that turn the direction of writing end with it. */}
              <bdi className="studio-upload-name">{name}</bdi>
              {isOnItsWay(upload) ? (
                <progress max={1} value={share} aria-label={t('studio.upload.of', { name })} />
              ) : (
                <span className="field-problem" role="alert">
                  {limitText(text, { problem: problem ?? 'errors.internal', resetsAt })}
                </span>
              )}
              {state === 'failed' || state === 'refused' ? (
                <Button kind="quiet" onPress={() => retry(key)}>
                  {t('common.retry')}
                </Button>
              ) : null}
              <Button
                kind="icon"
                aria-label={t('studio.upload.remove', { name })}
                onPress={() => dismiss(key)}
              >
                <Icon name="close" />
              </Button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
