import { ButtonLink } from '../../primitives/button.tsx';
import { useText } from '../../site/use-site.ts';

/** Shown for an address that names nothing, with status 404. */
export function NotFoundPage() {
  const { t } = useText();
  return (
    <div className="page page-narrow">
      <title>{`${t('problem.notFound')} · ${t('common.name')}`}</title>
      <h1>{t('problem.notFound')}</h1>
      <p>{t('problem.notFoundText')}</p>
      <ButtonLink to="/">{t('problem.home')}</ButtonLink>
    </div>
  );
}
