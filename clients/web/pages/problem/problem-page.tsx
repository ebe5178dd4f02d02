import { useText } from '../../app/use-site.ts';

/** Shown when a page could not be loaded or shown. */
export function ProblemPage() {
  const { t } = useText();
  return <h1>{t('problem.failed')}</h1>;
}
