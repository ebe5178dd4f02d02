import { type ChangeEvent, type DragEvent, useEffect, useId, useRef, useState } from 'react';
import { systemTiming } from '../../../typescript/timing.ts';
import { StatusBadge } from '../../primitives/parts.tsx';
import { useText } from '../../site/use-site.ts';
import { type Asked, type CheckedFile, type Finding, findingsOf } from './check/check-file.ts';
import workerUrl from './check/check-worker.ts?worker&url';
import { createFileChecker } from './check/file-checker.ts';

type Shown =
  | { readonly state: 'none' | 'working' }
  | { readonly state: 'failed'; readonly key: string }
  | { readonly state: 'checked'; readonly file: CheckedFile };

/** Checks a file that the person has: the browser reads it, and nothing of it is sent. */
export function FileCheck({ record }: { readonly record: Asked }) {
  const { t } = useText();
  const id = useId();
  const [shown, setShown] = useState<Shown>({ state: 'none' });
  const [isReady, setReady] = useState(false);
  const latest = useRef(0);
  const [checker] = useState(() =>
    createFileChecker({
      openWorker: () => new Worker(workerUrl, { type: 'module' }),
      after: systemTiming.after,
    }),
  );
  // Before this a chosen file would not be heard of.
  useEffect(() => {
    setReady(true);
    return checker.close;
  }, [checker]);

  const check = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    latest.current += 1;
    const turn = latest.current;
    const show = (next: Shown): void => {
      // A file that was chosen later counts.
      if (latest.current === turn) setShown(next);
    };
    show({ state: 'working' });
    const checked = await checker.check({ file, authority: record.signingAuthority });
    show(
      'problem' in checked ? { state: 'failed', key: checked.problem } : { state: 'checked', file: checked },
    );
  };
  const chosen = ({ currentTarget }: ChangeEvent<HTMLInputElement>): void =>
    void check(currentTarget.files?.[0]);
  const dropped = (event: DragEvent): void => {
    event.preventDefault();
    void check(event.dataTransfer.files[0]);
  };
  return (
    <>
      <p>{t('provenance.check.text')}</p>
      <noscript>
        <p>{t('provenance.check.needsScript')}</p>
      </noscript>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping repeats what the field does */}
      <div className="provenance-drop" onDragOver={(event) => event.preventDefault()} onDrop={dropped}>
        <label htmlFor={id}>{t('provenance.check.choose')}</label>
        <input id={id} className="input" type="file" accept="image/*" disabled={!isReady} onChange={chosen} />
      </div>
      <div role="status" className="stack">
        {shown.state === 'working' ? <p>{t('provenance.check.working')}</p> : null}
        {shown.state === 'failed' ? <p>{t(shown.key)}</p> : null}
        {shown.state === 'checked' ? (
          <Result file={shown.file} findings={findingsOf(shown.file, record)} />
        ) : null}
      </div>
    </>
  );
}

function Result({ file, findings }: { readonly file: CheckedFile; readonly findings: readonly Finding[] }) {
  const { t } = useText();
  return (
    <>
      <p>
        <strong dir="auto">{file.name}</strong>
      </p>
      <ul className="stack">
        {findings.map(({ key, tone, variables = {} }) => (
          <li key={key} className="provenance-finding">
            <StatusBadge tone={tone}>{t(`provenance.finding.${tone}`)}</StatusBadge>
            <span>{t(key, variables)}</span>
          </li>
        ))}
      </ul>
      <p>
        {t('provenance.check.checksum')} <code>{file.checksum}</code>
      </p>
      <p className="muted">{t('provenance.check.limits')}</p>
    </>
  );
}
