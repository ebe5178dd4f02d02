import { useText } from '../../app/use-site.ts';

/** Shown for an address that names nothing, with status 404. */
export function NotFoundPage() {
  const { t } = useText();
  return <h1>{t('problem.notFound')}</h1>;
}
