import { type MouseEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { problemKey } from '../../../api/failures.ts';
import { Button } from '../../../primitives/button.tsx';
import { Problem } from '../../../primitives/parts.tsx';
import { saveFile } from '../../../site/save-file.ts';
import { useSite, useText } from '../../../site/use-site.ts';
import './export-download.css';

interface ExportDownloadProps {
  readonly propertyId: string;
  /** Whose page it is. */
  readonly agentId: string;
  /** Of a market other than that of the address. */
  readonly market?: string;
  readonly kind: 'secondary' | 'quiet';
  readonly children: ReactNode;
}

/** A download that takes minutes, since each picture is made for it: its files are counted, and it can be canceled. */
export function ExportDownload({ propertyId, agentId, market, kind, children }: ExportDownloadProps) {
  const { sender } = useSite();
  const { t } = useText();
  const [progress, setProgress] = useState<{ readonly files: number; readonly of: number } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const href = `/api/disclosure/${propertyId}.zip${market === undefined ? '' : `?market=${market}`}`;

  const start = async (): Promise<void> => {
    if (sender === null || running.current !== null) return;
    const work = new AbortController();
    running.current = work;
    const { signal } = work;
    setProblem(null);
    setProgress({ files: 0, of: 0 });
    try {
      const { readExport } = await import('./read-export.ts');
      const onFile = (files: number, of: number): void => setProgress({ files, of });
      const { file, name } = await readExport({ href, personId: agentId, sender, signal, onFile });
      saveFile(file, name);
    } catch (error) {
      if (!signal.aborted) setProblem(problemKey(error));
    }
    running.current = null;
    setProgress(null);
  };
  const press = (event: MouseEvent): void => {
    event.preventDefault();
    void start();
  };
  return (
    <div className="export-download">
      <a
        className={`button button-${kind}`}
        href={href}
        rel="nofollow"
        aria-disabled={progress !== null}
        onClick={press}
      >
        {children}
      </a>
      <Problem text={problem === null ? null : t(problem)} />
      {progress === null ? null : (
        <div className="row">
          <progress
            aria-label={t('studio.export.progressName')}
            {...(progress.of === 0 ? {} : { max: progress.of, value: progress.files })}
          />
          <span>
            {progress.of === 0
              ? t('studio.export.preparing')
              : t('studio.export.progress', { done: progress.files, count: progress.of })}
          </span>
          <Button kind="quiet" onPress={() => running.current?.abort()}>
            {t('studio.export.cancel')}
          </Button>
        </div>
      )}
    </div>
  );
}
