import { type ChangeEvent, type DragEvent, useEffect, useId, useRef, useState } from 'react';
import { systemTiming } from '../../../typescript/timing.ts';
import { provenance } from '../../api/queries.ts';
import { StatusBadge } from '../../primitives/parts.tsx';
import { useSite, useText } from '../../site/use-site.ts';
import type { CheckedFile } from './check/check-file.ts';
import workerUrl from './check/check-worker.ts?worker&url';
import { createFileChecker } from './check/file-checker.ts';
import { type Finding, findingsOf, needsFreshRecord } from './check/findings.ts';
import type { Provenance } from './provenance-data.ts';

type Shown =
  | { readonly state: 'none' | 'working' }
  | { readonly state: 'failed'; readonly key: string }
  | { readonly state: 'checked'; readonly file: CheckedFile };

/** A copy that the page may have loaded already, and large enough for the comparison. */
const smallPicture = (imageId: string): string => `/api/images/${imageId}?w=256`;

/** Checks a file that the person has: the browser reads it, and nothing of it is sent. */
export function FileCheck({ record }: { readonly record: Provenance }) {
  const { t } = useText();
  const { api, queries } = useSite();
  const id = useId();
  const [shown, setShown] = useState<Shown>({ state: 'none' });
  const [isReady, setReady] = useState(false);
  const latest = useRef(0);
  const [checker] = useState(() =>
    createFileChecker({
      openWorker: () => new Worker(workerUrl, { type: 'module' }),
      now: systemTiming.now,
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
    const { stagedImageId, originalImageId, stagedUrl } = record;
    const checked = await checker.check({
      file,
      pictures: {
        staged: stagedUrl === null ? null : smallPicture(stagedImageId),
        original: originalImageId === null ? null : smallPicture(originalImageId),
      },
    });
    if ('problem' in checked) return show({ state: 'failed', key: checked.problem });
    // A copy that was signed just now is not in the list that this page was loaded with.
    if (latest.current === turn && needsFreshRecord(checked, record))
      try {
        await queries.fetchQuery({ ...provenance(api, { stagedImageId }), staleTime: 0 });
      } catch {
        return show({ state: 'failed', key: 'provenance.check.recordNotRead' });
      }
    show({ state: 'checked', file: checked });
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
        {findings.map(({ key, tone, variables = {}, what }) => (
          <li key={`${key} ${what}`} className="provenance-finding">
            <StatusBadge tone={tone}>{t(`provenance.finding.${tone}`)}</StatusBadge>
            <span>{t(key, what === undefined ? variables : { what: t(what) })}</span>
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
